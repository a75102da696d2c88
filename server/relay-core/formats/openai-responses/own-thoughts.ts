import { readField } from '../../framing/json-splice.js';
import type { ParsedCall } from '../contract/api-format.js';
import { listOf } from '../shared/fields/json-fields.js';

/** Prefix of an `encrypted_content` that this gateway wrote: the thought follows, in base64url. */
const THOUGHT = 'tollgate-words#';
const INCLUDED = 'reasoning.encrypted_content';

/** Returns true for a caller that wants reasoning in a form it can send back. */
export const wantsEncryptedThoughts = (call: ParsedCall<'chat'>): boolean =>
  call.document.members.has('include') && listOf(readField(call.document, 'include')).includes(INCLUDED);

/** A thought that no vendor signed, as text for `encrypted_content`: clients drop items without it. */
export const writeOwnThought = (text: string): string =>
  `${THOUGHT}${Buffer.from(text).toString('base64url')}`;

/** @returns undefined = a vendor wrote the value */
export const readOwnThought = (encrypted: string): string | undefined =>
  encrypted.startsWith(THOUGHT)
    ? Buffer.from(encrypted.slice(THOUGHT.length), 'base64url').toString('utf8')
    : undefined;

import type { ThoughtSignature } from '../../../model/content.js';
import { standardBase64 } from './base64.js';

/** A signature as it stands in a field of a format. */
export interface PortableSignature {
  readonly signature: ThoughtSignature;
  readonly isRedacted: boolean;
  /** The very words the signature is good for, where they travel inside the value; undefined = they do not. */
  readonly words?: string;
}

const FOREIGN = /^(anthropic|google|openai)(-redacted)?#(?:([^#]*)#)?/;
/** Anthropic's signatures are good for their own words only, so the words travel with them. */
const WITH_TEXT = /^anthropic-words#([A-Za-z0-9_-]*)#/;
/** Base64 of the families' names at the start of a mark: each is a multiple of three bytes. */
const ENCODED = /^(?:YW50aHJvcGlj|Z29vZ2xl|b3BlbmFp)/;

/**
 * A signature as text for a field of the family `home`: its own signatures as they are, others marked with their family, so that
 * they are known again when a client brings them back (`openai#rs_1#…`). Google's field holds bytes: a mark in it is base64.
 * @param words  the thought that is signed: Anthropic's signatures are worth nothing without it
 */
export function writePortableSignature(
  signature: ThoughtSignature,
  home: ThoughtSignature['by'],
  { isRedacted = false, words }: { readonly isRedacted?: boolean; readonly words?: string | undefined } = {},
): string {
  if (signature.by === home) return signature.data;
  const marked = mark(signature, isRedacted, words);
  return home === 'google' ? Buffer.from(marked).toString('base64') : marked;
}

function mark(signature: ThoughtSignature, isRedacted: boolean, words: string | undefined): string {
  if (signature.by === 'anthropic' && !isRedacted && words !== undefined) {
    return `anthropic-words#${Buffer.from(words).toString('base64url')}#${signature.data}`;
  }
  const id = signature.id === undefined ? '' : `${encodeURIComponent(signature.id)}#`;
  return `${signature.by}${isRedacted ? '-redacted' : ''}#${id}${signature.data}`;
}

/** The signature in a field of the family `home`, of any maker. Marks that are not base64 were written before 2026-11-25. */
export function readPortableSignature(
  text: string,
  home: ThoughtSignature['by'],
  id?: string,
): PortableSignature {
  const marked = ENCODED.test(text) ? Buffer.from(text, 'base64').toString('utf8') : text;
  const withWords = WITH_TEXT.exec(marked);
  if (withWords !== null) {
    const words = Buffer.from(withWords[1] ?? '', 'base64url').toString('utf8');
    return {
      signature: { by: 'anthropic', data: marked.slice(withWords[0].length) },
      isRedacted: false,
      words,
    };
  }
  const match = FOREIGN.exec(marked);
  const by = match?.[1];
  if (match === null || (by !== 'anthropic' && by !== 'google' && by !== 'openai')) {
    const data = home === 'google' && /[-_]/.test(text) ? standardBase64(text) : text;
    return { signature: { by: home, data, ...(id === undefined ? {} : { id }) }, isRedacted: false };
  }
  const data = marked.slice(match[0].length);
  const ownId = match[3];
  return {
    signature: { by, data, ...(ownId === undefined || ownId === '' ? {} : { id: plainId(ownId) }) },
    isRedacted: match[2] !== undefined,
  };
}

/**
 * A signature that can still be used: a signature of Anthropic's whose words are neither inside the value nor beside it
 * is worth nothing, and the vendor refuses it.
 */
export const isOrphanedSignature = (
  { signature, isRedacted, words }: PortableSignature,
  text: string,
): boolean => signature.by === 'anthropic' && !isRedacted && words === undefined && text === '';

function plainId(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    // A client's own invention: no call has such an id.
    return encoded;
  }
}

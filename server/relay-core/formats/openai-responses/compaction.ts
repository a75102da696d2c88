import type { ContentPart } from '../../model/content.js';
import type { ParsedCall } from '../contract/api-format.js';
import { documentOf, textOf, type Document } from '../shared/fields/json-fields.js';
import { RESPONSES_FORMAT } from './id.js';

/** Prefix of an `encrypted_content` that this gateway wrote: the summary follows, in base64url. */
const SUMMARY = 'tollgate-summary#';
const TRIGGER = 'compaction_trigger';
const COMPACTION = 'compaction';

type VendorPiece = Pick<Extract<ContentPart, { type: 'vendor' }>, 'apiFormat' | 'value'>;

const typeOf = ({ apiFormat, value }: VendorPiece): string | undefined =>
  apiFormat === RESPONSES_FORMAT ? textOf(documentOf(value)['type']) : undefined;

/** The item that asks for a summary of all that stands before it. */
export const isCompactionTrigger = (part: ContentPart | undefined): boolean =>
  part?.type === 'vendor' && typeOf(part) === TRIGGER;

export const isCompaction = (part: VendorPiece): boolean => isCompacted(typeOf(part));

/** Older clients write the item under its former name. */
const isCompacted = (type: unknown): boolean => type === COMPACTION || type === 'compaction_summary';

/** Returns true for a call that asks for a summary: its last item is the trigger. */
export function asksForCompaction(call: ParsedCall<'chat'>): boolean {
  const request = call.neutral();
  return request.ok && isCompactionTrigger(request.value.messages.at(-1)?.content.at(-1));
}

/** The summary as the item that stands for the conversation from then on. */
export const compactionItem = (id: string, summary: string): Document => ({
  id,
  type: COMPACTION,
  encrypted_content: `${SUMMARY}${Buffer.from(summary).toString('base64url')}`,
});

/** @returns undefined = a vendor wrote the item, and only that vendor can open it */
export function readCompaction(item: Document): string | undefined {
  const encrypted = isCompacted(item['type']) ? textOf(item['encrypted_content']) : undefined;
  return encrypted?.startsWith(SUMMARY) === true
    ? Buffer.from(encrypted.slice(SUMMARY.length), 'base64url').toString('utf8')
    : undefined;
}

import { readField, scanObject, spliceFields, type ScannedObject } from '../../framing/json-splice.js';
import { SCAN_FLAGS } from '../../framing/scan-flags.js';
import { textOf } from '../../formats/shared/fields/json-fields.js';
import { messageSpans } from './message-spans.js';

/** @param document.scanFlags  absent = the body was not scanned */
export const mayHoldOtherIds = ({ scanFlags = SCAN_FLAGS.otherItemId }: Pick<ScannedObject, 'scanFlags'>) =>
  (scanFlags & SCAN_FLAGS.otherItemId) !== 0;

/**
 * A body of Responses without ids of items that the vendor refuses. The items are whole: an id adds nothing to them. References to stored
 * items and thoughts keep theirs.
 * @param begins  beginning of the id, by the type of an item
 * @returns the same buffer when nothing changes
 */
export function withoutOtherIds(body: Buffer, begins: ReadonlyMap<string, string>): Buffer {
  const document = scanObject(body);
  const span = typeof document === 'string' ? undefined : document.members.get('input');
  if (typeof document === 'string' || span === undefined) return body;
  const parts: Buffer[] = [];
  let at = 0;
  for (const { start, end, role } of messageSpans(document.bytes, span)) {
    const item = scanObject(document.bytes.subarray(start, end));
    if (typeof item === 'string' || !item.members.has('id')) continue;
    const type = textOf(readField(item, 'type')) ?? (role === '' ? '' : 'message');
    const begin = begins.get(type);
    if (begin === undefined || textOf(readField(item, 'id'))?.startsWith(begin) === true) continue;
    parts.push(document.bytes.subarray(at, start), spliceFields(item, new Map([['id', undefined]])));
    at = end;
  }
  return parts.length === 0 ? body : Buffer.concat([...parts, document.bytes.subarray(at)]);
}

import { parseJson } from '../../../common/parse-json.js';
const QUOTE = 0x22;
const OPEN_OBJECT = 0x7b;
const OPEN_ARRAY = 0x5b;
/** Shortest text, list or object that is not empty. */
const EMPTY_BYTES = 2;
/** Larger ones are full of something; to look into them would only take time. */
const MAX_LOOK_BYTES = 16 * 1024;
const MAX_DEPTH = 8;

/**
 * Returns true when a value holds a text that is not empty. Numbers and switches prove nothing by themselves: vendors put places and counts
 * beside answers that are empty.
 * @param start  first byte of the value
 */
export function hasContentAt(bytes: Buffer, start: number, end: number): boolean {
  const size = end - start;
  const first = bytes[start];
  if (size <= EMPTY_BYTES) return false;
  if (first === QUOTE) return true;
  if (first !== OPEN_OBJECT && first !== OPEN_ARRAY) return false;
  return size > MAX_LOOK_BYTES || hasContent(parseJson(bytes.subarray(start, end)), 0);
}

function hasContent(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return value !== '';
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return false;
  return Object.values(value).some((member) => hasContent(member, depth + 1));
}

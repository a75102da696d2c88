import { parseExact } from './exact-json.js';
import { wellFormedJson } from './well-formed.js';
import { JsonCursor, MAX_JSON_NODES, type JsonFault } from './json-cursor.js';

/** Place of a top-level member in its document. */
export interface FieldSpan {
  /** First byte of the key's opening quote. */
  readonly keyAt: number;
  /** First byte of the value. */
  readonly start: number;
  /** One past the value's last byte. */
  readonly end: number;
}

/** A JSON object whose top-level members were found without parsing it. */
export interface ScannedObject {
  readonly bytes: Buffer;
  readonly members: ReadonlyMap<string, FieldSpan>;
  /** The closing brace. */
  readonly closeAt: number;
  /** Findings of the scan, at any depth (scan-flags.ts); absent = it was not scanned. */
  readonly scanFlags?: number;
  /** Halves of surrogate pairs in it were replaced. */
  readonly isRepaired?: true;
}

/** One for all requests: a scan runs to its end before another begins. */
const cursor = new JsonCursor(MAX_JSON_NODES, true);

export type ScanFault = JsonFault | 'not-an-object';

/**
 * Finds the top-level members of a JSON object. Keys written with escapes and keys given twice are where two readers
 * may disagree, so such a document is parsed and written again: what is billed, what is read here and what goes
 * upstream are then one reading.
 * @param bytes  valid UTF-8
 */
export function scanObject(bytes: Buffer): ScannedObject | ScanFault {
  const first = scan(bytes);
  if (first !== 'ambiguous') return first;
  const again = Buffer.from(JSON.stringify(parseExact(bytes.toString('utf8'))));
  const second = scan(again);
  return second === 'ambiguous' ? 'malformed' : second;
}

/** The scan of a body that may be the bytes of `known`, which are not scanned again. */
export const scanBody = (body: Buffer, known: ScannedObject | undefined): ScannedObject | ScanFault =>
  known?.bytes === body ? known : scanObject(body);

function scan(bytes: Buffer): ScannedObject | ScanFault | 'ambiguous' {
  cursor.reset(bytes, 0, bytes.length);
  if (!cursor.enterObject()) return cursor.peek() === -1 ? 'malformed' : 'not-an-object';
  const members = new Map<string, FieldSpan>();
  let isAmbiguous = false;
  while (cursor.nextMember()) {
    const keyAt = cursor.keyStart - 1;
    const key = cursor.keyText();
    isAmbiguous ||= cursor.keyEscaped || members.has(key);
    cursor.peek();
    const start = cursor.at;
    if (!cursor.skipValue()) break;
    members.set(key, { keyAt, start, end: cursor.at });
  }
  if (cursor.fault !== null) return cursor.fault;
  const closeAt = cursor.at - 1;
  if (!cursor.isAtEnd()) return 'malformed';
  if (isAmbiguous) return 'ambiguous';
  const { scanFlags } = cursor;
  const mended = cursor.hasSurrogates ? wellFormedJson(bytes) : bytes;
  return mended === bytes
    ? { bytes, members, closeAt, scanFlags }
    : { bytes: mended, members, closeAt, scanFlags, isRepaired: true };
}

/** The parsed value of one member; undefined when it is absent. */
export function readField(object: ScannedObject, key: string): unknown {
  const span = object.members.get(key);
  if (span === undefined) return undefined;
  return JSON.parse(object.bytes.toString('utf8', span.start, span.end));
}

/** Changes to a scanned object: a value to write, or `undefined` to remove the member. */
export type FieldChanges = ReadonlyMap<string, unknown>;

/**
 * Writes members into a scanned object and removes others; every other byte stays.
 * @returns the same buffer when nothing changes
 */
export function spliceFields(object: ScannedObject, changes: FieldChanges): Buffer {
  const edits: Edit[] = [];
  const additions: string[] = [];
  for (const [key, value] of changes) {
    const span = object.members.get(key);
    if (value === undefined) continue;
    if (span !== undefined) edits.push({ from: span.start, to: span.end, text: JSON.stringify(value) });
    else additions.push(`${JSON.stringify(key)}:${JSON.stringify(value)}`);
  }
  const kept = removeFields(object, changes, edits);
  if (edits.length === 0 && additions.length === 0) return object.bytes;
  edits.sort((left, right) => left.from - right.from);
  const parts: Buffer[] = [];
  let at = 0;
  for (const edit of edits) {
    parts.push(object.bytes.subarray(at, edit.from));
    if (edit.text !== '') parts.push(Buffer.from(edit.text));
    at = edit.to;
  }
  if (additions.length > 0) {
    parts.push(
      object.bytes.subarray(at, object.closeAt),
      Buffer.from(`${kept > 0 ? ',' : ''}${additions.join(',')}`),
    );
    at = object.closeAt;
  }
  parts.push(object.bytes.subarray(at));
  return Buffer.concat(parts);
}

interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/**
 * Takes out each removed member up to the next one; those at the end together with the comma before them.
 * @returns how many members stay
 */
function removeFields(object: ScannedObject, changes: FieldChanges, edits: Edit[]): number {
  let kept = 0;
  let keptEnd: number | undefined;
  let removedFrom: number | undefined;
  for (const [key, span] of object.members) {
    const isRemoved = changes.has(key) && changes.get(key) === undefined;
    if (isRemoved) {
      removedFrom ??= span.keyAt;
      continue;
    }
    if (removedFrom !== undefined) edits.push({ from: removedFrom, to: span.keyAt, text: '' });
    removedFrom = undefined;
    keptEnd = span.end;
    kept += 1;
  }
  if (removedFrom !== undefined) edits.push({ from: keptEnd ?? removedFrom, to: object.closeAt, text: '' });
  return kept;
}

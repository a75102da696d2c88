import { crc32 } from 'node:zlib';
import type { ByteText } from '../../common/byte-text.js';

/**
 * Record of a call in a worker's spool. D: it goes upstream now. C: it has produced this much so far. S: it ended, this is the
 * charge. R: it ended without a charge.
 */
const SPOOL_RECORD_TYPES = ['D', 'C', 'S', 'R'] as const;
export type SpoolRecordType = (typeof SPOOL_RECORD_TYPES)[number];

export interface SpoolRecord {
  readonly type: SpoolRecordType;
  /** JSON text; the spool does not look into it. */
  readonly payload: string;
}

/** A stretch of a segment that is not a record. */
export interface SpoolDamage {
  readonly offset: number;
  readonly bytes: Buffer;
}

export interface SegmentContent {
  readonly records: readonly SpoolRecord[];
  /** In the middle: a fault of the disk, worth an alert. */
  readonly damages: readonly SpoolDamage[];
  /** Bytes of the last, half-written record: left by a crash; nothing relied on it. */
  readonly tornBytes: number;
}

/** Marks the start of a record, so that reading can go on behind a damaged one. */
const MAGIC = Buffer.from('TGr1', 'latin1');
/** magic, length of type and payload, CRC-32 of type and payload */
export const RECORD_HEADER_BYTES = 12;
/** Larger lengths are damage: a record describes one call. */
const MAX_RECORD_BYTES = 4 * 1024 * 1024;

/** Writes the payload of a record at its final place. */
export interface SpoolPayload {
  writeTo(text: ByteText): void;
}

/** Writes a record behind what `target` holds. Fails: as `payload` does; nothing of the record is left then. */
export function encodeRecord(type: SpoolRecordType, payload: string | SpoolPayload, target: ByteText): void {
  const start = target.length;
  const body = start + RECORD_HEADER_BYTES;
  target.makeRoom(RECORD_HEADER_BYTES + 1);
  target.bytes[body] = type.charCodeAt(0);
  target.length = body + 1;
  try {
    if (typeof payload === 'string') target.utf8(payload);
    else payload.writeTo(target);
  } catch (error) {
    target.length = start;
    throw error;
  }
  // The buffer may be another one by now.
  const { bytes, length: end } = target;
  for (let index = 0; index < MAGIC.length; index += 1) bytes[start + index] = MAGIC[index] as number;
  bytes.writeUInt32LE(end - body, start + 4);
  bytes.writeUInt32LE(crc32(bytes.subarray(body, end)), start + 8);
}

/** Reads a whole segment. Never fails: what cannot be read is reported. */
export function decodeSegment(bytes: Buffer): SegmentContent {
  const records: SpoolRecord[] = [];
  const damages: SpoolDamage[] = [];
  let offset = 0;
  while (offset < bytes.length) {
    const end = recordEnd(bytes, offset);
    if (end !== undefined) {
      records.push(readRecord(bytes, offset, end));
      offset = end;
      continue;
    }
    const next = nextRecord(bytes, offset + 1);
    if (next === undefined) return { records, damages, tornBytes: bytes.length - offset };
    damages.push({ offset, bytes: Buffer.from(bytes.subarray(offset, next)) });
    offset = next;
  }
  return { records, damages, tornBytes: 0 };
}

function nextRecord(bytes: Buffer, from: number): number | undefined {
  for (let at = bytes.indexOf(MAGIC, from); at >= 0; at = bytes.indexOf(MAGIC, at + 1)) {
    if (recordEnd(bytes, at) !== undefined) return at;
  }
  return undefined;
}

/** There is no record where one should begin. */
export const DAMAGED = -1;
const MAGIC_WORD = MAGIC.readUInt32LE(0);

/**
 * End of the record at `at` of a spool that is being written, beyond `length` when it is incomplete; DAMAGED when there is none.
 * Its checksum is not checked: the bytes were never away from this machine's memory.
 */
export function recordEndAt(bytes: Buffer, at: number, length: number): number {
  if (at + RECORD_HEADER_BYTES >= length) return at + RECORD_HEADER_BYTES + 1;
  if (bytes.readUInt32LE(at) !== MAGIC_WORD) return DAMAGED;
  const body = bytes.readUInt32LE(at + 4);
  if (body < 1 || body > MAX_RECORD_BYTES) return DAMAGED;
  return typeOfRecordAt(bytes, at) === undefined ? DAMAGED : at + RECORD_HEADER_BYTES + body;
}

const TYPES_BY_CODE: ReadonlyMap<number, SpoolRecordType> = new Map(
  SPOOL_RECORD_TYPES.map((type) => [type.charCodeAt(0), type]),
);

/** Type of the record at `at`, whose payload follows behind it. */
export const typeOfRecordAt = (bytes: Buffer, at: number): SpoolRecordType | undefined =>
  TYPES_BY_CODE.get(bytes[at + RECORD_HEADER_BYTES] ?? 0);

/** End of the record at `offset`; undefined when there is no whole, undamaged record. */
function recordEnd(bytes: Buffer, offset: number): number | undefined {
  if (offset + RECORD_HEADER_BYTES > bytes.length) return undefined;
  if (MAGIC.compare(bytes, offset, offset + MAGIC.length) !== 0) return undefined;
  const length = bytes.readUInt32LE(offset + 4);
  const end = offset + RECORD_HEADER_BYTES + length;
  if (length < 1 || length > MAX_RECORD_BYTES || end > bytes.length) return undefined;
  const body = bytes.subarray(offset + RECORD_HEADER_BYTES, end);
  if (crc32(body) !== bytes.readUInt32LE(offset + 8)) return undefined;
  return typeOfRecordAt(bytes, offset) === undefined ? undefined : end;
}

function readRecord(bytes: Buffer, offset: number, end: number): SpoolRecord {
  const type = typeOfRecordAt(bytes, offset);
  if (type === undefined) throw new RangeError('not a record');
  return { type, payload: bytes.toString('utf8', offset + RECORD_HEADER_BYTES + 1, end) };
}

export const NOTHING = (): void => undefined;

/** Records that are written together. */
export interface Batch {
  readonly written: PromiseWithResolvers<void>;
  /** The same for records of calls that are over. */
  ended: PromiseWithResolvers<void> | null;
  readonly calls: string[];
  readonly actions: (() => void)[];
  readonly types: SpoolRecordType[];
  /** End of each record in the bytes of the batch. */
  readonly ends: number[];
}

/** Records that found no room and must not be lost. */
export interface LateRecords {
  readonly bytes: Buffer;
  readonly calls: readonly string[];
  readonly actions: readonly (() => void)[];
  readonly ended: PromiseWithResolvers<void> | null;
}

/** True for the charge of a call, or its release: the call has happened, and no refusal undoes it. */
export const isOfEndedCall = (type: SpoolRecordType): boolean => type === 'S' || type === 'R';

export function openBatch(): Batch {
  return { written: openPromise(), ended: null, calls: [], actions: [], types: [], ends: [] };
}

export function openPromise(): PromiseWithResolvers<void> {
  const opened = Promise.withResolvers<void>();
  // Not every caller waits: checkpoints come again, and callers that must know have their own promise.
  opened.promise.catch(NOTHING);
  return opened;
}

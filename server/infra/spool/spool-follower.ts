import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { DONE_SUFFIX, segmentName } from './spool-names.js';
import type { SpoolPosition } from './spool-progress.js';
import {
  DAMAGED,
  RECORD_HEADER_BYTES,
  recordEndAt,
  type SpoolRecordType,
  typeOfRecordAt,
} from './spool-record.js';

const FIRST_BUFFER_BYTES = 128 * 1024;

/** Bytes where a record should begin that are none: a fault of the disk. */
export class SpoolReadError extends Error {}

/**
 * Converts a record whose payload lies in `bytes` from `start` to `end`, and will be overwritten soon; undefined for records that
 * are not needed.
 */
export type ReadRecord<T> = (
  type: SpoolRecordType,
  bytes: Buffer,
  start: number,
  end: number,
) => T | undefined;

/** Reads a spool while it is being written, record after record, segment after segment. */
export class SpoolFollower<T> {
  private file: number | undefined;
  private segment: number;
  private offset: number;
  private buffer = Buffer.allocUnsafe(FIRST_BUFFER_BYTES);

  constructor(
    private readonly folder: string,
    private readonly readRecord: ReadRecord<T>,
    from: SpoolPosition,
  ) {
    this.segment = from.segment;
    this.offset = from.offsetBytes;
  }

  /** Behind the last record that `read` looked at. */
  get position(): SpoolPosition {
    return { segment: this.segment, offsetBytes: this.offset };
  }

  /**
   * Converted next records, `most` at the most; none when there are none yet.
   * @param until  position of the writer
   * Fails: SpoolReadError; the file system's error.
   */
  read(until: SpoolPosition, most: number): T[] {
    const records: T[] = [];
    while (records.length < most) {
      const isFinished = this.segment < until.segment;
      const bytes = this.fill(isFinished ? Number.POSITIVE_INFINITY : until.offsetBytes);
      if (bytes > 0) {
        const fault = this.take(bytes, records, most);
        // Records read before the damage are whole; the next call meets the damage again.
        if (fault !== undefined && records.length === 0) throw new SpoolReadError(fault);
        if (fault !== undefined) break;
      } else if (isFinished) this.nextSegment();
      else break;
    }
    return records;
  }

  close(): void {
    if (this.file !== undefined) closeSync(this.file);
    this.file = undefined;
  }

  /** Reads on from the offset. @returns bytes in the buffer */
  private fill(end: number): number {
    const wanted = Math.min(this.buffer.length, end - this.offset);
    if (wanted <= 0) return 0;
    this.file ??= this.open();
    return readSync(this.file, this.buffer, 0, wanted, this.offset);
  }

  /** @returns the fault behind the records taken, undefined when there is none */
  private take(bytes: number, records: T[], most: number): string | undefined {
    let at = 0;
    let fault: string | undefined;
    while (at < bytes && records.length < most) {
      const end = recordEndAt(this.buffer, at, bytes);
      if (end > bytes) {
        if (at === 0) fault = this.makeRoom(end);
        break;
      }
      fault = end === DAMAGED ? 'is damaged' : this.takeRecord(at, end, records);
      if (fault !== undefined) {
        fault = `segment ${this.segment} ${fault} at ${this.offset + at}`;
        break;
      }
      at = end;
    }
    this.offset += at;
    return fault;
  }

  private takeRecord(at: number, end: number, records: T[]): string | undefined {
    const type = typeOfRecordAt(this.buffer, at);
    if (type === undefined) return 'is damaged';
    try {
      const record = this.readRecord(type, this.buffer, at + RECORD_HEADER_BYTES + 1, end);
      if (record !== undefined) records.push(record);
      return undefined;
    } catch (error) {
      return `cannot be understood (${error instanceof Error ? error.name : 'unknown fault'})`;
    }
  }

  /** A record that does not fit is read again, whole, into a larger buffer. One that would fit is not all there. */
  private makeRoom(recordBytes: number): string | undefined {
    if (recordBytes <= this.buffer.length) return `segment ${this.segment} is cut off at ${this.offset}`;
    this.buffer = Buffer.allocUnsafe(recordBytes * 2);
    return undefined;
  }

  private nextSegment(): void {
    this.close();
    this.segment += 1;
    this.offset = 0;
  }

  /** A segment whose calls are all over was renamed already, perhaps before we came to it. */
  private open(): number {
    const path = join(this.folder, segmentName(this.segment));
    try {
      return openSync(path, 'r');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      return openSync(`${path}${DONE_SUFFIX}`, 'r');
    }
  }
}

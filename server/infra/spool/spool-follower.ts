import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { DONE_SUFFIX, segmentName } from './spool-names.js';
import type { SpoolPosition } from './spool-progress.js';
import { readRecordAt, type SpoolRecord, type SpoolRecordType } from './spool-record.js';

const FIRST_BUFFER_BYTES = 128 * 1024;

/** Bytes where a record should begin that are none: a fault of the disk. */
export class SpoolReadError extends Error {}

/** Reads a spool while it is being written, record after record, segment after segment. */
export class SpoolFollower {
  private file: number | undefined;
  private segment: number;
  private offset: number;
  private buffer = Buffer.allocUnsafe(FIRST_BUFFER_BYTES);

  constructor(
    private readonly folder: string,
    /** Records of other types are passed over unread. */
    private readonly types: ReadonlySet<SpoolRecordType>,
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
   * The next records, `most` at the most; none when there are none yet.
   * @param until  how far the writer has come
   * Fails: SpoolReadError; the file system's error.
   */
  read(until: SpoolPosition, most: number): SpoolRecord[] {
    const records: SpoolRecord[] = [];
    while (records.length < most) {
      const isFinished = this.segment < until.segment;
      const bytes = this.fill(isFinished ? Number.POSITIVE_INFINITY : until.offsetBytes);
      if (bytes > 0) {
        const fault = this.take(bytes, records, most);
        // What was read before the damage is whole; the damage is met again by the next call.
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

  /** @returns what is wrong behind the records taken, undefined when nothing is */
  private take(bytes: number, records: SpoolRecord[], most: number): string | undefined {
    let at = 0;
    let fault: string | undefined;
    while (at < bytes && records.length < most) {
      const found = readRecordAt(this.buffer, at, bytes, this.types);
      if (found === 'damaged') {
        fault = `segment ${this.segment} is damaged at ${this.offset + at}`;
        break;
      }
      if (found.end > bytes) {
        if (at === 0) fault = this.makeRoom(found.end);
        break;
      }
      if (found.record !== undefined) records.push(found.record);
      at = found.end;
    }
    this.offset += at;
    return fault;
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

import {
  closeSync,
  fdatasync,
  fdatasyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  renameSync,
  statfsSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../common/clock.js';
import { ByteText } from '../../common/byte-text.js';
import { writeSpoolOwner } from './spool-owner.js';
import { quarantineFile } from './quarantine.js';
import { nameInstallation } from './spool-installation.js';
import { DONE_SUFFIX, segmentName } from './spool-names.js';
import { SpoolProgress } from './spool-progress.js';
import {
  encodeRecord,
  type SpoolPayload,
  type SpoolRecordType,
  type Batch,
  isOfEndedCall,
  type LateRecords,
  NOTHING,
  openBatch,
  openPromise,
} from './spool-record.js';
import { SpoolReserve } from './spool-reserve.js';

export interface SpoolSettings {
  /** Folder of all spools of this DATA_DIR. */
  readonly root: string;
  readonly bootId: string;
  readonly clock: Clock;
  /** Space that must stay free for calls that are already running. */
  readonly reserveBytes?: number;
  readonly segmentBytes?: number;
  /** Called with faults that no caller waits for: a sync or a rename that failed, a full disk. */
  readonly onFault: (message: string, error: unknown) => void;
}

const DEFAULT_RESERVE_BYTES = 64 * 1024 * 1024;
const DEFAULT_SEGMENT_BYTES = 8 * 1024 * 1024;
const SYNC_EVERY_MS = 50;
/** Longest delay of records that no caller waits for. */
const NOTE_WITHIN_MS = 20;
const SPACE_CHECK_EVERY_MS = 1_000;
const FIRST_SCRATCH_BYTES = 64 * 1024;
const HEADING_BYTES = 128;

/** The spool cannot take records: no paid call may go upstream. */
export class SpoolFullError extends Error {}

/**
 * Append-only journal of one worker. The records of one turn of the event loop are written together, by one system call; a record
 * is in the kernel's hands when its `append` resolves, so it survives the death of the process. A sync every 50 ms bounds what a
 * power loss can take. Segments are finished in order, once every call that first appeared in them is completed.
 */
export class Spool {
  readonly folder: string;
  /** For the thread that follows this spool. */
  readonly progress = new SpoolProgress();
  private readonly segmentBytes: number;
  private readonly reserve: SpoolReserve;
  /** Records that wait to be written, and whose they are. */
  private readonly waiting = new ByteText(FIRST_SCRATCH_BYTES);
  private batch: Batch | null = null;
  private late: LateRecords[] = [];
  /** The batch is written at the end of this turn. */
  private isFlushSet = false;
  private isNoteDue = false;
  private file: number;
  private sizeBytes = 0;
  /** First record of every segment; empty = their installation is not recorded. */
  private heading = Buffer.alloc(0);
  private segment = 1;
  private oldest = 1;
  /** Call → segment of its first record. */
  private readonly open = new Map<string, number>();
  /** Segment → calls that are not completed. */
  private readonly openPerSegment = new Map<number, number>();
  private hasSpace = true;
  private isDirty = false;
  private isSyncing = false;
  private isClosed = false;
  private stopSpaceCheck: () => void = () => undefined;

  constructor(private readonly settings: SpoolSettings) {
    this.segmentBytes = settings.segmentBytes ?? DEFAULT_SEGMENT_BYTES;
    this.folder = join(settings.root, settings.bootId);
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    writeSpoolOwner(this.folder);
    this.file = this.openSegment();
    this.reserve = new SpoolReserve(
      settings.root,
      settings.reserveBytes ?? DEFAULT_RESERVE_BYTES,
      settings.onFault,
    );
    this.checkSpace();
  }

  /** Says of which installation the segments are. Before anything is written. */
  nameSegments(installation: string): void {
    const text = new ByteText(HEADING_BYTES);
    encodeRecord('C', nameInstallation(installation), text);
    this.heading = Buffer.from(text.bytes.subarray(0, text.length));
  }

  /** False = new paid calls are refused; running ones still find room in the reserve. */
  get isAccepting(): boolean {
    return this.hasSpace && !this.isClosed;
  }

  /** Calls written down and not completed. */
  get openCalls(): number {
    return this.open.size;
  }

  /**
   * @param onWritten  called in the order of the records, before the promise resolves
   * @returns a promise for the moment the record is written; it need not be waited for
   * Fails: SpoolFullError when it could not be written; nothing of it is left behind. The records of a call that is over are kept and
   * written as soon as there is room.
   */
  append(
    type: SpoolRecordType,
    callId: string,
    payload: string | SpoolPayload,
    onWritten: () => void = NOTHING,
  ): Promise<void> {
    if (this.isClosed) return refuse(new SpoolFullError('the spool is closed'));
    const batch = this.put(type, callId, payload, onWritten);
    if (!this.isFlushSet) {
      this.isFlushSet = true;
      setImmediate(this.flush);
    }
    return isOfEndedCall(type) ? (batch.ended ??= openPromise()).promise : batch.written.promise;
  }

  /**
   * Like `append`, for records no caller waits for: written with the next record of a waiting caller, or soon. Of a thousand
   * streams each second's usage would otherwise be a thousand writes.
   */
  note(type: SpoolRecordType, callId: string, payload: string | SpoolPayload): void {
    if (this.isClosed) return;
    this.put(type, callId, payload, NOTHING);
    if (this.isFlushSet || this.isNoteDue) return;
    this.isNoteDue = true;
    this.settings.clock.after(NOTE_WITHIN_MS, () => {
      this.isNoteDue = false;
      this.flush();
    });
  }

  /** Writes everything that waits, now. */
  readonly flush = (): void => {
    const { batch } = this;
    this.isFlushSet = false;
    if (batch === null) return;
    const bytes = this.waiting.bytes.subarray(0, this.waiting.length);
    this.batch = null;
    this.waiting.length = 0;
    // In the order they came.
    if (this.late.length > 0) this.writeLate();
    try {
      this.write(bytes);
    } catch (error) {
      this.keepLate(batch, bytes);
      batch.written.reject(error);
      return;
    }
    this.onWritten(batch);
    batch.written.resolve();
  };

  private onWritten({ calls, actions, ended }: LateRecords | Batch): void {
    this.progress.publish(this.segment, this.sizeBytes);
    for (const callId of calls) this.remember(callId);
    for (const action of actions) action();
    ended?.resolve();
    if (this.sizeBytes >= this.segmentBytes) this.rotate();
    else this.scheduleSync();
  }

  private keepLate({ ended, calls, actions, types, ends }: Batch, bytes: Buffer): void {
    const kept = types.flatMap((type, index) => (isOfEndedCall(type) ? [index] : []));
    if (kept.length === 0) return;
    this.late.push({
      // A copy: the bytes are those of a buffer that is written again.
      bytes: Buffer.concat(kept.map((index) => bytes.subarray(ends[index - 1] ?? 0, ends[index]))),
      calls: kept.map((index) => calls[index] ?? ''),
      actions: kept.map((index) => actions[index] ?? NOTHING),
      ended,
    });
  }

  private writeLate(): void {
    for (let records = this.late[0]; records !== undefined; records = this.late[0]) {
      try {
        this.write(records.bytes);
      } catch {
        return; // Said by `write`; tried again with the next records, or at the next look at the disk.
      }
      this.late.shift();
      this.onWritten(records);
    }
  }

  /** The call is booked, or known to cost nothing: recovery need not read it again. */
  complete(callId: string): void {
    const segment = this.open.get(callId);
    if (segment === undefined) return;
    this.open.delete(callId);
    const left = (this.openPerSegment.get(segment) ?? 1) - 1;
    if (left > 0) this.openPerSegment.set(segment, left);
    else {
      this.openPerSegment.delete(segment);
      this.finishSegments();
    }
  }

  /**
   * Ends writing. With every call completed the folder is marked as done; otherwise the next start reads it.
   * @returns a promise for the moment the reserve is not written any more either
   */
  close(): Promise<void> {
    if (this.isClosed) return this.reserve.close();
    this.flush();
    this.writeLate();
    this.isClosed = true;
    this.stopSpaceCheck();
    fdatasyncSync(this.file);
    closeSync(this.file);
    if (this.open.size === 0) renameSync(this.folder, `${this.folder}${DONE_SUFFIX}`);
    return this.reserve.close();
  }

  private put(
    type: SpoolRecordType,
    callId: string,
    payload: string | SpoolPayload,
    onWritten: () => void,
  ): Batch {
    encodeRecord(type, payload, this.waiting);
    const batch = (this.batch ??= openBatch());
    batch.calls.push(callId);
    batch.actions.push(onWritten);
    batch.types.push(type);
    batch.ends.push(this.waiting.length);
    return batch;
  }

  private remember(callId: string): void {
    if (this.open.has(callId)) return;
    this.open.set(callId, this.segment);
    this.openPerSegment.set(this.segment, (this.openPerSegment.get(this.segment) ?? 0) + 1);
  }

  private write(bytes: Buffer): void {
    try {
      this.writeAll(bytes);
    } catch (error) {
      this.hasSpace = false;
      this.settings.onFault('the spool could not be written; the reserve is used up now', error);
      // The reserve exists for this record: the call is running and will have cost something. Another worker may have given it up.
      this.reserve.release();
      try {
        this.writeAll(bytes);
      } catch (cause) {
        throw new SpoolFullError('the spool could not be written', { cause });
      }
    }
  }

  private writeAll(records: Buffer): void {
    const bytes = this.sizeBytes === 0 ? Buffer.concat([this.heading, records]) : records;
    let written = 0;
    try {
      while (written < bytes.length) written += writeSync(this.file, bytes, written, bytes.length - written);
    } catch (error) {
      if (written > 0) ftruncateSync(this.file, this.sizeBytes);
      throw error;
    }
    this.sizeBytes += written;
    this.isDirty = true;
  }

  private openSegment(): number {
    const path = join(this.folder, segmentName(this.segment));
    try {
      return openSync(path, 'ax', 0o600);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      // No other process writes here: the file was put there from outside, and only our own records may be read.
      const name = `${this.settings.bootId}-${segmentName(this.segment)}`;
      quarantineFile(this.settings.root, name, path);
      this.settings.onFault(
        `a segment that is not this worker's lay in its spool; it is in quarantine as ${name}`,
        undefined,
      );
      return openSync(path, 'ax', 0o600);
    }
  }

  private rotate(): void {
    const finished = this.file;
    this.segment += 1;
    this.sizeBytes = 0;
    this.file = this.openSegment();
    this.isDirty = false;
    fdatasync(finished, (error) => {
      if (error !== null) this.settings.onFault('a spool segment could not be synced', error);
      closeSync(finished);
    });
    this.finishSegments();
  }

  /** In order only: a later segment may hold the end of a call that an earlier one began. */
  private finishSegments(): void {
    while (this.oldest < this.segment && !this.openPerSegment.has(this.oldest)) {
      const path = join(this.folder, segmentName(this.oldest));
      try {
        renameSync(path, `${path}${DONE_SUFFIX}`);
      } catch (error) {
        // It will be read again after a crash, which changes nothing: booking is idempotent.
        this.settings.onFault('a finished spool segment could not be renamed', error);
      }
      this.oldest += 1;
    }
  }

  private scheduleSync(): void {
    if (this.isSyncing || !this.isDirty) return;
    this.isSyncing = true;
    this.settings.clock.after(SYNC_EVERY_MS, () => {
      this.isSyncing = false;
      if (this.isClosed || !this.isDirty) return;
      this.isDirty = false;
      fdatasync(this.file, (error) => {
        // EBADF: the segment was rotated away meanwhile and is synced by the rotation.
        if (error !== null && error.code !== 'EBADF')
          this.settings.onFault('the spool could not be synced', error);
      });
    });
  }

  private checkSpace(): void {
    this.stopSpaceCheck = this.settings.clock.after(SPACE_CHECK_EVERY_MS, () => {
      if (this.isClosed) return;
      try {
        this.writeLate();
        this.hasSpace =
          this.late.length === 0 && this.reserve.isWhole() && this.freeBytes() > this.segmentBytes;
      } catch (error) {
        if (this.hasSpace) this.settings.onFault('the disk of the spool cannot be looked at', error);
        this.hasSpace = false;
      }
      this.checkSpace();
    });
  }

  private freeBytes(): number {
    const { bavail, bsize } = statfsSync(this.settings.root);
    return bavail * bsize;
  }
}

/** Rejected for callers that wait; without one a late record is no reason to end the process. */
function refuse(error: SpoolFullError): Promise<never> {
  const refused = Promise.reject<never>(error);
  refused.catch(NOTHING);
  return refused;
}

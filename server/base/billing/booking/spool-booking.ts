import { SpoolFollower } from '../../../infra/spool/spool-follower.js';
import type { SpoolPosition, SpoolProgress } from '../../../infra/spool/spool-progress.js';
import type { SpoolRecordType } from '../../../infra/spool/spool-record.js';
import type { BatchBooker } from './batch-booker.js';
import type { PoolChanges } from './book-settlements.js';
import { SettlementReader } from '../records/settlement-text.js';
import type { BookingRecord, ReleaseDocument } from '../records/spool-documents.js';

/** Rows of one batch share the pages they change: 500 together cost half of what 100 and 100 do. */
const MAX_BATCH = 500;
/** A transaction costs the same for one row as for fifty: a trickle waits this long for company. */
const GATHER_MS = 100;
/**
 * A batch holds the rows of its accounts until it is committed, and what calls need of them waits: where a batch takes long, because
 * the database or the machine is busy or other workers book the same accounts, the next one waits this many times as long.
 */
const BREATH_FACTOR = 2;
const MAX_BREATH_MS = 500;
const FIRST_RETRY_MS = 100;
const MAX_RETRY_MS = 2_000;

export interface BookedBatch {
  readonly followed: number;
  readonly recovered: number;
  readonly position: SpoolPosition;
  readonly news: PoolChanges;
}

/** Follows a spool and books what it reads, batch after batch, for ever: the work of the booking thread. */
export class SpoolBooking {
  private readonly follower: SpoolFollower<BookingRecord>;
  private readonly recovered: BookingRecord[] = [];
  private timer: NodeJS.Timeout | undefined;
  private isWorking = false;
  private isFlushing = false;
  private isStopped = false;
  private retryMs = FIRST_RETRY_MS;
  /** Read and not booked: the database is away. */
  private unbooked: BookingRecord[] = [];

  constructor(
    private readonly ports: {
      readonly progress: SpoolProgress;
      readonly booker: BatchBooker;
      readonly spoolFolder: string;
      readonly from: SpoolPosition;
      readonly onBooked: (batch: BookedBatch) => void;
      readonly onFault: (message: string, error: unknown) => void;
    },
  ) {
    const settlements = new SettlementReader();
    this.follower = new SpoolFollower(
      ports.spoolFolder,
      (type, bytes, start, end) => toBooking(settlements, type, bytes, start, end),
      ports.from,
    );
  }

  /** There is something new to read. */
  wake(): void {
    if (!this.isWorking && this.timer === undefined && !this.isStopped) this.schedule(GATHER_MS);
  }

  /** Books what there is without waiting for company. */
  flushNow(): void {
    this.isFlushing = true;
    if (this.isWorking || this.isStopped) return;
    clearTimeout(this.timer);
    this.schedule(0);
  }

  book(record: BookingRecord): void {
    this.recovered.push(record);
    this.wake();
  }

  stop(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
    this.follower.close();
  }

  private schedule(delayMs: number): void {
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.isWorking = true;
      void this.turn().then((pauseMs) => {
        this.isWorking = false;
        if (pauseMs !== undefined && !this.isStopped) this.schedule(pauseMs);
      });
    }, delayMs);
  }

  /** One batch. Never fails. @returns when to look again, undefined = when woken */
  private async turn(): Promise<number | undefined> {
    try {
      const recovered = this.recovered.slice(0, MAX_BATCH);
      const followed = this.follow(MAX_BATCH - recovered.length);
      const batch = [...recovered, ...followed];
      if (batch.length === 0) return this.rest();
      const startedAtMs = performance.now();
      const news = await this.ports.booker.book(batch);
      const tookMs = performance.now() - startedAtMs;
      if (news === undefined) return this.retryLater();
      this.retryMs = FIRST_RETRY_MS;
      this.recovered.splice(0, recovered.length);
      this.unbooked = [];
      const { position } = this.follower;
      this.ports.onBooked({ followed: followed.length, recovered: recovered.length, position, news });
      if (this.isFlushing || batch.length === MAX_BATCH) return 0;
      return Math.max(GATHER_MS, Math.min(MAX_BREATH_MS, tookMs * BREATH_FACTOR));
    } catch (error) {
      this.ports.onFault('the spool could not be followed; what it holds stays there', error);
      return this.retryLater();
    }
  }

  private follow(most: number): BookingRecord[] {
    if (this.unbooked.length > 0) return this.unbooked;
    const { progress } = this.ports;
    while (this.unbooked.length < most) {
      const records = this.follower.read(progress.read(), most - this.unbooked.length);
      if (records.length === 0) break;
      this.unbooked.push(...records);
    }
    return this.unbooked;
  }

  private rest(): number | undefined {
    const { progress } = this.ports;
    this.isFlushing = false;
    progress.fallAsleep();
    const { segment, offsetBytes } = progress.read();
    const own = this.follower.position;
    if (segment === own.segment ? offsetBytes <= own.offsetBytes : segment < own.segment) return undefined;
    // A record came in between and sends no further wake-up.
    progress.wakeUp();
    return GATHER_MS;
  }

  private retryLater(): number {
    const pauseMs = this.retryMs;
    this.retryMs = Math.min(pauseMs * 2, MAX_RETRY_MS);
    return pauseMs;
  }
}

/** Undefined for records without rows in SQL: a call in progress, and the end of a pool hold that cost nothing and counts under no limit. */
function toBooking(
  settlements: SettlementReader,
  type: SpoolRecordType,
  bytes: Buffer,
  start: number,
  end: number,
): BookingRecord | undefined {
  if (type === 'S') return { type, document: settlements.read(bytes, start, end) };
  if (type !== 'R') return undefined;
  const document = JSON.parse(bytes.toString('utf8', start, end)) as ReleaseDocument;
  return document.hold.kind === 'call' || document.was_sent === true ? { type, document } : undefined;
}

import type { DataSource } from 'typeorm';
import { dialectOf } from '../../infra/database/data-source.js';
import { runInTransaction } from '../../infra/database/run-in-transaction.js';
import type { SharedStore } from '../../infra/shared-store/shared-store.js';
import type { Clock } from '../../relay-core/ports/clock.js';
import { addHourlyUse, insertLogs } from './book-logs.js';
import { bookSettlements, type BookingRecord, type BookingResult } from './book-settlements.js';
import { isBadRecord } from './is-bad-record.js';

export interface FlusherOptions {
  readonly logConsumption: boolean;
  readonly hourlyFigures: boolean;
}

/** Smaller batches cost more per row, larger ones keep a connection and its locks for too long. */
const MAX_BATCH = 500;
/** SQLite works in this very thread: a batch is a pause for everybody, 10 ms of it when it is full. */
const MAX_BATCH_IN_PROCESS = 250;
/** A transaction costs the same for one row as for fifty (design/money: at most 100 ms). */
const FLUSH_EVERY_MS = 100;
const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 2_000;
/** Calls that may wait for a database that is away; then paid work is refused. */
const MAX_BACKLOG = 50_000;

/**
 * Books what the spool holds, in batches, one transaction each. A batch that fails is tried again until it is booked; a record
 * that can never be booked is set aside for a person. Booking twice changes nothing, so an unknown commit needs no special case.
 */
export class SettlementFlusher {
  private queue: BookingRecord[] = [];
  private stopTimer: (() => void) | undefined;
  private working: Promise<void> | undefined;
  private retryMs = FIRST_RETRY_MS;
  private idle: (() => void)[] = [];
  private isStopped = false;
  private readonly maxBatch: number;

  constructor(
    private readonly ports: {
      readonly dataSource: DataSource;
      readonly logDataSource: DataSource;
      readonly store: SharedStore;
      readonly clock: Clock;
      readonly options: () => FlusherOptions;
      /** The records are in the database: their spool segments may go. */
      readonly onBooked: (records: readonly BookingRecord[]) => void;
      /** A record nobody can book: keep it for a person. */
      readonly onBadRecord: (record: BookingRecord, error: unknown) => void;
      readonly onFault: (message: string, error: unknown) => void;
    },
  ) {
    this.maxBatch = dialectOf(ports.dataSource) === 'sqlite' ? MAX_BATCH_IN_PROCESS : MAX_BATCH;
  }

  get backlog(): number {
    return this.queue.length;
  }

  /** True when new paid calls would pile up: the database has been away for long. */
  get isBacklogged(): boolean {
    return this.queue.length >= MAX_BACKLOG;
  }

  enqueue(record: BookingRecord): void {
    this.queue.push(record);
    if (this.queue.length >= this.maxBatch) this.start();
    else this.schedule(FLUSH_EVERY_MS);
  }

  /** Books everything that waits. @returns false when `withinMs` was not enough */
  async drain(withinMs: number): Promise<boolean> {
    this.start();
    if (this.queue.length === 0 && this.working === undefined) return true;
    return new Promise((resolve) => {
      const stop = this.ports.clock.after(withinMs, () => resolve(false));
      this.idle.push(() => {
        stop();
        resolve(true);
      });
    });
  }

  stop(): void {
    this.isStopped = true;
    this.stopTimer?.();
  }

  private schedule(delayMs: number): void {
    if (this.isStopped) return;
    this.stopTimer ??= this.ports.clock.after(delayMs, () => {
      this.stopTimer = undefined;
      this.start();
    });
  }

  private start(): void {
    if (this.working !== undefined || this.queue.length === 0 || this.isStopped) return;
    this.stopTimer?.();
    this.stopTimer = undefined;
    this.working = this.work().finally(() => {
      this.working = undefined;
      if (this.queue.length === 0) for (const tell of this.idle.splice(0)) tell();
      else if (this.stopTimer === undefined)
        this.schedule(this.queue.length >= this.maxBatch ? 0 : FLUSH_EVERY_MS);
    });
  }

  private async work(): Promise<void> {
    while (this.queue.length > 0 && !this.isStopped) {
      const batch = this.queue.slice(0, this.maxBatch);
      const isDone = await this.bookOrSplit(batch);
      if (!isDone) {
        this.schedule(this.retryMs);
        this.retryMs = Math.min(this.retryMs * 2, LONGEST_RETRY_MS);
        return;
      }
      this.retryMs = FIRST_RETRY_MS;
      this.queue = this.queue.slice(batch.length);
      // A burst is booked batch after batch; a trickle waits for company.
      if (this.queue.length < this.maxBatch) return;
      // SQLite answers without leaving the turn: let those in who wait for it.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** @returns false when the database could not be reached: the batch stays */
  private async bookOrSplit(batch: readonly BookingRecord[]): Promise<boolean> {
    try {
      await this.book(batch);
      this.ports.onBooked(batch);
      return true;
    } catch (error) {
      if (!isBadRecord(error)) {
        this.ports.onFault('settlements could not be booked; they stay in the spool', error);
        return false;
      }
      if (batch.length === 1 && batch[0] !== undefined) {
        this.ports.onBadRecord(batch[0], error);
        this.ports.onBooked(batch);
        return true;
      }
    }
    for (const record of batch) if (!(await this.bookOrSplit([record]))) return false;
    return true;
  }

  private async book(batch: readonly BookingRecord[]): Promise<void> {
    const { dataSource, logDataSource, clock } = this.ports;
    const options = this.ports.options();
    const hasOwnLogs = logDataSource !== dataSource;
    const result = await runInTransaction(dataSource, async (manager) => {
      const booking = await bookSettlements(manager, batch, clock.nowMs());
      if (options.hourlyFigures) await addHourlyUse(manager, booking.booked);
      if (options.logConsumption && !hasOwnLogs) await insertLogs(manager, booking.booked);
      return booking;
    });
    if (options.logConsumption && hasOwnLogs) await this.bookOwnLogs(batch, result);
    if (result.writeoff > 0)
      this.ports.onFault(`${result.writeoff} quota written off: balances were too small`, undefined);
    await this.debit(result);
  }

  /** A replayed batch has no new settlements, but its log rows may be missing: they are written by call id, once. */
  private async bookOwnLogs(batch: readonly BookingRecord[], result: BookingResult): Promise<void> {
    const fresh = new Set(result.booked.map((entry) => entry.document.request_id));
    const rest = batch.flatMap((record) =>
      record.type === 'S' && !fresh.has(record.document.request_id)
        ? [{ document: record.document, json: record.json, charged: record.document.priced }]
        : [],
    );
    await runInTransaction(this.ports.logDataSource, (manager) =>
      insertLogs(manager, [...result.booked, ...rest]),
    );
  }

  private async debit(result: BookingResult): Promise<void> {
    for (const { pool, amount, reservationId } of result.debits) {
      try {
        await this.ports.store.pools.debit(pool, amount, reservationId);
      } catch (error) {
        // The pool believes it has more than SQL holds until its epoch ends; a later charge is written off, never wrong.
        this.ports.onFault('a pool could not be told of an extra charge', error);
      }
    }
  }
}

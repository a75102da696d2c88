import type { SqlStore } from '../../../infra/database/sql-store.js';
import type { SharedStore } from '../../../infra/shared-store/shared-store.js';
import type { Clock } from '../../../common/clock.js';
import { BatchBooker } from './batch-booker.js';
import type { BookingOptions } from './booking-options.js';
import { type BookedCall, callOf, applyToPools, SettlementFlusher } from './settlement-flusher.js';
import type { BookingRecord } from '../records/spool-documents.js';

/** Smaller batches cost more per row, larger ones keep a connection and its locks for too long. */
const MAX_BATCH = 500;
/** SQLite runs in this thread: a full batch pauses all calls for 10 ms. */
const MAX_BATCH_IN_PROCESS = 250;
/** A transaction costs the same for one row as for fifty; a record waits at most this long. */
const FLUSH_EVERY_MS = 100;
const FIRST_RETRY_MS = 100;
const MAX_RETRY_MS = 2_000;

/** Books in this thread, over connections that others use as well: for databases in memory, and for tests. */
export class LocalFlusher extends SettlementFlusher {
  private queue: BookingRecord[] = [];
  private stopTimer: (() => void) | undefined;
  private working: Promise<void> | undefined;
  private retryMs = FIRST_RETRY_MS;
  private isStopped = false;
  private readonly maxBatch: number;
  private readonly booker: BatchBooker;

  constructor(
    private readonly ports: {
      readonly sqlStore: SqlStore;
      readonly sqlLogStore: SqlStore;
      readonly store: SharedStore;
      readonly clock: Clock;
      readonly options: () => BookingOptions;
      readonly onBooked: (calls: readonly BookedCall[]) => void;
      readonly onBadRecord: (record: BookingRecord, error: unknown) => void;
      readonly onFault: (message: string, error: unknown) => void;
    },
  ) {
    super();
    const { sqlStore, sqlLogStore, clock, options, onBadRecord, onFault } = ports;
    this.maxBatch = sqlStore.dialect === 'sqlite' ? MAX_BATCH_IN_PROCESS : MAX_BATCH;
    this.booker = new BatchBooker({
      store: sqlStore,
      logStore: sqlLogStore,
      options,
      onBadRecord,
      onFault,
      nowMs: () => clock.nowMs(),
      onWrittenOff: (quota) => {
        this.writtenOffQuota += quota;
      },
      applyDebits: (debits) => applyToPools(ports.store, { debits, voided: [] }, onFault),
    });
  }

  get backlog(): number {
    return this.queue.length;
  }

  get oldestSettledAtMs(): number | undefined {
    const [first] = this.queue;
    return first === undefined ? undefined : callOf(first).settledAtMs;
  }

  enqueue(record: BookingRecord): void {
    if (record.isRecovered === true && record.type === 'S') this.recoveredCalls += 1;
    this.queue.push(record);
    if (this.queue.length >= this.maxBatch) this.start();
    else this.schedule(FLUSH_EVERY_MS);
  }

  drain(withinMs: number): Promise<boolean> {
    this.start();
    return this.whenIdle((delayMs, action) => this.ports.clock.after(delayMs, action), withinMs);
  }

  stop(): Promise<void> {
    this.isStopped = true;
    this.stopTimer?.();
    return Promise.resolve();
  }

  protected override get isIdle(): boolean {
    return this.queue.length === 0 && this.working === undefined;
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
      if (this.queue.length === 0) this.notifyIdle();
      else if (this.stopTimer === undefined)
        this.schedule(this.queue.length >= this.maxBatch ? 0 : FLUSH_EVERY_MS);
    });
  }

  private async work(): Promise<void> {
    while (this.queue.length > 0 && !this.isStopped) {
      const batch = this.queue.slice(0, this.maxBatch);
      const news = await this.booker.book(batch);
      if (news === undefined) {
        this.schedule(this.retryMs);
        this.retryMs = Math.min(this.retryMs * 2, MAX_RETRY_MS);
        return;
      }
      await applyToPools(this.ports.store, news, this.ports.onFault);
      const booked = batch.filter((record) => record.isRecovered !== true).map(callOf);
      this.noteLags(booked, this.ports.clock.nowMs());
      this.ports.onBooked(booked);
      this.retryMs = FIRST_RETRY_MS;
      this.queue = this.queue.slice(batch.length);
      // A burst is booked batch after batch; a trickle waits for company.
      if (this.queue.length < this.maxBatch) return;
      // SQLite answers without leaving the turn: let those in who wait for it.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

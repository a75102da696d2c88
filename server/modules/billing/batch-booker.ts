import type { SqlStore } from '../../infra/database/sql-store.js';
import { addHourlyUse, insertLogs } from './book-logs.js';
import {
  bookSettlements,
  type BookingRecord,
  type BookingResult,
  type PoolNews,
} from './book-settlements.js';
import { isBadRecord } from './is-bad-record.js';

export interface BookingOptions {
  readonly logConsumption: boolean;
  readonly hourlyFigures: boolean;
}

const NOTHING: PoolNews = { debits: [], voided: [] };

/**
 * Books batches, one transaction each. A record that can never be booked is set aside for a person. Booking twice changes
 * nothing, so an unknown commit needs no special case.
 */
export class BatchBooker {
  constructor(
    private readonly ports: {
      readonly store: SqlStore;
      /** The same as `store` unless the logs live in a database of their own. */
      readonly logStore: SqlStore;
      readonly nowMs: () => number;
      readonly options: () => BookingOptions;
      /** A record nobody can book: keep it for a person. */
      readonly onBadRecord: (record: BookingRecord, error: unknown) => void;
      readonly onWrittenOff: (quota: number) => void;
      readonly onFault: (message: string, error: unknown) => void;
    },
  ) {}

  /**
   * Never fails.
   * @returns what the pools of the shared store must still be told; undefined when the database could not be reached: the
   *   batch must be tried again
   */
  async book(batch: readonly BookingRecord[]): Promise<PoolNews | undefined> {
    try {
      return await this.bookAll(batch);
    } catch (error) {
      if (!isBadRecord(error)) {
        this.ports.onFault('settlements could not be booked; they stay in the spool', error);
        return undefined;
      }
      const [only] = batch;
      if (batch.length === 1 && only !== undefined) {
        this.ports.onBadRecord(only, error);
        return NOTHING;
      }
    }
    const debits: PoolNews['debits'][number][] = [];
    const voided: PoolNews['voided'][number][] = [];
    for (const record of batch) {
      const more = await this.book([record]);
      if (more === undefined) return undefined;
      debits.push(...more.debits);
      voided.push(...more.voided);
    }
    return { debits, voided };
  }

  private async bookAll(batch: readonly BookingRecord[]): Promise<PoolNews> {
    const { store, logStore, nowMs } = this.ports;
    const options = this.ports.options();
    const hasOwnLogs = logStore !== store;
    const result = await store.transaction(async (session) => {
      const booking = await bookSettlements(session, batch, nowMs());
      if (options.hourlyFigures) await addHourlyUse(session, booking.booked);
      if (options.logConsumption && !hasOwnLogs) await insertLogs(session, booking.booked);
      return booking;
    });
    if (options.logConsumption && hasOwnLogs) await this.bookOwnLogs(batch, result);
    if (result.writeoff > 0) {
      this.ports.onWrittenOff(result.writeoff);
      this.ports.onFault(`${result.writeoff} quota written off: balances were too small`, undefined);
    }
    return { debits: result.debits, voided: result.voided };
  }

  /** A replayed batch has no new settlements, but its log rows may be missing: they are written by call id, once. */
  private async bookOwnLogs(batch: readonly BookingRecord[], result: BookingResult): Promise<void> {
    const fresh = new Set(result.booked.map((entry) => entry.document.request_id));
    const rest = batch.flatMap((record) =>
      record.type === 'S' && !fresh.has(record.document.request_id)
        ? [{ document: record.document, charged: record.document.priced }]
        : [],
    );
    await this.ports.logStore.transaction((session) => insertLogs(session, [...result.booked, ...rest]));
  }
}

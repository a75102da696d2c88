import type { SqlStore } from '../../../infra/database/sql-store.js';
import { insertLogs } from './book-logs.js';
import {
  addToSharedRows,
  type BookingResult,
  bookSettlements,
  type PoolChanges,
} from './book-settlements.js';
import type { BookedCharge, PoolDebit } from './batch-totals.js';
import type { BookingOptions } from './booking-options.js';
import { readExisting } from './booking-state.js';
import { isDuplicateKey, isRejectedRow } from '../../../infra/database/database-faults.js';
import { keepSnapshots, snapshotId } from '../ledger/price-snapshots.js';
import type { BookingRecord } from '../records/spool-documents.js';
import { BookingError } from '../ledger/record-owner.js';

/** MySQL and MariaDB: value too long, out of range, wrong type, null, failed check, broken reference. */

const MAX_KNOWN_PRICES = 1_000;
const NOTHING: PoolChanges = { debits: [], voided: [] };

/**
 * Books batches, one transaction each. A record that can never be booked is set aside for a person. Booking twice changes
 * nothing, so an unknown commit needs no special case.
 */
export class BatchBooker {
  /** Debits applied in the store for a try whose commit failed, or is unknown; by call. */
  private readonly appliedDebits = new Map<string, PoolDebit>();
  /**
   * Calls of a batch may be booked already: they are looked up first. True from the start, since a worker that died may have got
   * further than it wrote down, until a batch had none; and again when the database knew one.
   */
  private mayBeBooked = true;
  /** Names of prices that are in the database. */
  private readonly knownPrices = new Set<string>();

  constructor(
    private readonly ports: {
      readonly store: SqlStore;
      /** The same as `store` unless the logs live in a database of their own. */
      readonly logStore: SqlStore;
      readonly nowMs: () => number;
      readonly options: () => BookingOptions;
      /** Receives a record that can never be booked. */
      readonly onBadRecord: (record: BookingRecord, error: unknown) => void;
      readonly onWrittenOff: (quota: number) => void;
      /**
       * Applies debits in the store before they are committed: a worker that dies right after its commit must not leave a pool with
       * more than SQL has set aside. Never fails.
       */
      readonly applyDebits: (debits: readonly PoolDebit[]) => Promise<void>;
      readonly onFault: (message: string, error: unknown) => void;
    },
  ) {}

  /**
   * Never fails.
   * @returns changes the pools of the shared store still need; undefined when the database could not be reached: the batch
   *   must be tried again
   */
  async book(batch: readonly BookingRecord[]): Promise<PoolChanges | undefined> {
    try {
      return await this.bookAll(batch);
    } catch (error) {
      if (!isBadRecord(error)) {
        this.ports.onFault('settlements could not be booked; they stay in the spool', error);
        return undefined;
      }
      const [only] = batch;
      if (batch.length === 1 && only !== undefined) {
        // Debits already applied in the store return with the pool's epoch.
        this.appliedDebits.delete(only.document.request_id);
        this.ports.onBadRecord(only, error);
        return NOTHING;
      }
    }
    const debits: PoolChanges['debits'][number][] = [];
    const voided: PoolChanges['voided'][number][] = [];
    for (const record of batch) {
      const more = await this.book([record]);
      if (more === undefined) return undefined;
      debits.push(...more.debits);
      voided.push(...more.voided);
    }
    return { debits, voided };
  }

  private async bookAll(batch: readonly BookingRecord[]): Promise<PoolChanges> {
    const { store, logStore, nowMs } = this.ports;
    const options = this.ports.options();
    const hasOwnLogs = logStore !== store;
    await this.keepPrices(batch);
    const bookOnce = (): Promise<BookingResult> =>
      store.transaction(async (session) => {
        const wanted = {
          nowMs: nowMs(),
          logs: options.logConsumption && !hasOwnLogs,
          mayBeBooked: this.mayBeBooked,
        };
        const booking = await bookSettlements(session, batch, wanted);
        const debits = await this.applyDebitsBeforeCommit(booking);
        await addToSharedRows(session, booking, options);
        return { ...booking, debits };
      });
    const result = await this.withLookupAfterDebits(bookOnce);
    if (this.appliedDebits.size > 0)
      for (const record of batch) this.appliedDebits.delete(record.document.request_id);
    if (options.logConsumption && hasOwnLogs) await this.bookOwnLogs(batch, result);
    if (result.writeoff > 0) {
      this.ports.onWrittenOff(result.writeoff);
      this.ports.onFault(`${result.writeoff} quota written off: balances were too small`, undefined);
    }
    return { debits: result.debits, voided: result.voided };
  }

  private async withLookupAfterDebits(bookOnce: () => Promise<BookingResult>): Promise<BookingResult> {
    try {
      const result = await bookOnce();
      this.mayBeBooked &&= result.knownBefore > 0;
      return result;
    } catch (error) {
      if (this.mayBeBooked || !isDuplicateKey(error)) throw error;
      this.mayBeBooked = true;
      return bookOnce();
    }
  }

  /** In a transaction of their own: prices are many calls' and many workers', who would wait for each other to the end of theirs. */
  private async keepPrices(batch: readonly BookingRecord[]): Promise<void> {
    const fresh = new Set<string>();
    for (const { type, document } of batch)
      if (type === 'S' && !this.knownPrices.has(snapshotId(document.price_snapshot)))
        fresh.add(document.price_snapshot);
    if (fresh.size === 0) return;
    const { store, nowMs } = this.ports;
    await store.transaction((session) => keepSnapshots(session, fresh, nowMs()));
    if (this.knownPrices.size >= MAX_KNOWN_PRICES) this.knownPrices.clear();
    for (const document of fresh) this.knownPrices.add(snapshotId(document));
  }

  /**
   * Shortly before the commit. A try that fails after it leaves a pool with less than SQL has set aside, which the next try
   * takes into account; should there be none, the rest of the reservation comes back with its epoch.
   * @returns amounts to return to the store after the commit
   */
  private async applyDebitsBeforeCommit({ booked, debits }: BookingResult): Promise<PoolDebit[]> {
    const taken: PoolDebit[] = [];
    const given: PoolDebit[] = [];
    for (const debit of debits) {
      if (debit.amount > 0) taken.push(debit);
      else if (debit.amount < 0) given.push(debit);
    }
    if (this.appliedDebits.size > 0) given.push(...this.takenEarlier(booked, taken));
    if (taken.length > 0) await this.ports.applyDebits(taken);
    for (const debit of taken) {
      const before = this.appliedDebits.get(debit.callId)?.amount ?? 0;
      this.appliedDebits.set(debit.callId, { ...debit, amount: before + debit.amount });
    }
    return given;
  }

  /** Debits of an earlier, failed try for calls that this try books or corrects. */
  private takenEarlier(booked: BookingResult['booked'], taken: readonly PoolDebit[]): PoolDebit[] {
    const calls = new Set<string>();
    for (const { document } of booked) calls.add(document.request_id);
    for (const { callId } of taken) calls.add(callId);
    const back: PoolDebit[] = [];
    for (const callId of calls) {
      const earlier = this.appliedDebits.get(callId);
      if (earlier !== undefined) back.push({ ...earlier, amount: -earlier.amount });
    }
    return back;
  }

  /**
   * A replayed batch has no new settlements, but its log rows may be missing: they are written by call id, once, with what the
   * settlement states as charged, which a small balance makes less than the price.
   */
  private async bookOwnLogs(batch: readonly BookingRecord[], result: BookingResult): Promise<void> {
    const fresh = new Set(result.booked.map((entry) => entry.document.request_id));
    const replayed = batch.filter((record) => record.type === 'S' && !fresh.has(record.document.request_id));
    const rest = replayed.length === 0 ? [] : await this.chargedBefore(replayed);
    await this.ports.logStore.transaction((session) => insertLogs(session, [...result.booked, ...rest]));
  }

  private async chargedBefore(replayed: readonly BookingRecord[]): Promise<BookedCharge[]> {
    const existing = await this.ports.store.transaction((session) => readExisting(session, replayed));
    return replayed.flatMap((record) => {
      if (record.type !== 'S') return [];
      const settlement = existing.get(record.document.request_id);
      return settlement === undefined ? [] : [{ document: record.document, charged: settlement.charged }];
    });
  }
}

/**
 * True when the record itself is at fault, so that trying again cannot help. A duplicate key is not: another worker booked the
 * call in the same moment, and the next try sees it.
 */
export function isBadRecord(error: unknown): boolean {
  if (error instanceof BookingError || error instanceof RangeError) return true;
  return isRejectedRow(error);
}

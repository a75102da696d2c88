import { requestSlices } from '../ledger/recall-slices.js';
import type { FilledPool, SharedStore } from '../../../infra/shared-store/shared-store.js';
import type { PoolChanges } from './book-settlements.js';
import { SpooledSettlement } from '../records/settlement-text.js';
import type { BookingRecord, HoldPlace } from '../records/spool-documents.js';

/** A call whose record of this worker's spool is in the database: its segment may go. */
export interface BookedCall {
  readonly callId: string;
  readonly hold: HoldPlace;
  /** Time of its settlement; undefined = not settled, or settled by another worker. */
  readonly settledAtMs: number | undefined;
}

/** Reads the call of a record, without parsing it when it is still text. */
export function callOf(record: BookingRecord): BookedCall {
  if (record instanceof SpooledSettlement)
    return { callId: record.request_id, hold: record.hold, settledAtMs: record.nowMs };
  const { request_id: callId, hold } = record.document;
  return { callId, hold, settledAtMs: undefined };
}

/** Calls that may wait for a database that is away; then paid work is refused. */
const MAX_BACKLOG = 50_000;
/**
 * From here on new calls wait a little, so that who asks for more than can be booked is served at the pace of booking: refusals would be
 * asked again at once, and cost the core that should be booking. A burst of a second stays below.
 */
const MANY_WAITING = 20_000;
/** Pause of a call just before calls are refused. */
const MAX_PAUSE_MS = 250;

/** Books the records of the spool soon and reports when it is done. Its two subclasses decide on the thread. */
export abstract class SettlementFlusher {
  /** Calls that recovery settled for dead workers, since this process began. */
  recoveredCalls = 0;
  /** Quota no balance covered, since this process began. */
  writtenOffQuota = 0;
  /** Called with the time a charge took from its record to the database. */
  onLag: (lagMs: number) => void = () => undefined;
  private waiting: (() => void)[] = [];

  /** Records that are not booked yet. */
  abstract readonly backlog: number;

  /** When the oldest charge that is not booked yet was settled; undefined = none waits. */
  abstract readonly oldestSettledAtMs: number | undefined;

  /** True when new paid calls would pile up: the database has been away for long. */
  get isBacklogged(): boolean {
    return this.backlog >= MAX_BACKLOG;
  }

  /** Pause of a new paid call, so that charges are booked as fast as they come; 0 = none. */
  get pauseMs(): number {
    const share = (this.backlog - MANY_WAITING) / (MAX_BACKLOG - MANY_WAITING);
    return share <= 0 ? 0 : Math.ceil(Math.min(1, share) * MAX_PAUSE_MS);
  }

  /** A record that is on the spool of this worker, in the order of the spool; or one that recovery made. */
  abstract enqueue(record: BookingRecord): void;

  /** Books everything that waits. @returns false when `withinMs` was not enough */
  abstract drain(withinMs: number): Promise<boolean>;

  /** Books no more; what is left is in the spool. */
  abstract stop(): Promise<void>;

  protected noteLags(booked: readonly BookedCall[], nowMs: number): void {
    for (const { settledAtMs } of booked) {
      if (settledAtMs !== undefined) this.onLag(Math.max(0, nowMs - settledAtMs));
    }
  }

  protected get isIdle(): boolean {
    return this.backlog === 0;
  }

  /** For `drain`: true at once when nothing waits, else when `notifyIdle` is called. */
  protected whenIdle(
    after: (delayMs: number, action: () => void) => () => void,
    withinMs: number,
  ): Promise<boolean> {
    if (this.isIdle) return Promise.resolve(true);
    return new Promise((resolve) => {
      const stop = after(withinMs, () => resolve(false));
      this.waiting.push(() => {
        stop();
        resolve(true);
      });
    });
  }

  protected notifyIdle(): void {
    for (const tell of this.waiting.splice(0)) tell();
  }
}

/** Debits pools by the amounts taken from them in SQL, and discards the void ones. Never fails. */
export async function applyToPools(
  store: SharedStore,
  { debits, voided }: PoolChanges,
  onFault: (message: string, error: unknown) => void,
): Promise<void> {
  for (const { pool, amount, reservationId } of debits) {
    try {
      await store.pools.debit(pool, amount, reservationId);
      // Parts of the pool that workers have would go on paying for calls with money the account no longer has.
      if (amount > 0) await requestSlices(store, pool.userId);
    } catch (error) {
      // The pool believes it has more than SQL holds until its epoch ends; a later charge is written off, never wrong.
      onFault('a pool could not be told of an extra charge', error);
    }
  }
  try {
    await discardPools(store, voided, onFault);
  } catch (error) {
    // The next call that is booked finds them again, and so does the sweep.
    onFault('pools whose reservation is closed could not be voided', error);
  }
}

/** Voids pools whose reservation is closed, and logs one line. Fails: StoreUnavailableError. */
export async function discardPools(
  store: SharedStore,
  pools: readonly FilledPool[],
  onFault: (message: string, error: unknown) => void,
): Promise<void> {
  const discarded: FilledPool[] = [];
  for (const filled of pools) if (await store.pools.discard(filled)) discarded.push(filled);
  const [first] = discarded;
  if (first === undefined) return;
  const { userId, tokenId } = first.pool;
  const whose = `account ${userId}${tokenId === null ? '' : `, token ${tokenId}`}`;
  onFault(
    `${discarded.length} pools of the shared store are void: their reservations are closed (the first: ${whose}, ${first.reservationId})`,
    undefined,
  );
}

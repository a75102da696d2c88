import type { DataSource, EntityManager } from 'typeorm';
import { StatementTimeouts } from '../../../infra/database/statement-timeouts.js';
import { burstQueue } from '../../../infra/database/gate-connections.js';
import { runInTransaction } from '../../../infra/database/run-in-transaction.js';
import {
  StoreUnavailableError,
  type PoolRef,
  type SharedStore,
} from '../../../infra/shared-store/shared-store.js';
import type { Clock } from '../../../common/clock.js';
import type { Ids } from '../../../common/ids.js';
import type { InFlight } from './in-flight.js';
import { planTopUp, REFUSED, type Demand, type TopUpPlan } from './plan-top-up.js';
import { returnToBalance } from '../ledger/pool-returns.js';
import * as sql from '../ledger/reservation-sql.js';
import { refuseWithoutFunds } from './balance-precheck.js';

export type TopUpVerdict =
  /** There is money in the pool now: place the hold again, for this amount. */
  | { readonly kind: 'granted'; readonly amount: number }
  | { readonly kind: 'refused'; readonly scope: 'user' | 'token' }
  /** Money of a lost epoch is not back yet: worth asking again shortly. */
  | { readonly kind: 'pending' }
  /** The shared store went away meanwhile: reserve in SQL. */
  | { readonly kind: 'store-away' }
  | { readonly kind: 'unavailable' };

interface Waiter extends Demand {
  /** Remainders of the pools when the store refused. */
  readonly userRest: number;
  readonly tokenRest: number;
  readonly answer: (verdict: TopUpVerdict) => void;
}

interface Fill {
  readonly pool: PoolRef;
  readonly amount: number;
  readonly reservationId: string;
}

/** Longest wait of a caller for money from an unresponsive database before it gets `unavailable`. */
const ANSWER_WITHIN_MS = 1_000;
const MAX_WAITERS_PER_ACCOUNT = 2_000;
/** Pause before an account without funds is read again, once for all calls that came meanwhile. */
const REFUSAL_PAUSE_MS = 50;
/**
 * The same while money of a lost epoch is on its way back, which takes a lease: when the store was emptied, every worker has
 * many such accounts at once, and asking without a pause keeps the database from all others.
 */
const COMING_PAUSE_MS = 250;
/** The pool is kept filled for about this long at the recent pace. */
const SPEND_HORIZON_MS = 10_000;
/** An account without a recent pace gets this many times its demand, when it is rich enough. */
const FIRST_CHUNK_FACTOR = 20;

/** Moves money from accounts into pools: one transaction at a time per account, for all calls that wait for it. */
export class PoolTopUp {
  private readonly queues = new Map<number, Waiter[]>();
  private readonly turns = burstQueue();
  private readonly watch: StatementTimeouts;

  constructor(
    private readonly ports: {
      readonly dataSource: DataSource;
      readonly store: SharedStore;
      readonly clock: Clock;
      readonly ids: Ids;
      readonly inFlight: InFlight;
      readonly owner: string;
      /** Gives back at once what ended calls of the account did not use. */
      readonly flushReturns: (userId: number) => Promise<void>;
      /** True when no other instance is alive. */
      readonly isAlone: () => boolean;
      /** Quota a pool needs so that slices can be taken of it; 0 = no worker wants one. */
      readonly wantedForSlices: (userId: number) => number;
      readonly onFault: (message: string, error: unknown) => void;
    },
  ) {
    this.watch = StatementTimeouts.of(ports.dataSource, ports.clock, ANSWER_WITHIN_MS, this.turns);
  }

  /** Asks for money for one call. Never fails; answers `unavailable` after a second of silence. */
  request(userId: number, demand: Omit<Waiter, 'answer'>): Promise<TopUpVerdict> {
    return new Promise((resolve) => {
      const stopWaiting = this.watch.begin(() => resolve({ kind: 'unavailable' }));
      const waiter: Waiter = {
        ...demand,
        answer: (verdict) => {
          stopWaiting();
          resolve(verdict);
        },
      };
      const queue = this.queues.get(userId);
      if (queue === undefined) {
        this.queues.set(userId, [waiter]);
        void this.work(userId);
      } else if (queue.length < MAX_WAITERS_PER_ACCOUNT) queue.push(waiter);
      else waiter.answer({ kind: 'unavailable' });
    });
  }

  private async work(userId: number): Promise<void> {
    // Calls that come in the same turn of the event loop are served together.
    await Promise.resolve();
    for (let waiters = this.take(userId); waiters.length > 0; waiters = this.take(userId)) {
      try {
        const end = await this.turns.pass(() => this.serve(userId, waiters));
        // A caller that retries with an empty balance waits for the database, and not the other way round.
        if (end === 'refused') await this.pause(REFUSAL_PAUSE_MS);
        else if (end === 'coming') await this.pause(COMING_PAUSE_MS);
      } catch (error) {
        const isStoreAway = error instanceof StoreUnavailableError;
        if (!isStoreAway) this.ports.onFault('a pool could not be topped up', error);
        for (const waiter of waiters) waiter.answer({ kind: isStoreAway ? 'store-away' : 'unavailable' });
      }
    }
  }

  private take(userId: number): Waiter[] {
    const waiters = this.queues.get(userId) ?? [];
    if (waiters.length === 0) this.queues.delete(userId);
    else this.queues.set(userId, []);
    return waiters;
  }

  /** @returns whether any call got a grant; if not, whether quota is still to come back */
  private async serve(userId: number, waiters: readonly Waiter[]): Promise<'granted' | 'coming' | 'refused'> {
    const epoch = await this.ports.store.pools.epoch();
    const refusals = await refuseWithoutFunds(this.ports.dataSource, userId, waiters, epoch);
    if (refusals !== undefined) {
      waiters.forEach((waiter, index) => waiter.answer(refusals[index] ?? REFUSED));
      return 'refused';
    }
    const isAlone = this.ports.isAlone();
    const outcome = await runInTransaction(this.ports.dataSource, (manager) =>
      this.move(manager, userId, waiters, { epoch, isAlone }),
    );
    const isFilled = await this.fillAll(outcome.fills, epoch);
    const verdicts = waiters.map((_, index): TopUpVerdict => {
      const verdict = outcome.verdicts[index] ?? REFUSED;
      const isWorthWaiting = verdict.kind === 'granted' ? !isFilled : outcome.hopes[index] === true;
      return isWorthWaiting ? { kind: 'pending' } : verdict;
    });
    waiters.forEach((waiter, index) => waiter.answer(verdicts[index] ?? { kind: 'unavailable' }));
    if (outcome.verdicts.some(({ kind }) => kind === 'granted')) return 'granted';
    return verdicts.some(({ kind }) => kind === 'pending') ? 'coming' : 'refused';
  }

  private async move(
    manager: EntityManager,
    userId: number,
    waiters: readonly Waiter[],
    { epoch, isAlone }: { readonly epoch: string; readonly isAlone: boolean },
  ) {
    const account = await sql.lockAccount(manager, userId);
    if (account === undefined || !account.isUsable) {
      return { verdicts: waiters.map(() => REFUSED), fills: [] as Fill[], hopes: [] as boolean[] };
    }
    const tokenIds = new Set(waiters.flatMap((waiter) => (waiter.tokenId === null ? [] : [waiter.tokenId])));
    const tokens = await sql.lockTokens(manager, userId, tokenIds);
    const reservations = await sql.lockPoolReservations(manager, userId);
    const lost = reservations.filter((row) => row.epoch !== epoch && row.amount > 0);
    const reclaimed = lost.filter((row) => row.isLeaseOver || (isAlone && !this.ports.inFlight.uses(row.id)));
    await sql.closeReservations(manager, userId, reclaimed);
    const latest = (tokenId: number | null): number | undefined =>
      waiters.findLast((waiter) => waiter.tokenId === tokenId)?.tokenRest;
    const chunk = this.chunkFor(userId, waiters);
    const planWith = (returning: readonly sql.ReservationRow[]): TopUpPlan =>
      planTopUp({
        demands: waiters,
        available: account.quota - account.floor + total(returning, null),
        rest: waiters.at(-1)?.userRest ?? 0,
        tokens: new Map(
          [...tokens].map(([id, remain]) => [
            id,
            { available: remain + total(returning, id), rest: latest(id) ?? 0 },
          ]),
        ),
        chunk,
      });
    const plan = planWith(reclaimed);
    // Calls refused now that would fit with all quota still to come back.
    const hopes =
      reclaimed.length === lost.length ? [] : planWith(lost).verdicts.map(({ kind }) => kind === 'granted');
    const current = (tokenId: number | null): string | undefined =>
      reservations.find((row) => row.epoch === epoch && row.tokenId === tokenId)?.id;
    const fills: Fill[] = [];
    const reserve = async (tokenId: number | null, amount: number): Promise<void> => {
      if (amount === 0) return;
      const reservationId = await sql.reserveAmount(manager, {
        existingId: current(tokenId),
        newId: this.ports.ids.callId(),
        userId,
        tokenId,
        epoch,
        owner: this.ports.owner,
        amount,
        leaseMs: sql.RESERVATION_LEASE_MS,
      });
      fills.push({ pool: { userId, tokenId }, amount, reservationId });
    };
    if (!(await sql.takeFromAccount(manager, userId, plan.userMove)))
      throw new Error('the balance changed under its lock');
    for (const [tokenId, amount] of plan.tokenMoves) {
      if (!(await sql.takeFromToken(manager, tokenId, amount)))
        throw new Error('the allowance changed under its lock');
    }
    await reserve(null, plan.userMove);
    for (const [tokenId, amount] of plan.tokenMoves) await reserve(tokenId, amount);
    return { verdicts: plan.verdicts, fills, hopes };
  }

  /**
   * Money that got into no pool goes back at once; where that is not known it does when its reservation is abandoned.
   * @returns false when a pool turned out to belong to another epoch
   * Fails: StoreUnavailableError.
   */
  private async fillAll(fills: readonly Fill[], epoch: string): Promise<boolean> {
    const results = await Promise.allSettled(
      fills.map(({ pool, amount, reservationId }) =>
        this.ports.store.pools.fill(pool, amount, reservationId, epoch),
      ),
    );
    const undone = fills.filter((_, index) => isUndone(results[index]));
    for (const { pool, amount, reservationId } of undone) {
      await runInTransaction(this.ports.dataSource, (manager) =>
        returnToBalance(manager, pool, reservationId, amount),
      );
    }
    const failed = results.find((result) => result.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    return undone.length === 0;
  }

  private pause(delayMs: number): Promise<void> {
    return new Promise((resolve) => this.ports.clock.after(delayMs, resolve));
  }

  private chunkFor(userId: number, waiters: readonly Waiter[]): number {
    const demand = waiters.reduce((sum, waiter) => sum + waiter.amount, 0);
    const { inFlight, wantedForSlices } = this.ports;
    const recent = inFlight.spendWithin(userId, SPEND_HORIZON_MS);
    return Math.max(recent, demand * FIRST_CHUNK_FACTOR, wantedForSlices(userId));
  }
}

const isUndone = (result: PromiseSettledResult<boolean> | undefined): boolean =>
  result?.status === 'rejected'
    ? result.reason instanceof StoreUnavailableError && result.reason.isUntouched
    : result?.value === false;

const total = (rows: readonly sql.ReservationRow[], tokenId: number | null): number =>
  sql.sumOf(rows.filter((row) => row.tokenId === tokenId));

import type { DataSource, EntityManager } from 'typeorm';
import { dialectOf } from '../../../infra/database/data-source.js';
import { StatementTimeouts } from '../../../infra/database/statement-timeouts.js';
import { burstQueue } from '../../../infra/database/gate-connections.js';
import { runInTransaction } from '../../../infra/database/run-in-transaction.js';
import type { FilledPool } from '../../../infra/shared-store/shared-store.js';
import type { Caller } from '../../../relay-core/model/call.js';
import type { Clock } from '../../../common/clock.js';
import type { Ids } from '../../../common/ids.js';
import { bookSettlements } from '../booking/book-settlements.js';
import { execute, nowExpression, textList } from '../ledger/money-sql.js';
import type { CallLimits } from '../../limits/call-limits.js';
import { fullMoneyLimits } from './limits-in-sql.js';
import { planTopUp, REFUSED, type TopUpPlan, type Verdict } from './plan-top-up.js';
import * as sql from '../ledger/reservation-sql.js';
import { type BookingRecord, type HoldPlace, ownerOf } from '../records/spool-documents.js';
import { refuseWithoutFunds } from './balance-precheck.js';

/** A call's own reservation outlives its worker this long; then the reaper settles or releases it. */
export const CALL_LEASE_MS = 60_000;

export type CallReservationAnswer =
  | {
      readonly kind: 'reserved';
      readonly amount: number;
      readonly userReservationId: string;
      readonly tokenReservationId: string | null;
    }
  | { readonly kind: 'refused'; readonly scope: 'user' | 'token' }
  /** Money limits without room, by their place in the list. */
  | { readonly kind: 'limit-full'; readonly indexes: readonly number[] }
  | { readonly kind: 'unavailable' };

export interface ReservationRequest {
  readonly callId: string;
  readonly caller: Caller;
  readonly amount: number;
  readonly minimum: number;
  readonly promptEstimate: number;
  /** Absent = the call is not limited. */
  readonly limits?: CallLimits | undefined;
}

interface Waiter extends ReservationRequest {
  readonly tokenId: number | null;
  /** @returns false when the caller already got `unavailable` */
  readonly answer: (answer: CallReservationAnswer) => boolean;
  readonly isOver: () => boolean;
}

const MAX_WAITERS_PER_ACCOUNT = 2_000;
/** Calls are marked as dispatched together, this often; most are over by then and need no mark. */
const MARK_EVERY_MS = 100;
const MAX_MARKS = 500;
/** An unresponsive database must not hang calls: with both stores away a call gets a 503 within a second. */
const ANSWER_WITHIN_MS = 1_000;

/** The way without a shared store: one reservation per call, straight in SQL. Slower, just as exact. */
export class CallReservations {
  private readonly voided: FilledPool[] = [];
  private readonly turns = burstQueue();
  private readonly watch: StatementTimeouts;
  private readonly queues = new Map<number, Waiter[]>();
  private readonly unmarked = new Set<string>();
  private marking = false;

  constructor(
    private readonly ports: {
      readonly dataSource: DataSource;
      readonly ids: Ids;
      readonly clock: Clock;
      readonly owner: string;
      readonly onFault: (message: string, error: unknown) => void;
    },
  ) {
    this.watch = StatementTimeouts.of(ports.dataSource, ports.clock, ANSWER_WITHIN_MS, this.turns);
  }

  /**
   * Never fails: a database that is away or silent for a second answers `unavailable`. Calls of one account are served together,
   * in order.
   */
  reserve(call: ReservationRequest): Promise<CallReservationAnswer> {
    const { userId } = call.caller;
    return new Promise((resolve) => {
      let isOver = false;
      const answer = (said: CallReservationAnswer): boolean => {
        if (isOver) return false;
        isOver = true;
        stopWaiting();
        resolve(said);
        return true;
      };
      const stopWaiting = this.watch.begin(() => answer({ kind: 'unavailable' }));
      const tokenId = call.caller.tokenLimited ? call.caller.tokenId : null;
      const waiter = { ...call, tokenId, answer, isOver: () => isOver };
      const queue = this.queues.get(userId);
      if (queue !== undefined) {
        if (queue.length < MAX_WAITERS_PER_ACCOUNT) queue.push(waiter);
        else answer({ kind: 'unavailable' });
        return;
      }
      this.queues.set(userId, [waiter]);
      void this.work(userId);
    });
  }

  private async work(userId: number): Promise<void> {
    // Calls that come in the same turn of the event loop share a transaction.
    await Promise.resolve();
    for (
      let waiters = this.queues.get(userId) ?? [];
      waiters.length > 0;
      waiters = this.queues.get(userId) ?? []
    ) {
      this.queues.set(userId, []);
      try {
        const { answers, voided } = await this.turns.pass(() => this.takeTurn(userId, waiters));
        this.voided.push(...voided);
        const late = waiters.flatMap((waiter, index) => {
          const said = answers[index] ?? { kind: 'unavailable' as const };
          return !waiter.answer(said) && said.kind === 'reserved' ? [releaseOf(waiter, said)] : [];
        });
        if (late.length > 0) await this.release(late);
      } catch (error) {
        this.ports.onFault('calls could not reserve their quota', error);
        for (const waiter of waiters) waiter.answer({ kind: 'unavailable' });
      }
    }
    this.queues.delete(userId);
  }

  /** No caller waits for these any more. Those that are not released here are released when their lease is over (`releaseUnheld`). */
  private async release(releases: readonly BookingRecord[]): Promise<void> {
    await runInTransaction(this.ports.dataSource, (manager) =>
      bookSettlements(manager, releases, {
        nowMs: this.ports.clock.nowMs(),
        logs: false,
        mayBeBooked: false,
      }),
    );
  }

  /** Runs every statement of a reservation within its turn: the checks of a crowd alone would fill the connection queue. */
  private async takeTurn(
    userId: number,
    waiters: readonly Waiter[],
  ): Promise<{ answers: readonly CallReservationAnswer[]; voided: readonly FilledPool[] }> {
    // Every caller has left: serve the waiting calls instead.
    if (waiters.every(({ isOver }) => isOver())) return { answers: [], voided: [] };
    const { dataSource } = this.ports;
    const refusals = await refuseWithoutFunds(dataSource, userId, waiters, '');
    if (refusals !== undefined) return { answers: refusals, voided: [] };
    return runInTransaction(dataSource, (manager) => this.serve(manager, userId, waiters));
  }

  private async serve(
    manager: EntityManager,
    userId: number,
    waiters: readonly Waiter[],
  ): Promise<{ answers: CallReservationAnswer[]; voided: FilledPool[] }> {
    const account = await sql.lockAccount(manager, userId);
    if (account === undefined || !account.isUsable) {
      return { answers: waiters.map(() => REFUSED), voided: [] };
    }
    const full = await fullMoneyLimits(manager, userId, waiters);
    if (full.some((indexes) => indexes.length > 0)) {
      const fitting = waiters.filter((_, index) => full[index]?.length === 0);
      const served =
        fitting.length === 0 ? { answers: [], voided: [] } : await this.serve(manager, userId, fitting);
      const answers = waiters.map((waiter, index): CallReservationAnswer => {
        const indexes = full[index] ?? [];
        if (indexes.length > 0) return { kind: 'limit-full', indexes };
        return served.answers[fitting.indexOf(waiter)] ?? { kind: 'unavailable' };
      });
      return { answers, voided: served.voided };
    }
    const tokenIds = new Set(waiters.flatMap((waiter) => (waiter.tokenId === null ? [] : [waiter.tokenId])));
    const tokens = await sql.lockTokens(manager, userId, tokenIds);
    const plan = (idle: readonly sql.ReservationRow[]): TopUpPlan => {
      const backTo = (tokenId: number | null): number =>
        sql.sumOf(idle.filter((row) => row.tokenId === tokenId));
      return planTopUp({
        demands: waiters,
        available: account.quota - account.floor + backTo(null),
        rest: 0,
        tokens: new Map([...tokens].map(([id, remain]) => [id, { available: remain + backTo(id), rest: 0 }])),
        chunk: 0,
      });
    };
    let idle: sql.ReservationRow[] = [];
    let chosen = plan(idle);
    if (chosen.verdicts.some((verdict) => verdict.kind === 'refused')) {
      // While the store is away no pool can be spent: what no worker has used for a lease counts as balance again.
      const open = await sql.lockPoolReservations(manager, userId);
      idle = open.filter((row) => row.isLeaseOver && row.amount > 0);
      await sql.closeReservations(manager, userId, idle);
      chosen = plan(idle);
    }
    if (!(await sql.takeFromAccount(manager, userId, chosen.userMove)))
      throw new Error('the balance changed under its lock');
    for (const [tokenId, amount] of chosen.tokenMoves) {
      if (!(await sql.takeFromToken(manager, tokenId, amount)))
        throw new Error('the allowance changed under its lock');
    }
    const rows: sql.CallReservationRow[] = [];
    const answers = waiters.map((waiter, index) => this.place(waiter, chosen.verdicts[index], rows));
    await sql.insertCallReservations(manager, rows);
    const voided = idle.map((row) => ({ pool: { userId, tokenId: row.tokenId }, reservationId: row.id }));
    return { answers, voided };
  }

  /** @param rows  gets what has to be written for it */
  private place(
    waiter: Waiter,
    verdict: Verdict | undefined,
    rows: sql.CallReservationRow[],
  ): CallReservationAnswer {
    if (verdict === undefined || verdict.kind === 'refused')
      return { kind: 'refused', scope: verdict?.scope ?? 'user' };
    const { callId, caller, promptEstimate } = waiter;
    const { amount } = verdict;
    const { ids, owner } = this.ports;
    const row = (tokenId: number | null): string => {
      const id = ids.callId();
      const { userId } = caller;
      rows.push({ id, userId, tokenId, callId, owner, amount, promptEstimate, leaseMs: CALL_LEASE_MS });
      return id;
    };
    const userReservationId = row(null);
    const tokenReservationId = waiter.tokenId === null ? null : row(waiter.tokenId);
    return { kind: 'reserved', amount, userReservationId, tokenReservationId };
  }

  /** Adds to a running call's reservation. Never fails. */
  async extend(
    place: HoldPlace,
    caller: Caller,
    by: number,
  ): Promise<'granted' | 'user' | 'token' | 'unavailable'> {
    const silence = Promise.withResolvers<'unavailable'>();
    const stopWaiting = this.watch.begin(() => silence.resolve('unavailable'));
    try {
      // Quota added too late is released with the rest of the reservation when the call is settled; later still, nothing is added.
      return await Promise.race([this.add(place, caller, by), silence.promise]);
    } finally {
      stopWaiting();
    }
  }

  private async add(
    place: HoldPlace,
    caller: Caller,
    by: number,
  ): Promise<'granted' | 'user' | 'token' | 'unavailable'> {
    try {
      return await runInTransaction(this.ports.dataSource, async (manager) => {
        const account = await sql.lockAccount(manager, caller.userId);
        if (account === undefined || account.quota - by < account.floor) return 'user';
        if (!(await sql.takeFromAccount(manager, caller.userId, by))) return 'user';
        const ids = [place.userReservationId];
        if (caller.tokenLimited && caller.tokenId !== null && place.tokenReservationId !== null) {
          if (!(await sql.takeFromToken(manager, caller.tokenId, by))) {
            await execute(manager, `UPDATE "users" SET "quota" = "quota" + ? WHERE "id" = ?`, [
              by,
              caller.userId,
            ]);
            return 'token';
          }
          ids.push(place.tokenReservationId);
        }
        await sql.addToReservations(manager, ids, by);
        return 'granted';
      });
    } catch (error) {
      // Its call ended while this waited for the database, or was taken for dead and settled: nothing was taken.
      if (error instanceof sql.ReservationClosedError) return 'unavailable';
      this.ports.onFault('a call could not extend its reservation', error);
      return 'unavailable';
    }
  }

  /**
   * In the background and for many calls at once, since only recovery without a spool reads it: a transaction for each would take
   * the connections of those who want to reserve.
   */
  markDispatched(callId: string): void {
    this.unmarked.add(callId);
    this.scheduleMarks();
  }

  /** The call is over: it needs no mark any more. */
  forget(callId: string): void {
    this.unmarked.delete(callId);
  }

  private scheduleMarks(): void {
    if (this.marking || this.unmarked.size === 0) return;
    this.marking = true;
    this.ports.clock.after(MARK_EVERY_MS, () => {
      this.mark()
        // They are tried again with the next ones, as long as they run.
        .catch((error: unknown) => this.ports.onFault('calls could not be marked as dispatched', error))
        .finally(() => {
          this.marking = false;
          this.scheduleMarks();
        });
    });
  }

  private async mark(): Promise<void> {
    const callIds = [...this.unmarked].slice(0, MAX_MARKS);
    if (callIds.length === 0) return;
    const { dataSource } = this.ports;
    const now = nowExpression(dialectOf(dataSource));
    await runInTransaction(dataSource, (manager) =>
      execute(
        manager,
        `UPDATE "reservations" SET "dispatched_at_ms" = ${now}
           WHERE "kind" = 'call' AND "request_id" IN (${textList(callIds)})`,
      ),
    );
    for (const callId of callIds) this.unmarked.delete(callId);
  }

  /** Pools that were emptied in SQL while the store was away: the store's figures of them are void. */
  takeVoided(): FilledPool[] {
    return this.voided.splice(0);
  }
}

function releaseOf(
  { callId, caller, tokenId }: Waiter,
  reserved: CallReservationAnswer & { readonly kind: 'reserved' },
): BookingRecord {
  const { userReservationId, tokenReservationId, amount } = reserved;
  const hold = { kind: 'call', userReservationId, tokenReservationId, amount } as const;
  return {
    type: 'R',
    document: { request_id: callId, ...ownerOf(caller), token_id: tokenId, hold },
  };
}

import type { DataSource, EntityManager } from 'typeorm';
import { dialectOf } from '../../infra/database/data-source.js';
import { runInTransaction } from '../../infra/database/run-in-transaction.js';
import type { PoolRef } from '../../infra/shared-store/shared-store.js';
import type { Caller } from '../../relay-core/model/call.js';
import type { Ids } from '../../relay-core/ports/ids.js';
import { execute, nowExpression, textList } from './money-sql.js';
import * as sql from './reservation-sql.js';
import type { HoldPlace } from './spool-documents.js';

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
  | { readonly kind: 'unavailable' };

/** The way without a shared store: one reservation per call, straight in SQL. Slower, just as exact. */
export class CallReservations {
  private readonly voided: { readonly pool: PoolRef; readonly reservationId: string }[] = [];

  constructor(
    private readonly ports: {
      readonly dataSource: DataSource;
      readonly ids: Ids;
      readonly owner: string;
      readonly onFault: (message: string, error: unknown) => void;
    },
  ) {}

  /** Never fails: a database that is away answers `unavailable`. */
  async reserve(call: {
    readonly callId: string;
    readonly caller: Caller;
    readonly amount: number;
    readonly minimum: number;
    readonly promptEstimate: number;
  }): Promise<CallReservationAnswer> {
    const tokenId = call.caller.tokenLimited ? call.caller.tokenId : null;
    const { userId } = call.caller;
    let voided: Means['pools'] = [];
    try {
      const answer = await runInTransaction(
        this.ports.dataSource,
        async (manager): Promise<CallReservationAnswer> => {
          const account = await sql.lockAccount(manager, userId);
          if (account === undefined || !account.isUsable) return { kind: 'refused', scope: 'user' };
          const tokens = await sql.lockTokens(manager, userId, new Set(tokenId === null ? [] : [tokenId]));
          let fromToken = tokenId === null ? Infinity : (tokens.get(tokenId) ?? 0);
          let fromUser = account.quota - account.floor;
          voided = [];
          if (Math.min(fromUser, fromToken) < call.amount) {
            const back = await this.reclaim(manager, userId, tokenId);
            fromUser += back.user;
            fromToken += back.token;
            voided = back.pools;
          }
          const amount = Math.min(call.amount, fromUser, fromToken);
          if (amount < call.amount && amount < call.minimum) {
            return { kind: 'refused', scope: fromUser < call.minimum ? 'user' : 'token' };
          }
          const isTaken =
            (await sql.takeFromAccount(manager, userId, amount)) &&
            (tokenId === null || (await sql.takeFromToken(manager, tokenId, amount)));
          if (!isTaken) throw new Error('an account changed under its lock');
          const place = (scopeTokenId: number | null): Promise<string> =>
            sql.reserveAmount(manager, {
              existingId: undefined,
              newId: this.ports.ids.callId(),
              kind: 'call',
              userId,
              tokenId: scopeTokenId,
              callId: call.callId,
              epoch: '',
              owner: this.ports.owner,
              amount,
              promptEstimate: call.promptEstimate,
              leaseMs: CALL_LEASE_MS,
            });
          const userReservationId = await place(null);
          const tokenReservationId = tokenId === null ? null : await place(tokenId);
          return { kind: 'reserved', amount, userReservationId, tokenReservationId };
        },
      );
      this.voided.push(...voided);
      return answer;
    } catch (error) {
      this.ports.onFault('a call could not reserve its quota', error);
      return { kind: 'unavailable' };
    }
  }

  /** Adds to a running call's reservation. Never fails. */
  async extend(
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
        await execute(
          manager,
          `UPDATE "reservations" SET "amount" = "amount" + ? WHERE "state" = 'open' AND "id" IN (${textList(ids)})`,
          [by],
        );
        return 'granted';
      });
    } catch (error) {
      this.ports.onFault('a call could not extend its reservation', error);
      return 'unavailable';
    }
  }

  /** In the background: only recovery without a spool reads it. */
  markDispatched(callId: string): void {
    const now = nowExpression(dialectOf(this.ports.dataSource));
    runInTransaction(this.ports.dataSource, (manager) =>
      execute(
        manager,
        `UPDATE "reservations" SET "dispatched_at_ms" = ${now} WHERE "kind" = 'call' AND "request_id" = ?`,
        [callId],
      ),
    ).catch((error: unknown) => this.ports.onFault('a call could not be marked as dispatched', error));
  }

  /** Pools that were emptied in SQL while the store was away: what the store still says of them is void. */
  takeVoided(): { readonly pool: PoolRef; readonly reservationId: string }[] {
    return this.voided.splice(0);
  }

  /**
   * While the store is away no pool can be spent: what no worker has used for a lease counts as balance again.
   * @returns what the account has now
   */
  private async reclaim(manager: EntityManager, userId: number, tokenId: number | null): Promise<Means> {
    const open = await sql.lockPoolReservations(manager, userId);
    const idle = open.filter((row) => row.isLeaseOver && row.amount > 0);
    await sql.closeReservations(manager, userId, idle);
    const pools = idle.map((row) => ({ pool: { userId, tokenId: row.tokenId }, reservationId: row.id }));
    return {
      user: sql.sumOf(idle.filter((row) => row.tokenId === null)),
      token: sql.sumOf(idle.filter((row) => row.tokenId !== null && row.tokenId === tokenId)),
      pools,
    };
  }
}

interface Means {
  readonly user: number;
  readonly token: number;
  readonly pools: readonly { readonly pool: PoolRef; readonly reservationId: string }[];
}

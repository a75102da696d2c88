import { Inject, Injectable } from '@nestjs/common';
import type { DataSource, EntityManager } from 'typeorm';
import { dialectOf } from '../../../infra/database/data-source.js';
import { runInTransaction } from '../../../infra/database/run-in-transaction.js';
import {
  SharedStore,
  StoreUnavailableError,
  type PoolRef,
  type PoolRemainder,
} from '../../../infra/shared-store/shared-store.js';
import { Clock } from '../../../common/clock.js';
import { MONEY_DATA_SOURCE } from './billing.tokens.js';
import { execute, lockClause, read, toInteger } from './money-sql.js';
import { recallSlices } from './recall-slices.js';
import { OPEN_POOLS } from './reservation-sql.js';

/** Brings the spendable rest of pools back to where it was taken from. */
@Injectable()
export class PoolReturns {
  constructor(
    @Inject(MONEY_DATA_SOURCE) private readonly dataSource: DataSource,
    @Inject(SharedStore) private readonly store: SharedStore,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  /**
   * Empties the pools of an account at once, and the slices workers took of them; with `tokenId` only that token's pool. A store that
   * is away has nothing to empty.
   */
  async returnAll(account: { readonly userId: number; readonly tokenId?: number }): Promise<void> {
    const { userId, tokenId } = account;
    await recallSlices(this.store, this.clock, userId);
    const pools = tokenId === undefined ? await this.poolsOf(userId) : [{ userId, tokenId }];
    for (const pool of pools) {
      try {
        await this.returnPool(pool, 0);
      } catch (error) {
        // Its pools are void now; the old epoch's money comes back by the sweep.
        if (!(error instanceof StoreUnavailableError)) throw error;
      }
    }
  }

  /**
   * Empties one pool that has been idle for `idleMs`.
   * @returns what came back
   * Fails: StoreUnavailableError. A crash between store and database leaves the money in the reservation; the sweep frees it.
   */
  async returnPool(pool: PoolRef, idleMs: number): Promise<number> {
    const rest = await this.store.pools.drain(pool, idleMs);
    if (rest === null || rest.amount === 0) return 0;
    const moved = await runInTransaction(this.dataSource, (manager) =>
      returnToBalance(manager, pool, rest.reservationId, rest.amount),
    );
    return moved ? rest.amount : 0;
  }

  /**
   * Runs a change of an account that may need what its pool has. What `empty` took of the pool in vain goes back when the change fails.
   * @param run  calls `empty` in its transaction, after it locked the account: no top-up comes in between then
   * Fails: as `run`.
   */
  async whileEmpty<T>(
    userId: number,
    run: (empty: (manager: EntityManager) => Promise<void>) => Promise<T>,
  ): Promise<T> {
    const pool = { userId, tokenId: null };
    const rests: PoolRemainder[] = [];
    const bringAll = async (manager: EntityManager): Promise<void> => {
      for (const { reservationId, amount } of rests)
        await returnToBalance(manager, pool, reservationId, amount);
    };
    try {
      return await run(async (manager) => {
        const rest = await this.drainIfThere(pool);
        if (rest !== null && rest.amount !== 0) rests.push(rest);
        // A transaction that is repeated has lost what it gave back before.
        await bringAll(manager);
      });
    } catch (error) {
      if (rests.length > 0) await runInTransaction(this.dataSource, bringAll);
      throw error;
    }
  }

  private async drainIfThere(pool: PoolRef): Promise<PoolRemainder | null> {
    try {
      return await this.store.pools.drain(pool, 0);
    } catch (error) {
      if (error instanceof StoreUnavailableError) return null;
      throw error;
    }
  }

  private async poolsOf(userId: number): Promise<PoolRef[]> {
    const rows = await read(
      this.dataSource,
      `SELECT DISTINCT "token_id" AS "token_id" FROM "reservations" WHERE ${OPEN_POOLS}`,
      [userId],
    );
    return rows.map((row) => ({
      userId,
      tokenId: row['token_id'] === null ? null : toInteger(row['token_id']),
    }));
  }
}

/**
 * Moves an amount from an open pool reservation to its account.
 * @returns false when the reservation is closed or has less: its money has gone back another way
 */
export async function returnToBalance(
  manager: EntityManager,
  pool: PoolRef,
  reservationId: string,
  amount: number,
): Promise<boolean> {
  const [table, column, id] =
    pool.tokenId === null ? ['users', 'quota', pool.userId] : ['tokens', 'remain_quota', pool.tokenId];
  // Accounts are locked before reservations, everywhere.
  await execute(
    manager,
    `SELECT "id" FROM "${table}" WHERE "id" = ?${lockClause(dialectOf(manager.dataSource))}`,
    [id],
  );
  const taken = await execute(
    manager,
    `UPDATE "reservations" SET "amount" = "amount" - ? WHERE "id" = ? AND "state" = 'open' AND "amount" >= ?`,
    [amount, reservationId, amount],
  );
  if (taken.affected !== 1) return false;
  await execute(manager, `UPDATE "${table}" SET "${column}" = "${column}" + ? WHERE "id" = ?`, [amount, id]);
  return true;
}

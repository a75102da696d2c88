import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { DomainError } from '../../common/errors/domain-error.js';
import { isDuplicateKey, runInTransaction } from '../../infra/database/run-in-transaction.js';
import { ChangeFeed } from '../../infra/events/change-feed.js';
import { Clock } from '../../common/clock.js';
import { USER_STATUS } from '../../base/access/user.codes.js';
import { AccountsRepository, type ProfileChanges } from '../../base/users/accounts.repository.js';
import type { UserEntity } from '../../base/users/user.entity.js';
import { AccountMoney } from '../../base/billing/ledger/account-money.service.js';

/** Ended calls give back what they did not use within so long. */
const RETURNS_MS = 50;
/** With pools emptied; half a second at most. */
const MAX_TRIES = 5;

/** An account whose row a transaction holds. */
export interface LockedUser {
  readonly manager: EntityManager;
  readonly row: UserEntity;
  /** @param endsLogins  sessions and the system access token stop */
  write(changes: ProfileChanges, options: { readonly endsLogins: boolean }): Promise<void>;
}

type Work<T> = (user: LockedUser) => Promise<T>;
type Outcome<T> = { readonly result: T; readonly isClosed: boolean };

/** Changes of accounts by administrators: under the account's lock, tried again where calls set its balance aside. */
@Injectable()
export class LockedUsers {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly repository: AccountsRepository,
    private readonly money: AccountMoney,
    private readonly feed: ChangeFeed,
    private readonly clock: Clock,
  ) {}

  /**
   * Runs `work` in a transaction that holds the account's row; every instance is notified of the change afterwards. When reserved
   * quota is in the way of a lower balance it is tried again with the pools of the account emptied: only running calls keep what
   * they hold, and ended ones for a moment.
   * Fails: DomainError `user_not_found`, `user_deregistered`, `username_taken`, and with the errors of `work`.
   */
  async change<T>(userId: number, work: Work<T>): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      try {
        const { result, isClosed } = await (tries === 1
          ? this.inTransaction(userId, work)
          : this.withEmptyPools(userId, work));
        this.feed.announce('user', userId);
        // A banned or deregistered account must not keep money in its pools.
        if (isClosed) await this.money.returnPools({ userId });
        return result;
      } catch (error) {
        const isInUse = error instanceof DomainError && error.code === 'balance_in_use';
        if (!isInUse || tries > MAX_TRIES) throw error;
        if (tries > 1) await new Promise<void>((resolve) => this.clock.after(RETURNS_MS, resolve));
      }
    }
  }

  private async withEmptyPools<T>(userId: number, work: Work<T>): Promise<Outcome<T>> {
    await this.money.returnPools({ userId });
    return this.money.whilePoolIsEmpty(userId, (empty) => this.inTransaction(userId, work, empty));
  }

  private inTransaction<T>(
    userId: number,
    work: Work<T>,
    empty?: (manager: EntityManager) => Promise<void>,
  ): Promise<Outcome<T>> {
    return runInTransaction(this.dataSource, async (manager) => {
      const row = await this.repository.findLocked(manager, userId);
      if (row === null) throw new DomainError('user_not_found');
      if (row.deletedAtMs !== null) throw new DomainError('user_deregistered');
      await empty?.(manager);
      let isClosed = false;
      const write: LockedUser['write'] = async (changes, options) => {
        isClosed ||= changes.status === USER_STATUS.banned || changes.deletedAtMs != null;
        await this.repository.update(manager, userId, changes, options);
      };
      return { result: await work({ manager, row, write }), isClosed };
    }).catch((error: unknown) => {
      if (isDuplicateKey(error)) throw new DomainError('username_taken');
      throw error;
    });
  }
}

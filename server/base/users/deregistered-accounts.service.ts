import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { DomainError } from '../../common/errors/domain-error.js';
import { Env } from '../../config/env.js';
import { runInTransaction } from '../../infra/database/run-in-transaction.js';
import { ChangeFeed } from '../../infra/events/change-feed.js';
import { clearInBatches } from '../../infra/schedule/clear-in-batches.js';
import { JobParts } from '../../infra/schedule/job-parts.js';
import type { JobRun } from '../../infra/schedule/job-run.js';
import { LeasedInterval } from '../../infra/schedule/leased-interval.js';
import { Clock } from '../../common/clock.js';
import type { IdentityColumn } from '../access/identity-providers.js';
import { KEPT_MS } from '../bin/bin-rules.js';
import { AccountsRepository } from './accounts.repository.js';
import { clearedAddress } from './cleared-address.js';
import { DeregisteredAccountsRepository } from './deregistered-accounts.repository.js';

const HOUR_MS = 3_600_000;
const BATCH = 200;
/** Purged accounts that one run looks at again, the latest first. */
const MOST_PURGED = 1_000;

/** Cleans up accounts that were deregistered. */
@Injectable()
export class DeregisteredAccounts {
  private readonly logger = new Logger('Accounts');

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly accounts: AccountsRepository,
    private readonly deregistered: DeregisteredAccountsRepository,
    private readonly env: Env,
    private readonly clock: Clock,
    private readonly feed: ChangeFeed,
  ) {}

  /**
   * Takes an outside identity off a deregistered account.
   * @param record  records the actor in the same transaction
   * @returns false when it had none of this provider.
   * Fails: DomainError `user_not_found`, `user_not_deregistered`.
   */
  freeIdentity(
    id: number,
    column: IdentityColumn,
    record: (manager: EntityManager) => Promise<void>,
  ): Promise<boolean> {
    return runInTransaction(this.dataSource, async (manager) => {
      const user = await this.accounts.findLocked(manager, id);
      if (user === null) throw new DomainError('user_not_found');
      if (user.deletedAtMs === null) throw new DomainError('user_not_deregistered');
      if (user[column] === null) return false;
      await this.deregistered.clearIdentity(manager, id, column);
      await record(manager);
      return true;
    });
  }

  /**
   * Clears what is personal in accounts that were deregistered 30 days ago, by one instance, and end users that came late to accounts
   * purged since. Of an address only a keyed digest stays, so that it earns no second gift.
   * Fails: in the end, with what is wrong with some; with the database's error.
   */
  @LeasedInterval('deregistered-sweep', HOUR_MS)
  async sweep(run?: JobRun): Promise<void> {
    const beforeMs = this.clock.nowMs() - KEPT_MS;
    const cleared = await clearInBatches(this.clock, run, () => this.clearBatch(beforeMs));
    if (cleared > 0) this.logger.log(`cleared the personal fields of ${cleared} deregistered accounts`);
    await this.clearLateLines();
  }

  /** Calls that ran while their account was purged are booked after it, and a purge may have stopped half-way. */
  private async clearLateLines(): Promise<void> {
    const parts = new JobParts();
    await parts.each(await this.deregistered.listPurged(this.clock.nowMs() - KEPT_MS, MOST_PURGED), {
      run: undefined,
      nameOf: (id) => `account ${id}`,
      work: (id) => this.deregistered.clearElsewhere(id),
    });
    parts.throwIfAnyFailed();
  }

  private async clearBatch(beforeMs: number): Promise<number> {
    const rows = await this.deregistered.listUncleared(beforeMs, BATCH);
    const parts = new JobParts();
    await parts.each(rows, {
      run: undefined,
      nameOf: ({ id }) => `account ${id}`,
      work: async ({ id, emailFolded }) => {
        // First: an account without personal fields is not looked at again.
        await this.deregistered.clearElsewhere(id);
        await runInTransaction(this.dataSource, (manager) =>
          this.deregistered.clearPersonal(manager, id, this.markOf(emailFolded)),
        );
      },
    });
    parts.throwIfAnyFailed();
    return rows.length;
  }

  /**
   * Clears the personal data of a deregistered account at once, its external identities included, and removes it from every list.
   * The books keep their basis: settlements, ledger, log without its end users, audit, and the row they point to with its name and its sums.
   * @param record  records the actor and the name of the account in the same transaction
   * Fails: DomainError `user_not_found`, also for a purged account, `user_not_deregistered`.
   */
  async purge(
    id: number,
    record: (manager: EntityManager, username: string) => Promise<void>,
  ): Promise<void> {
    await runInTransaction(this.dataSource, async (manager) => {
      const user = await this.accounts.findLocked(manager, id);
      if (user === null || user.purgedAtMs !== null) throw new DomainError('user_not_found');
      if (user.deletedAtMs === null) throw new DomainError('user_not_deregistered');
      await this.deregistered.clearPersonal(manager, id, this.markOf(user.emailFolded));
      await this.deregistered.markPurged(manager, id, this.clock.nowMs());
      await record(manager, user.username);
    });
    this.feed.announce('user', id);
    await this.deregistered.clearElsewhere(id);
  }

  private markOf(emailFolded: string | null): string | null {
    return emailFolded === null ? null : clearedAddress(this.env.cryptoSecret, emailFolded);
  }
}

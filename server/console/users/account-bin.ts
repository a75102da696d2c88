import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import type { Actor } from '../../base/access/current-actor.js';
import { IDENTITY_PROVIDERS, PROVIDER_FACTS } from '../../base/access/identity-providers.js';
import { isKept } from '../../base/bin/bin-rules.js';
import type { BinItem, BinQuery, Hindrance } from '../../base/bin/bin-view.js';
import { presentBinRow, readBinPage } from '../../base/bin/present-bin.js';
import { AccountsRepository } from '../../base/users/accounts.repository.js';
import { DeregisteredAccountsRepository } from '../../base/users/deregistered-accounts.repository.js';
import type { UserEntity } from '../../base/users/user.entity.js';
import { Clock } from '../../common/clock.js';
import { DomainError } from '../../common/errors/domain-error.js';
import type { Page } from '../../common/page.js';
import { runInTransaction } from '../../infra/database/run-in-transaction.js';
import { ChangeFeed } from '../../infra/events/change-feed.js';
import { UserRecords } from './user-records.js';

/** Deregistered accounts: root restores those that an administrator deleted, until their personal fields are cleared. */
@Injectable()
export class AccountBin {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly accounts: AccountsRepository,
    private readonly deregistered: DeregisteredAccountsRepository,
    private readonly records: UserRecords,
    private readonly feed: ChangeFeed,
    private readonly clock: Clock,
  ) {}

  /** Purged accounts are left out. Fails: DomainError `page_out_of_reach`. */
  list(query: BinQuery): Promise<Page<BinItem>> {
    const nowMs = this.clock.nowMs();
    return readBinPage(query, async (offset, limit) => {
      const { rows, total } = await this.deregistered.listDeregistered(offset, limit);
      const items = rows.map(({ user, deletedByName }) =>
        presentBinRow(
          {
            id: user.id,
            name: user.username,
            ownerId: user.id,
            ownerName: user.username,
            deletedAtMs: user.deletedAtMs,
            deletedBy: user.deletedBy,
            deletedByName,
            wipedAtMs: user.purgedAtMs,
            identities: IDENTITY_PROVIDERS.filter((name) => user[PROVIDER_FACTS[name].column] !== null),
          },
          hindranceOf(user, nowMs),
        ),
      );
      return { items, total };
    });
  }

  /**
   * Restores accounts with what they still have; their logins ended with the deletion and stay ended. All of them or none.
   * @returns how many. Fails: DomainError `user_not_found`, `user_not_deregistered`, `restore_left_account`, `restore_not_kept`.
   */
  async restore(actor: Actor, ids: readonly number[]): Promise<number> {
    const wanted = [...new Set(ids)].toSorted((a, b) => a - b);
    const restored = await runInTransaction(this.dataSource, async (manager) => {
      const users: UserEntity[] = [];
      for (const id of wanted) users.push(await this.restoreOne(manager, id));
      for (const { id, username, role, status } of users)
        await this.records.record(manager, actor, {
          action: 'restore',
          target: { id, username },
          detail: { role, status },
        });
      return users;
    });
    for (const user of restored) {
      this.feed.announce('user', user.id);
      await this.records.note(actor, user, { action: 'restore', act: 'restored the account' });
    }
    return restored.length;
  }

  private async restoreOne(manager: EntityManager, id: number): Promise<UserEntity> {
    const user = await this.accounts.findLocked(manager, id);
    if (user === null || user.purgedAtMs !== null) throw new DomainError('user_not_found');
    if (user.deletedAtMs === null) throw new DomainError('user_not_deregistered');
    const hindrance = hindranceOf(user, this.clock.nowMs());
    if (hindrance === 'left') throw new DomainError('restore_left_account');
    if (hindrance !== '' || !(await this.deregistered.restore(manager, id)))
      throw new DomainError('restore_not_kept');
    return user;
  }
}

/** `left` before `not_kept`: an account that its owner deleted comes back at no time. */
function hindranceOf(user: UserEntity, nowMs: number): Hindrance {
  if (user.deletedBy === user.id) return 'left';
  const { deletedAtMs, deletedBy, purgedAtMs } = user;
  return deletedBy !== null && isKept({ deletedAtMs, deletedBy, wipedAtMs: purgedAtMs }, nowMs)
    ? ''
    : 'not_kept';
}

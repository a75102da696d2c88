import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { runInTransaction } from '../../infra/database/run-in-transaction.js';
import { ChangeFeed } from '../../infra/events/change-feed.js';
import type { Actor } from '../access/current-actor.js';
import type { LockedAccount } from '../users/account.js';
import { AccountsService } from '../users/accounts.service.js';
import { mailLanguageOf, SecurityEmails } from '../notifications/mail/security-emails.js';
import { actorAndTarget } from '../audit/actor-and-target.js';
import { type AuditEntry, AuditLog } from '../audit/audit-log.js';
import type { GuardChange } from '../notifications/mail/mail-templates.js';

/** Adds and removes sign-in methods: under the account's lock, with an audit entry, and with a notice to the owner afterwards. */
@Injectable()
export class SignInMethodChanges {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly accounts: AccountsService,
    private readonly audit: AuditLog,
    private readonly emails: SecurityEmails,
    private readonly feed: ChangeFeed,
  ) {}

  /**
   * Changes another account without a notice to its owner; recorded with the audit entry.
   * @param work  @returns the audit entry; null when nothing was changed
   */
  async record(
    userId: number,
    actor: Pick<Actor, 'id' | 'role'>,
    work: (manager: EntityManager) => Promise<Pick<AuditEntry, 'action' | 'detail'> | null>,
  ): Promise<void> {
    await runInTransaction(this.dataSource, async (manager) => {
      const act = await work(manager);
      if (act !== null) await this.audit.record(manager, { ...actorAndTarget(actor, userId), ...act });
    });
    this.feed.announce('user', userId);
  }

  /**
   * @param letter  notice to the owner, sent to the address the account had before
   * @param work  @returns the audit entry; null when nothing was changed
   * @returns whether something was changed. Fails: DomainError `user_not_found`, and with the errors of `work`.
   */
  async change(
    owner: Pick<Actor, 'id' | 'role'>,
    letter: GuardChange,
    work: (
      manager: EntityManager,
      user: LockedAccount,
    ) => Promise<Pick<AuditEntry, 'action' | 'detail'> | null>,
  ): Promise<boolean> {
    const changed = await runInTransaction(this.dataSource, async (manager) => {
      const user = await this.accounts.lock(manager, owner.id);
      const act = await work(manager, user);
      if (act === null) return null;
      await this.audit.record(manager, { ...actorAndTarget(owner), ...act });
      return user;
    });
    if (changed === null) return false;
    this.feed.announce('user', owner.id);
    this.emails.sendTo(changed, letter, mailLanguageOf(changed));
    return true;
  }
}

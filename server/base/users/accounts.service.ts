import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { DomainError } from '../../common/errors/domain-error.js';
import { Env } from '../../config/env.js';
import { isDuplicateKey, runInTransaction } from '../../infra/database/run-in-transaction.js';
import { ChangeFeed } from '../../infra/events/change-feed.js';
import { Clock } from '../../common/clock.js';
import type { Account, Recipient } from './account.js';
import { AccountsRepository, type AccountWithMail, type ProfileChanges } from './accounts.repository.js';
import { clearedAddress } from './cleared-address.js';
import { skeletonOf } from './confusable-names.js';
import { loginNameOf } from './login-name.js';
import {
  type IdentityColumn,
  type IdentityProvider,
  type IssuerColumn,
  PROVIDER_FACTS,
} from '../access/identity-providers.js';
import { ROLE } from '../access/user.codes.js';
import type { UserEntity } from './user.entity.js';
import { foldUsername } from './user-rules.js';

/** Accounts as other modules use them: identifies them and changes columns other than money. */
@Injectable()
export class AccountsService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly accounts: AccountsRepository,
    private readonly clock: Clock,
    private readonly feed: ChangeFeed,
    private readonly env: Env,
  ) {}

  findIdentity(id: number): Promise<Account | null> {
    return this.accounts.findIdentity(id);
  }

  findByAccessToken(digest: string): Promise<Account | null> {
    return this.accounts.findByAccessToken(digest);
  }

  /** @param name  username, or mail address when it holds an `@` */
  findForLogin(name: string): Promise<(Account & { password: string }) | null> {
    return this.accounts.findForLogin(loginNameOf(name));
  }

  /** See AccountsRepository. */
  namesContaining(part: string, limit: number): Promise<readonly string[]> {
    return this.accounts.namesContaining(part, limit);
  }

  /** The live account of a folded mail address, or null. */
  findByMail(folded: string): Promise<AccountWithMail | null> {
    return this.accounts.findByMail(folded);
  }

  /** An account's own settings, JSON text (empty = all defaults), and what records of money name it by. */
  callerFactsOf(id: number): Promise<{ readonly setting: string; readonly uid: string }> {
    return this.accounts.callerFactsOf(id);
  }

  /** The mail address of an account as it is written to; empty = none. */
  mailOf(id: number): Promise<string> {
    return this.accounts.mailOf(id);
  }

  /** Accounts as notices see them; deregistered and banned ones are left out. */
  listRecipients(ids: readonly number[]): Promise<Recipient[]> {
    return this.accounts.listRecipients({ ids });
  }

  listRootRecipients(): Promise<Recipient[]> {
    return this.accounts.listRecipients({ role: ROLE.root });
  }

  /** Returns whether an account has a password, and a system access token. */
  signInFactsOf(id: number): Promise<{ readonly hasPassword: boolean; readonly hasAccessToken: boolean }> {
    return this.accounts.signInFactsOf(id);
  }

  passwordOf(id: number): Promise<string> {
    return this.accounts.passwordOf(id);
  }

  /** Replaces the hash of a password by one of the same password; logins stay. A hash that changed meanwhile stays. */
  renewHash(id: number, before: string, after: string): Promise<void> {
    return this.accounts.renewHash(id, before, after);
  }

  /** Names of deregistered accounts count as taken. */
  isNameTaken(username: string): Promise<boolean> {
    return this.accounts.isNameTaken(foldUsername(username));
  }

  /** Refuses names that resemble an administrator's. Fails: DomainError `username_reserved`. */
  async assertNotConfusable(username: string): Promise<void> {
    if (await this.isConfusableWithStaff(username)) throw new DomainError('username_reserved');
  }

  async isConfusableWithStaff(username: string): Promise<boolean> {
    const look = skeletonOf(username);
    const staff = await this.accounts.listStaffNames();
    return staff.some((name) => skeletonOf(name) === look);
  }

  /** Account of an external identity, deregistered accounts included. */
  findByIdentity(
    column: IdentityColumn,
    subject: string,
  ): Promise<(Account & Pick<UserEntity, 'deletedAtMs' | IssuerColumn>) | null> {
    return this.accounts.findByIdentity(column, subject);
  }

  /** The outside identities of an account, with their issuers. Fails: DomainError `user_not_found`. */
  async identitiesOf(id: number): Promise<Pick<UserEntity, IdentityColumn | IssuerColumn>> {
    const user = await this.accounts.find(id, { withDeregistered: false });
    if (user === null) throw new DomainError('user_not_found');
    return user;
  }

  /** Takes an identity off the account that another issuer bound it to. @returns false when it was gone by then */
  async releaseIdentity(
    manager: EntityManager,
    holder: { readonly id: number } & Pick<UserEntity, IssuerColumn>,
    { provider, subject }: { readonly provider: IdentityProvider; readonly subject: string },
  ): Promise<boolean> {
    const { column, issuer } = PROVIDER_FACTS[provider];
    const kept = issuer === null ? null : holder[issuer];
    if (issuer === null || kept === null) return false;
    return this.accounts.releaseIdentity(manager, holder.id, [column, subject], [issuer, kept]);
  }

  /** Addresses of deregistered accounts count as taken. @param folded  lower case */
  isMailTaken(folded: string): Promise<boolean> {
    return this.accounts.isMailTaken(folded, clearedAddress(this.env.cryptoSecret, folded));
  }

  /** Accounts of role root that can sign in. */
  listRoots(): Promise<readonly UserEntity[]> {
    return this.accounts.listRoots();
  }

  /** The row, locked until the transaction ends. Fails: DomainError `user_not_found`, also for a deregistered account. */
  async lock(manager: EntityManager, id: number): Promise<UserEntity> {
    const user = await this.accounts.findLocked(manager, id);
    if (user === null || user.deletedAtMs !== null) throw new DomainError('user_not_found');
    return user;
  }

  /** True when an account is deregistered or never existed; it stays so until the transaction ends. */
  async isGone(manager: EntityManager, id: number): Promise<boolean> {
    const user = await this.accounts.findLocked(manager, id);
    return user === null || user.deletedAtMs !== null;
  }

  hasRoot(): Promise<boolean> {
    return this.accounts.hasRoot();
  }

  async recordLogin(id: number): Promise<void> {
    await this.accounts.setLastLogin(id, Math.floor(this.clock.nowMs() / 1000));
  }

  /** Takes the account out of use, by its owner; its logins end, its row and its books stay. Nothing restores it. */
  async deregister(id: number): Promise<void> {
    await this.change(id, { deletedAtMs: this.clock.nowMs(), deletedBy: id }, { endsLogins: true });
  }

  /**
   * Changes columns of an account; every instance is notified.
   * @param endsLogins  sessions and the system access token stop (password, ban, role, deletion)
   * Fails: DomainError `username_taken`, `mail_taken`, `user_not_found`.
   */
  async change(
    id: number,
    changes: ProfileChanges,
    { endsLogins }: { readonly endsLogins: boolean },
  ): Promise<void> {
    await runInTransaction(this.dataSource, (manager) =>
      this.changeWith(manager, id, changes, { endsLogins }),
    ).catch((error: unknown) => {
      if (!isDuplicateKey(error)) throw error;
      throw new DomainError(changes.emailFolded == null ? 'username_taken' : 'mail_taken');
    });
    this.feed.announce('user', id);
  }

  /** Like `change`, inside the caller's transaction; the caller announces `user` after the commit. */
  async changeWith(
    manager: EntityManager,
    id: number,
    changes: ProfileChanges,
    options: { readonly endsLogins: boolean },
  ): Promise<void> {
    if (!(await this.accounts.update(manager, id, changes, options))) throw new DomainError('user_not_found');
  }
}

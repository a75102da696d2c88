import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { DomainError } from '../../common/errors/domain-error.js';
import { isDuplicateKey, runInTransaction } from '../../infra/database/run-in-transaction.js';
import { ChangeFeed } from '../../infra/events/change-feed.js';
import { AuditLog } from '../audit/audit-log.js';
import type { Actor } from '../access/current-actor.js';
import { OptionsService } from '../options/options.service.js';
import type { Account } from '../accounts/account.js';
import { SecurityEmails } from '../accounts/security-emails.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { SignInMethods } from '../accounts/sign-in-methods.js';
import {
  IDENTITY_PROVIDERS,
  type IdentityProvider,
  isProviderOn,
  PROVIDER_FACTS,
} from './identity-provider.js';
import { isNobody, type OutsideProfile } from './outside-profile.js';
import { assertSession } from './session-only.js';

/** Binding identities to the own account, and taking them off again. */
@Injectable()
export class Bindings {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly accounts: AccountsService,
    private readonly ways: SignInMethods,
    private readonly letters: SecurityEmails,
    private readonly options: OptionsService,
    private readonly audit: AuditLog,
    private readonly feed: ChangeFeed,
  ) {}

  /**
   * An identity belongs to one account, deregistered ones included. Binding what is bound here already changes nothing.
   * Fails: DomainError `identity_taken`, `identity_bound_already`, `demo_site`.
   */
  async bind(actor: Actor, { provider, subject }: OutsideProfile): Promise<void> {
    const { column, label } = PROVIDER_FACTS[provider];
    if (isNobody(subject)) throw new DomainError('identity_answer_unreadable', { provider: label });
    if (this.options.values().DemoSiteEnabled) throw new DomainError('demo_site');
    const holder = await this.accounts.findByIdentity(column, subject);
    if (holder?.id === actor.id) return;
    if (holder !== null) throw new DomainError('identity_taken', { provider: label });
    await runInTransaction(this.dataSource, async (manager) => {
      const user = await this.accounts.lock(manager, actor.id);
      if (user[column] !== null) throw new DomainError('identity_bound_already', { provider: label });
      await this.accounts.changeWith(manager, actor.id, { [column]: subject }, { endsLogins: false });
      await this.audit.record(manager, { ...ofActor(actor), action: 'identity.bind', detail: { provider } });
    }).catch((error: unknown) => {
      if (isDuplicateKey(error)) throw new DomainError('identity_taken', { provider: label });
      throw error;
    });
    this.feed.announce('user', actor.id);
    this.letters.tell(actor.id, 'identity-bound');
  }

  /**
   * Binds an identity to the account whose address the provider verified, when the account has none of this provider.
   * @returns false when it has one
   */
  async bindVerified(
    account: Pick<Account, 'id' | 'role'>,
    { provider, subject }: OutsideProfile,
  ): Promise<boolean> {
    const { column } = PROVIDER_FACTS[provider];
    const isBound = await runInTransaction(this.dataSource, async (manager) => {
      const user = await this.accounts.lock(manager, account.id);
      if (user[column] !== null) return false;
      await this.accounts.changeWith(manager, account.id, { [column]: subject }, { endsLogins: false });
      const detail = { provider, by: 'verified mail address' };
      await this.audit.record(manager, { ...ofActor(account), action: 'identity.bind', detail });
      return true;
    }).catch((error: unknown) => {
      if (isDuplicateKey(error)) return false;
      throw error;
    });
    if (!isBound) return false;
    this.feed.announce('user', account.id);
    this.letters.tell(account.id, 'identity-bound');
    return true;
  }

  /**
   * Takes an identity off a deregistered account, so that its person may come back: they get a new account.
   * Fails: DomainError `user_not_found`, `user_not_deregistered`, `identity_not_bound`.
   */
  async free(actor: Actor, userId: number, provider: IdentityProvider): Promise<void> {
    const { column, label } = PROVIDER_FACTS[provider];
    await runInTransaction(this.dataSource, async (manager) => {
      const isFreed = await this.accounts.freeIdentity(manager, userId, column);
      if (!isFreed) throw new DomainError('identity_not_bound', { provider: label });
      await this.audit.record(manager, {
        actorId: actor.id,
        actorRole: actor.role,
        targetType: 'user',
        targetId: userId,
        action: 'identity.free',
        detail: { provider },
      });
    });
  }

  /** Fails: DomainError `identity_not_bound`, `identity_last_way`, `session_required`. */
  async unbind(actor: Actor, provider: IdentityProvider): Promise<void> {
    const { column, label } = PROVIDER_FACTS[provider];
    assertSession(actor);
    const password = await this.accounts.passwordOf(actor.id);
    await runInTransaction(this.dataSource, async (manager) => {
      const user = await this.accounts.lock(manager, actor.id);
      if (user[column] === null) throw new DomainError('identity_not_bound', { provider: label });
      const options = this.options.values();
      const hasPassword = password !== '' && options.PasswordLoginEnabled;
      const hasOther = IDENTITY_PROVIDERS.some(
        (other) =>
          other !== provider && isProviderOn(options, other) && user[PROVIDER_FACTS[other].column] !== null,
      );
      if (!hasPassword && !hasOther && (await this.ways.countOf(actor.id, options, manager)) === 0)
        throw new DomainError('identity_last_way');
      await this.accounts.changeWith(manager, actor.id, { [column]: null }, { endsLogins: false });
      await this.audit.record(manager, {
        ...ofActor(actor),
        action: 'identity.unbind',
        detail: { provider },
      });
    });
    this.feed.announce('user', actor.id);
    this.letters.tell(actor.id, 'identity-unbound');
  }

  /** The mail address is no way in of its own: it names an account whose password somebody knows. Fails: `identity_not_bound`. */
  async unbindMail(actor: Actor): Promise<void> {
    assertSession(actor);
    const former = await runInTransaction(this.dataSource, async (manager) => {
      const user = await this.accounts.lock(manager, actor.id);
      if (user.email === '') throw new DomainError('identity_not_bound', { provider: 'mail' });
      await this.accounts.changeWith(
        manager,
        actor.id,
        { email: '', emailFolded: null },
        { endsLogins: false },
      );
      await this.audit.record(manager, {
        ...ofActor(actor),
        action: 'identity.unbind',
        detail: { provider: 'mail' },
      });
      return user;
    });
    this.feed.announce('user', actor.id);
    this.letters.tellAt(former, 'mail');
  }
}

const ofActor = (actor: Pick<Actor, 'id' | 'role'>) => ({
  actorId: actor.id,
  actorRole: actor.role,
  targetType: 'user',
  targetId: actor.id,
});

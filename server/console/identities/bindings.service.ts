import { Injectable } from '@nestjs/common';
import { DomainError } from '../../common/errors/domain-error.js';
import { isDuplicateKey } from '../../infra/database/run-in-transaction.js';
import type { Actor } from '../../base/access/current-actor.js';
import type { Account } from '../../base/users/account.js';
import { AccountsService } from '../../base/users/accounts.service.js';
import { SignInMethods } from '../../base/users/sign-in-methods.js';
import { SignInMethodChanges } from '../../base/auth/sign-in-method-changes.js';
import { assertBySession } from '../../base/auth/step-up.service.js';
import { OptionsService } from '../../base/options/options.service.js';
import { type IdentityProvider, PROVIDER_FACTS } from '../../base/access/identity-providers.js';
import { hasIdentityWay } from './identity-provider.js';
import { isEmptySubject, type ExternalProfile } from './external-profile.js';

/** Binding identities to the own account, and taking them off again. */
@Injectable()
export class Bindings {
  constructor(
    private readonly changes: SignInMethodChanges,
    private readonly accounts: AccountsService,
    private readonly ways: SignInMethods,
    private readonly options: OptionsService,
  ) {}

  /**
   * An identity belongs to one account, deregistered ones included. Binding what is bound here already changes nothing.
   * Fails: DomainError `identity_taken`, `identity_bound_already`, `demo_site`.
   */
  async bind(actor: Actor, { provider, subject }: ExternalProfile): Promise<void> {
    const { column, label } = PROVIDER_FACTS[provider];
    if (isEmptySubject(subject)) throw new DomainError('identity_answer_unreadable', { provider: label });
    if (this.options.values().DemoSiteEnabled) throw new DomainError('demo_site');
    const holder = await this.accounts.findByIdentity(column, subject);
    if (holder?.id === actor.id) return;
    if (holder !== null) throw new DomainError('identity_taken', { provider: label });
    await this.changes
      .change(actor, 'identity-bound', async (manager, user) => {
        if (user[column] !== null) throw new DomainError('identity_bound_already', { provider: label });
        await this.accounts.changeWith(manager, actor.id, { [column]: subject }, { endsLogins: false });
        return { action: 'identity.bind', detail: { provider } };
      })
      .catch((error: unknown) => {
        if (isDuplicateKey(error)) throw new DomainError('identity_taken', { provider: label });
        throw error;
      });
  }

  /**
   * Binds an identity to the account whose address the provider verified, when the account has none of this provider.
   * @returns false when it has one
   */
  async bindVerified(
    account: Pick<Account, 'id' | 'role'>,
    { provider, subject }: ExternalProfile,
  ): Promise<boolean> {
    const { column } = PROVIDER_FACTS[provider];
    return this.changes
      .change(account, 'identity-bound', async (manager, user) => {
        if (user[column] !== null) return null;
        await this.accounts.changeWith(manager, account.id, { [column]: subject }, { endsLogins: false });
        return { action: 'identity.bind', detail: { provider, by: 'verified mail address' } };
      })
      .catch((error: unknown) => {
        if (isDuplicateKey(error)) return false;
        throw error;
      });
  }

  /** Fails: DomainError `identity_not_bound`, `identity_last_way`, `session_required`. */
  async unbind(actor: Actor, provider: IdentityProvider): Promise<void> {
    const { column, label } = PROVIDER_FACTS[provider];
    assertBySession(actor);
    const password = await this.accounts.passwordOf(actor.id);
    await this.changes.change(actor, 'identity-unbound', async (manager, user) => {
      if (user[column] === null) throw new DomainError('identity_not_bound', { provider: label });
      const options = this.options.values();
      const hasOther =
        (password !== '' && options.PasswordLoginEnabled) || hasIdentityWay(options, user, provider);
      if (!hasOther && (await this.ways.countOf(actor.id, options, manager)) === 0)
        throw new DomainError('identity_last_way');
      await this.accounts.changeWith(manager, actor.id, { [column]: null }, { endsLogins: false });
      return { action: 'identity.unbind', detail: { provider } };
    });
  }

  /** The mail address is no way in of its own: it names an account whose password somebody knows. Fails: `identity_not_bound`. */
  async unbindMail(actor: Actor): Promise<void> {
    assertBySession(actor);
    await this.changes.change(actor, 'mail', async (manager, user) => {
      if (user.email === '') throw new DomainError('identity_not_bound', { provider: 'mail' });
      const none = { email: '', emailFolded: null };
      await this.accounts.changeWith(manager, actor.id, none, { endsLogins: false });
      return { action: 'identity.unbind', detail: { provider: 'mail' } };
    });
  }
}

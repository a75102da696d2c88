import { Injectable } from '@nestjs/common';
import { DomainError } from '../../common/errors/domain-error.js';
import { isDuplicateKey } from '../../infra/database/run-in-transaction.js';
import type { Actor } from '../../base/access/current-actor.js';
import type { Account } from '../../base/users/account.js';
import { AccountsService } from '../../base/users/accounts.service.js';
import { isOfIssuer } from '../../base/users/identity-issuer.js';
import { SignInMethods } from '../../base/users/sign-in-methods.js';
import { SignInMethodChanges } from '../../base/auth/sign-in-method-changes.js';
import { assertBySession } from '../../base/auth/step-up.service.js';
import { OptionsService } from '../../base/options/options.service.js';
import { boundTo, type IdentityProvider, PROVIDER_FACTS } from '../../base/access/identity-providers.js';
import { hasIdentityWay } from './identity-provider.js';
import { isEmptySubject, type VouchedProfile } from './external-profile.js';

/** Binds identities to the own account, and removes them. */
@Injectable()
export class Bindings {
  constructor(
    private readonly changes: SignInMethodChanges,
    private readonly accounts: AccountsService,
    private readonly ways: SignInMethods,
    private readonly options: OptionsService,
  ) {}

  /**
   * An identity of an issuer belongs to one account, deregistered ones included. Binding what is bound here already changes nothing;
   * the same subject of another issuer gives way.
   * Fails: DomainError `identity_taken`, `identity_bound_already`, `demo_site`.
   */
  async bind(actor: Actor, profile: VouchedProfile): Promise<void> {
    const { provider, subject, issuer } = profile;
    const { column, label } = PROVIDER_FACTS[provider];
    if (isEmptySubject(subject)) throw new DomainError('identity_answer_unreadable', { provider: label });
    if (this.options.values().DemoSiteEnabled) throw new DomainError('demo_site');
    const holder = await this.accounts.findByIdentity(column, subject);
    const isTaken = holder !== null && isOfIssuer(holder, provider, issuer);
    if (isTaken && holder.id === actor.id) return;
    if (isTaken) throw new DomainError('identity_taken', { provider: label });
    await this.releaseStale(profile, actor);
    await this.changes
      .change(actor, 'identity-bound', async (manager, user) => {
        if (user[column] !== null && isOfIssuer(user, provider, issuer))
          throw new DomainError('identity_bound_already', { provider: label });
        await this.accounts.changeWith(manager, actor.id, boundTo(provider, profile), { endsLogins: false });
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
  async bindVerified(account: Pick<Account, 'id' | 'role'>, profile: VouchedProfile): Promise<boolean> {
    const { provider, issuer } = profile;
    const { column } = PROVIDER_FACTS[provider];
    await this.releaseStale(profile, account);
    return this.changes
      .change(account, 'identity-bound', async (manager, user) => {
        if (user[column] !== null && isOfIssuer(user, provider, issuer)) return null;
        await this.accounts.changeWith(manager, account.id, boundTo(provider, profile), {
          endsLogins: false,
        });
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
      await this.accounts.changeWith(manager, actor.id, boundTo(provider, null), { endsLogins: false });
      return { action: 'identity.unbind', detail: { provider } };
    });
  }

  /**
   * Takes the subject of a profile off the account that another issuer bound it to: it signs in to nothing any more, and a subject
   * stands in one row. Recorded for that account.
   */
  async releaseStale(
    { provider, subject, issuer }: VouchedProfile,
    actor: Pick<Actor, 'id' | 'role'>,
  ): Promise<void> {
    const { column } = PROVIDER_FACTS[provider];
    const holder = await this.accounts.findByIdentity(column, subject);
    if (holder === null || holder.id === actor.id || isOfIssuer(holder, provider, issuer)) return;
    await this.changes.record(holder.id, actor, async (manager) =>
      (await this.accounts.releaseIdentity(manager, holder, { provider, subject }))
        ? { action: 'identity.unbind', detail: { provider, by: 'another issuer' } }
        : null,
    );
  }

  /** The mail address is no sign-in method of its own: it names an account that has a password. Fails: `identity_not_bound`. */
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

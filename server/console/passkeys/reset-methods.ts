import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../../common/errors/domain-error.js';
import { boundTo, IDENTITY_PROVIDERS, PROVIDER_FACTS } from '../../base/access/identity-providers.js';
import { ResetProofs } from '../../base/auth/password-reset/reset-proofs.js';
import { SignInMethodChanges } from '../../base/auth/sign-in-method-changes.js';
import { OptionsService } from '../../base/options/options.service.js';
import { AccountsService } from '../../base/users/accounts.service.js';
import { isOpenedBy } from '../identities/identity-provider.js';
import type { ResetMethodsView } from './dto/reset-methods.dto.js';
import { PasskeysRepository } from './passkeys.repository.js';

/** Identities and passkeys that still open an account whose password was just reset. */
@Injectable()
export class ResetMethods {
  constructor(
    private readonly proofs: ResetProofs,
    private readonly accounts: AccountsService,
    private readonly passkeys: PasskeysRepository,
    private readonly changes: SignInMethodChanges,
    private readonly options: OptionsService,
  ) {}

  /** Empty for a browser that has reset no password. */
  async list(request: FastifyRequest): Promise<ResetMethodsView> {
    const proof = await this.proofs.look(request);
    if (proof === null) return { identities: [], passkeys: [], may_release: false };
    const options = this.options.values();
    const user = await this.accounts.identitiesOf(proof.account.id);
    const identities = IDENTITY_PROVIDERS.filter((provider) => isOpenedBy(options, user, provider));
    const passkeys = options['passkey.enabled'] ? await this.passkeys.listOf(proof.account.id) : [];
    return {
      identities,
      passkeys: passkeys.map(({ name }) => name),
      may_release: !proof.hasSecondStep && options.PasswordLoginEnabled,
    };
  }

  /**
   * Takes every identity and passkey off the account and ends its logins: the password alone signs in.
   * Fails: DomainError `reset_link_invalid` without a fresh reset of this browser, `reset_release_needs_login` for an account with an
   * authenticator app, `identity_last_way` while passwords do not sign in.
   */
  async release(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const proof = await this.proofs.look(request);
    if (proof === null) throw new DomainError('reset_link_invalid');
    if (proof.hasSecondStep) throw new DomainError('reset_release_needs_login');
    if (!this.options.values().PasswordLoginEnabled) throw new DomainError('identity_last_way');
    if (!(await this.proofs.take(request, reply))) throw new DomainError('reset_link_invalid');
    const { account } = proof;
    await this.changes.change(account, 'identity-unbound', async (manager, user) => {
      const bound = IDENTITY_PROVIDERS.filter((provider) => user[PROVIDER_FACTS[provider].column] !== null);
      const count = await this.passkeys.deleteAllOf(manager, account.id);
      const none = Object.assign({}, ...bound.map((provider) => boundTo(provider, null))) as object;
      await this.accounts.changeWith(manager, account.id, none, { endsLogins: true });
      return { action: 'identity.release_all', detail: { provider: [...bound], count } };
    });
  }
}

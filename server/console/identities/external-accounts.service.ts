import { randomInt } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DomainError } from '../../common/errors/domain-error.js';
import { networkOf } from '../../common/client-network.js';
import { RateLimiter } from '../../infra/rate-limit/rate-limiter.js';
import { OptionsService } from '../../base/options/options.service.js';
import type { Account } from '../../base/users/account.js';
import { AccountCreation, type AccountRequest } from '../../base/users/account-creation.service.js';
import { isOfIssuer } from '../../base/users/identity-issuer.js';
import { AccountsService } from '../../base/users/accounts.service.js';
import { parseMailAddress, refusalByMailRules } from '../../common/mail-address.js';
import { ROLE, USER_STATUS } from '../../base/access/user.codes.js';
import { Bindings } from './bindings.service.js';
import { PROVIDER_FACTS } from '../../base/access/identity-providers.js';
import { isProviderOn } from './identity-provider.js';
import {
  displayNameOf,
  generatedUsername,
  isEmptySubject,
  suggestedUsername,
  type VouchedProfile,
} from './external-profile.js';

/** Accounts one network may make by signing in from outside: an identity is worth more than a form, and offices share an address. */
const ACCOUNTS = { limit: 20, windowMs: 3_600_000 };
/** An account that does not exist yet. */
const NO_ACTOR = { id: 0, role: 0 };
const NAME_ATTEMPTS = 5;
const ENDING_LENGTH = 8;
const ENDING_ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789';

/** Finds the account of an external identity, and makes new accounts for identities without one. */
@Injectable()
export class ExternalAccounts {
  constructor(
    private readonly accounts: AccountsService,
    private readonly creation: AccountCreation,
    private readonly options: OptionsService,
    private readonly throttle: RateLimiter,
    private readonly bindings: Bindings,
  ) {}

  /**
   * Returns the account of an identity; makes one when there is none. An account is found by its verified mail address only if the
   * operator chose so, never by name.
   * Fails: DomainError `account_banned`, `account_deregistered`, `register_off`, `too_many_requests`; `identity_unknown` at
   * Telegram, which opens no accounts.
   */
  async enter(
    profile: VouchedProfile,
    { aff, ip }: { readonly aff: string; readonly ip: string },
  ): Promise<Account> {
    const { label } = PROVIDER_FACTS[profile.provider];
    if (isEmptySubject(profile.subject))
      throw new DomainError('identity_answer_unreadable', { provider: label });
    const known = await this.find(profile);
    if (known !== null) return known;
    const linked = await this.link(profile);
    if (linked !== null) return linked;
    if (profile.provider === 'telegram') throw new DomainError('identity_unknown', { provider: label });
    this.assertOpen(profile);
    await this.throttle.admit(`identity:accounts:${networkOf(ip)}`, ACCOUNTS);
    return this.create(profile, aff);
  }

  private async find({ provider, subject, issuer }: VouchedProfile): Promise<Account | null> {
    const account = await this.accounts.findByIdentity(PROVIDER_FACTS[provider].column, subject);
    if (account === null || !isOfIssuer(account, provider, issuer)) return null;
    if (account.deletedAtMs !== null) throw new DomainError('account_deregistered');
    if (account.status !== USER_STATUS.active) throw new DomainError('account_banned');
    return account;
  }

  /** The account with the address the provider verified, bound from now on; null when there is none to be bound. */
  private async link(profile: VouchedProfile): Promise<Account | null> {
    const mail = parseMailAddress(profile.verifiedMail ?? '');
    if (!this.options.values().LinkAccountsByVerifiedMail || mail === null) return null;
    const account = await this.accounts.findByMail(mail.folded);
    // A provider's statement about an address must not grant an administrator's account.
    if (account === null || account.role >= ROLE.admin || account.status !== USER_STATUS.active) return null;
    return (await this.bindings.bindVerified(account, profile)) ? account : null;
  }

  private async create(profile: VouchedProfile, aff: string): Promise<Account> {
    await this.bindings.releaseStale(profile, NO_ACTOR);
    let suggested = suggestedUsername(profile);
    for (let attempt = 1; attempt <= NAME_ATTEMPTS; attempt += 1) {
      const isFree =
        suggested !== null &&
        !(await this.accounts.isNameTaken(suggested)) &&
        !(await this.accounts.isConfusableWithStaff(suggested));
      const username =
        isFree && suggested !== null ? suggested : generatedUsername(profile.provider, randomEnding());
      const id = await this.creation.tryCreate(await this.wantedOf(profile, username, aff), () =>
        this.assertOpen(profile),
      );
      if (id !== null) {
        const account = await this.accounts.findIdentity(id);
        if (account !== null) return account;
      }
      // The same identity in another window was faster, or else a name or an address was taken meanwhile.
      const other = await this.find(profile);
      if (other !== null) return other;
      suggested = null;
    }
    throw new DomainError('server_busy', {}, 1_000);
  }

  private async wantedOf(
    profile: VouchedProfile,
    username: string,
    affCode: string,
  ): Promise<AccountRequest> {
    const { provider, subject, issuer } = profile;
    return {
      username,
      displayName: displayNameOf(profile, username),
      // No password: this account signs in externally until one is set.
      passwordHash: '',
      role: ROLE.user,
      affCode,
      email: await this.mailOf(profile),
      identity: { provider, subject, issuer },
      actorId: 0,
    };
  }

  /** The address the provider verified, when the rules accept it and it is free; else none. */
  private async mailOf({ verifiedMail }: VouchedProfile): Promise<string> {
    const mail = verifiedMail === undefined ? null : parseMailAddress(verifiedMail);
    if (mail === null || refusalByMailRules(mail, this.options.values()) !== null) return '';
    return (await this.accounts.isMailTaken(mail.folded)) ? '' : mail.address;
  }

  /** Asked before and inside the transaction that makes the account. */
  private assertOpen({ provider }: VouchedProfile): void {
    const options = this.options.values();
    if (!isProviderOn(options, provider))
      throw new DomainError('identity_provider_off', { provider: PROVIDER_FACTS[provider].label });
    if (!options.RegisterEnabled) throw new DomainError('register_off');
    if (options.DemoSiteEnabled) throw new DomainError('demo_site');
  }
}

function randomEnding(): string {
  let ending = '';
  for (let index = 0; index < ENDING_LENGTH; index += 1)
    ending += ENDING_ALPHABET[randomInt(ENDING_ALPHABET.length)];
  return ending;
}

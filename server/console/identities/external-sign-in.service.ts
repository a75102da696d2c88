import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DatabaseBehindPolicy } from '../../base/auth/database-behind-policy.js';
import type { SignInAnswer } from '../../base/auth/sign-in-answer.js';
import { SignIn } from '../../base/auth/sign-in.service.js';
import { OptionsService } from '../../base/options/options.service.js';
import { type IdentityProvider } from '../../base/access/identity-providers.js';
import { assertProviderOn } from './identity-provider.js';
import { ExternalAccounts } from './external-accounts.service.js';
import type { VouchedProfile } from './external-profile.js';

/** A request and its answer, for cookies. */
export interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** Signing in whom a provider has named, whichever way it did. */
@Injectable()
export class ExternalSignIn {
  constructor(
    private readonly accounts: ExternalAccounts,
    private readonly signIn: SignIn,
    private readonly behind: DatabaseBehindPolicy,
    private readonly options: OptionsService,
  ) {}

  /** Signs in the account of a provider's profile. Fails: DomainError `database_behind`, before an account is made. */
  async enter(profile: VouchedProfile, aff: string, { request, reply }: Exchange): Promise<SignInAnswer> {
    this.behind.assertMaySignIn();
    const account = await this.accounts.enter(profile, { aff, ip: request.ip });
    return this.signIn.finish(account, profile.provider, request, reply);
  }

  /** Fails: DomainError `identity_provider_off`. */
  assertOn(provider: IdentityProvider): void {
    assertProviderOn(this.options.values(), provider);
  }
}

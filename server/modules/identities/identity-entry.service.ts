import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../../common/errors/domain-error.js';
import type { Actor } from '../access/current-actor.js';
import type { SignInAnswer } from '../auth/sign-in-answer.js';
import { BehindDatabase } from '../auth/behind-database.js';
import { SignIn } from '../auth/sign-in.service.js';
import { OptionsService } from '../options/options.service.js';
import { Bindings } from './bindings.service.js';
import { cleanOutsideName, type OutsideProfile } from './outside-profile.js';
import { FlowStates } from './flow-state.js';
import { GitHubIdentity } from './github/github.identity.js';
import {
  type IdentityProvider,
  isProviderOn,
  PROVIDER_FACTS,
  type RedirectProvider,
} from './identity-provider.js';
import { LinuxDoIdentity } from './linux-do.identity.js';
import { OidcIdentity } from './oidc/oidc.identity.js';
import { OutsideAccounts } from './outside-accounts.service.js';
import type { RedirectIdentity } from './redirect-identity.js';
import type { CallbackQuery, OAuthStart, OAuthStarted } from './dto/oauth.dto.js';

/** A request and its answer, for cookies. */
export interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** Leaving for a provider and coming back from it. */
@Injectable()
export class IdentityEntry {
  private readonly redirects: Readonly<Record<RedirectProvider, RedirectIdentity>>;

  constructor(
    private readonly states: FlowStates,
    private readonly accounts: OutsideAccounts,
    private readonly bindings: Bindings,
    private readonly signIn: SignIn,
    private readonly options: OptionsService,
    private readonly behind: BehindDatabase,
    github: GitHubIdentity,
    oidc: OidcIdentity,
    linuxdo: LinuxDoIdentity,
  ) {
    this.redirects = { github, oidc, linuxdo };
  }

  /** Where to go. @param actor  whose account is to be bound; null to sign in */
  async start({ provider, aff }: OAuthStart, actor: Actor | null, exchange: Exchange): Promise<OAuthStarted> {
    this.assertOn(provider);
    const state = await this.states.begin(
      { provider, aff, isProven: provider !== 'telegram' },
      actor,
      exchange,
    );
    if (provider === 'telegram') return { url: '', state };
    return { url: await this.redirects[provider].authorizationUrl(state, this.states.proofOf(state)), state };
  }

  /**
   * Back from the provider.
   * @returns what a login answers, or null when an identity was bound
   * Fails: DomainError; the state is used up either way.
   */
  async complete(
    provider: RedirectProvider,
    query: CallbackQuery,
    actor: Actor | null,
    exchange: Exchange,
  ): Promise<SignInAnswer | null> {
    this.assertOn(provider);
    const flow = await this.states.consume(query.state, provider, exchange.request, actor);
    const { label } = PROVIDER_FACTS[provider];
    if (query.error !== '') {
      const reason = cleanOutsideName(query.error_description || query.error, 200);
      throw new DomainError('identity_denied', { provider: label, reason });
    }
    if (query.code === '') throw new DomainError('identity_refused', { provider: label });
    const profile = await this.redirects[provider].profileOf({
      code: query.code,
      state: query.state,
      issuer: query.iss,
      proof: flow.isProven ? this.states.proofOf(query.state) : null,
    });
    if (flow.intent === 'login') return this.enter(profile, flow.aff, exchange);
    if (actor === null) throw new DomainError('identity_state_invalid');
    await this.bindings.bind(actor, profile);
    return null;
  }

  /** Signs in who a provider says it is. Fails: DomainError `database_behind`, before an account is made. */
  async enter(profile: OutsideProfile, aff: string, { request, reply }: Exchange): Promise<SignInAnswer> {
    this.behind.assertMaySignIn();
    const account = await this.accounts.enter(profile, { aff, ip: request.ip });
    return this.signIn.finish(account, profile.provider, request, reply);
  }

  /** Fails: DomainError `identity_provider_off`. */
  assertOn(provider: IdentityProvider): void {
    if (!isProviderOn(this.options.values(), provider))
      throw new DomainError('identity_provider_off', { provider: PROVIDER_FACTS[provider].label });
  }
}

import { Injectable } from '@nestjs/common';
import { DomainError } from '../../common/errors/domain-error.js';
import type { Actor } from '../../base/access/current-actor.js';
import type { SignInAnswer } from '../../base/auth/sign-in-answer.js';
import { Bindings } from './bindings.service.js';
import type { CallbackQuery, OAuthStart, OAuthStarted } from './dto/oauth.dto.js';
import { FlowStates } from './flow-state.js';
import { PROVIDER_FACTS, type RedirectProvider } from '../../base/access/identity-providers.js';
import { cleanExternalName } from './external-profile.js';
import { type Exchange, ExternalSignIn } from './external-sign-in.service.js';
import { IdentityIssuers } from '../../base/users/identity-issuer.js';
import { GitHubIdentity } from './github/github.identity.js';
import { LinuxDoIdentity } from './linux-do.identity.js';
import { OidcIdentity } from './oidc/oidc.identity.js';
import type { RedirectIdentity } from './redirect-identity.js';

/** Providers with a redirect flow. */
@Injectable()
export class RedirectProviders {
  private readonly providers: Readonly<Record<RedirectProvider, RedirectIdentity>>;

  constructor(github: GitHubIdentity, oidc: OidcIdentity, linuxdo: LinuxDoIdentity) {
    this.providers = { github, oidc, linuxdo };
  }

  of(provider: RedirectProvider): RedirectIdentity {
    return this.providers[provider];
  }
}

/** Sends the browser to a provider and handles its return. */
@Injectable()
export class RedirectSignIn {
  constructor(
    private readonly outside: ExternalSignIn,
    private readonly states: FlowStates,
    private readonly providers: RedirectProviders,
    private readonly bindings: Bindings,
    private readonly issuers: IdentityIssuers,
  ) {}

  /** Starts a flow. @param actor  account to bind; null to sign in */
  async start({ provider, aff }: OAuthStart, actor: Actor | null, exchange: Exchange): Promise<OAuthStarted> {
    this.outside.assertOn(provider);
    const state = await this.states.begin(
      { provider, aff, isProven: provider !== 'telegram' },
      actor,
      exchange,
    );
    if (provider === 'telegram') return { url: '', state };
    return {
      url: await this.providers.of(provider).authorizationUrl(state, this.states.proofOf(state)),
      state,
    };
  }

  /**
   * Handles the return from the provider.
   * @returns the answer of a login, or null when an identity was bound
   * Fails: DomainError; the state is used up either way.
   */
  async complete(
    provider: RedirectProvider,
    query: CallbackQuery,
    actor: Actor | null,
    exchange: Exchange,
  ): Promise<SignInAnswer | null> {
    this.outside.assertOn(provider);
    const flow = await this.states.consume(query.state, provider, exchange.request, actor);
    const { label } = PROVIDER_FACTS[provider];
    if (query.error !== '') {
      const reason = cleanExternalName(query.error_description || query.error, 200);
      throw new DomainError('identity_denied', { provider: label, reason });
    }
    if (query.code === '') throw new DomainError('identity_refused', { provider: label });
    const issuer = this.issuers.of(provider);
    const named = await this.providers.of(provider).profileOf({
      code: query.code,
      state: query.state,
      issuer: query.iss,
      proof: flow.isProven ? this.states.proofOf(query.state) : null,
    });
    // Another server was set meanwhile: which of the two vouched is not certain.
    if (this.issuers.of(provider) !== issuer) throw new DomainError('identity_state_invalid');
    const profile = { ...named, issuer };
    if (flow.intent === 'login') return this.outside.enter(profile, flow.aff, exchange);
    if (actor === null) throw new DomainError('identity_state_invalid');
    await this.bindings.bind(actor, profile);
    return null;
  }
}

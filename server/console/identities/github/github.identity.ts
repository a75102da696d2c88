import { Injectable, Logger } from '@nestjs/common';
import { z } from 'zod';
import type { Strategy } from 'passport';
import { DomainError } from '../../../common/errors/domain-error.js';
import { OptionsService } from '../../../base/options/options.service.js';
import type { FlowProof } from '../flow-state.js';
import { guardedStrategy, type Signed, type StrategySettings } from './github-strategy.js';
import { IdentityFetcher } from '../identity-fetcher.js';
import { PROVIDER_FACTS } from '../../../base/access/identity-providers.js';
import type { ExternalProfile } from '../external-profile.js';
import type { Callback, RedirectIdentity } from '../redirect-identity.js';
import { ReturnAddress } from '../return-address.js';

const { label } = PROVIDER_FACTS.github;
const SCOPE = 'user:email';

/** https://docs.github.com/en/rest/users/emails (read 2026-11-21). */
const mailsSchema = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }));

/** GitHub, or a GitHub Enterprise server, by passport-github2. */
@Injectable()
export class GitHubIdentity implements RedirectIdentity {
  private readonly logger = new Logger('Identities');

  constructor(
    private readonly options: OptionsService,
    private readonly fetcher: IdentityFetcher,
    private readonly returnAddress: ReturnAddress,
  ) {}

  async authorizationUrl(state: string, proof: FlowProof): Promise<string> {
    const strategy = await this.strategy(proof);
    const outcome = await runStrategy(
      strategy,
      {},
      { state, scope: SCOPE, callbackURL: this.returnAddress.of('github') ?? '' },
    );
    if (outcome.kind !== 'redirect') throw new Error('the strategy did not say where to go');
    return outcome.url;
  }

  async profileOf({ code, proof }: Callback): Promise<ExternalProfile> {
    const strategy = await this.strategy(proof);
    const outcome = await runStrategy(strategy, { code });
    if (outcome.kind !== 'success') {
      if (strategy.fault !== undefined) throw strategy.fault;
      const cause = outcome.kind === 'failure' ? outcome.cause : 'it sent people away again';
      this.logger.warn(`GitHub did not confirm a sign-in: ${String(cause).slice(0, 200)}`);
      throw new DomainError('identity_refused', { provider: label });
    }
    const { user, accessToken } = outcome.user as Signed;
    return {
      provider: 'github',
      subject: String(user.id),
      displayName: user.name ?? user.login ?? undefined,
      verifiedMail: await this.verifiedMail(accessToken),
    };
  }

  /** The primary address when GitHub verified it. An app that may not read addresses signs people in without. */
  private async verifiedMail(accessToken: string): Promise<string | undefined> {
    const reply = await this.fetcher.send(label, {
      method: 'GET',
      url: `${this.addresses().api}/user/emails`,
      headers: { authorization: `Bearer ${accessToken}` },
    });
    if (reply.status !== 200) return undefined;
    const mails = this.fetcher.readJson(label, reply, mailsSchema);
    return mails.find(({ primary, verified }) => primary && verified)?.email;
  }

  private async strategy(proof: FlowProof | null): Promise<InstanceType<ReturnType<typeof guardedStrategy>>> {
    // Ten megabytes, loaded by the first who goes to GitHub.
    const { Strategy } = await import('passport-github2');
    const GuardedStrategy = guardedStrategy(Strategy);
    return new GuardedStrategy(this.settings(proof), this.fetcher);
  }

  private addresses(): { readonly server: string; readonly api: string } {
    const { GitHubServerAddress, GitHubApiAddress } = this.options.values();
    return {
      server: GitHubServerAddress || 'https://github.com',
      api: GitHubApiAddress || 'https://api.github.com',
    };
  }

  private settings(proof: FlowProof | null): StrategySettings {
    const { GitHubClientId, GitHubClientSecret } = this.options.values();
    const { server, api } = this.addresses();
    return {
      clientId: GitHubClientId,
      clientSecret: GitHubClientSecret,
      tokenUrl: `${server}/login/oauth/access_token`,
      authorizationUrl: `${server}/login/oauth/authorize`,
      profileUrl: `${api}/user`,
      verifier: proof?.verifier,
    };
  }
}

/** Outcome of a run. */
export type StrategyOutcome =
  | { readonly kind: 'success'; readonly user: unknown }
  | { readonly kind: 'redirect'; readonly url: string }
  | { readonly kind: 'failure'; readonly cause: unknown };

/**
 * Runs a passport strategy once, without its middleware: no session, no request of a framework, a run of its own per call.
 * @param query  parameters of the callback; without a code the strategy sends people to the provider
 */
export function runStrategy(
  strategy: Strategy,
  query: Readonly<Record<string, string>>,
  options: Readonly<Record<string, string>> = {},
): Promise<StrategyOutcome> {
  return new Promise((resolve) => {
    const fail = (cause: unknown): void => resolve({ kind: 'failure', cause });
    const run = Object.assign(Object.create(strategy) as Strategy, {
      success: (user: unknown) => resolve({ kind: 'success', user }),
      fail,
      error: fail,
      redirect: (url: string) => resolve({ kind: 'redirect', url }),
      pass: () => fail(new Error('the strategy did not decide')),
    });
    try {
      Reflect.apply(run.authenticate, run, [{ query }, options]);
    } catch (error) {
      fail(error);
    }
  });
}

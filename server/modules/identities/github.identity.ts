import { createHash } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { Strategy } from 'passport-github2';
import { z } from 'zod';
import { DomainError } from '../../common/errors/domain-error.js';
import { OptionsService } from '../options/options.service.js';
import type { FlowProof } from './flow-state.js';
import { IdentityFetcher } from './identity-fetcher.js';
import { PROVIDER_FACTS } from './identity-provider.js';
import type { OutsideProfile } from './outside-profile.js';
import { type Callback, type RedirectIdentity, withParameters } from './redirect-identity.js';
import { ReturnAddress } from './return-address.js';
import { runStrategy } from './strategy-runner.js';

const { label } = PROVIDER_FACTS.github;
const SCOPE = 'user:email';

/** https://docs.github.com/en/rest/users/users (read 2026-11-21): the id is the one thing of a user that never changes. */
const userSchema = z.object({
  id: z.int().positive(),
  login: z.string().nullish(),
  name: z.string().nullish(),
});
/** https://docs.github.com/en/rest/users/emails (read 2026-11-21). */
const mailsSchema = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }));

interface Signed {
  readonly user: z.infer<typeof userSchema>;
  readonly accessToken: string;
}

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
    return withParameters(`${this.addresses().server}/login/oauth/authorize`, {
      client_id: this.options.values().GitHubClientId,
      redirect_uri: this.returnAddress.of('github') ?? undefined,
      scope: SCOPE,
      state,
      code_challenge: createHash('sha256').update(proof.verifier).digest('base64url'),
      code_challenge_method: 'S256',
    });
  }

  async profileOf({ code, proof }: Callback): Promise<OutsideProfile> {
    const strategy = new GuardedStrategy(this.settings(proof), this.fetcher);
    const outcome = await runStrategy(strategy, { code });
    if (outcome.kind === 'failure') {
      if (strategy.fault !== undefined) throw strategy.fault;
      this.logger.warn(`GitHub did not confirm a sign-in: ${String(outcome.cause).slice(0, 200)}`);
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

interface StrategySettings {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly tokenUrl: string;
  readonly authorizationUrl: string;
  readonly profileUrl: string;
  readonly verifier: string | undefined;
}

type OAuthDone = (fault: { statusCode: number; data?: string } | null, body?: string) => void;

/** The strategy with our door to the network in place of its own, and with the proof of the flow. */
class GuardedStrategy extends Strategy {
  /** Why the provider could not be asked, or what it answered was no use; the strategy would hide it in an error of its own. */
  fault: unknown;

  constructor(
    private readonly settings: StrategySettings,
    fetcher: IdentityFetcher,
  ) {
    super(
      {
        clientID: settings.clientId,
        clientSecret: settings.clientSecret,
        // Not sent: GitHub returns people to where they were sent from.
        callbackURL: '',
        authorizationURL: settings.authorizationUrl,
        tokenURL: settings.tokenUrl,
        userProfileURL: settings.profileUrl,
      },
      (
        accessToken: string,
        _refreshToken: string,
        profile: { _json: unknown },
        done: (error: unknown, user?: object) => void,
      ) => {
        const user = userSchema.safeParse(profile._json);
        if (user.success) return done(null, { user: user.data, accessToken } satisfies Signed);
        this.fault = new DomainError('identity_answer_unreadable', { provider: label });
        done(this.fault);
      },
    );
    const request = (
      method: string,
      url: string,
      headers: Readonly<Record<string, string>> | null,
      body: unknown,
      _accessToken: string | null,
      done: OAuthDone,
    ): void => {
      const text = typeof body === 'string' && body !== '' ? body : undefined;
      fetcher
        .send(label, { method: method === 'POST' ? 'POST' : 'GET', url, headers: headers ?? {}, body: text })
        .then((reply) => {
          const answer = reply.body.toString('utf8');
          if (reply.status === 200) done(null, answer);
          else done({ statusCode: reply.status, data: answer });
        })
        .catch((error: unknown) => {
          // Also what the strategy throws while it reads an answer.
          this.fault ??=
            error instanceof DomainError
              ? error
              : new DomainError('identity_answer_unreadable', { provider: label });
          done({ statusCode: 502 });
        });
    };
    Object.defineProperty(this._oauth2, '_request', { value: request });
  }

  override tokenParams(): object {
    return this.settings.verifier === undefined ? {} : { code_verifier: this.settings.verifier };
  }
}

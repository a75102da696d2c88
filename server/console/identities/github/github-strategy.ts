import { createHash } from 'node:crypto';
import type { Strategy } from 'passport-github2';
import { z } from 'zod';
import { DomainError } from '../../../common/errors/domain-error.js';
import type { IdentityFetcher } from '../identity-fetcher.js';
import { PROVIDER_FACTS } from '../../../base/access/identity-providers.js';

const { label } = PROVIDER_FACTS.github;

/** https://docs.github.com/en/rest/users/users (read 2026-11-21): the id is the one thing of a user that never changes. */
const userSchema = z.object({
  id: z.int().positive(),
  login: z.string().nullish(),
  name: z.string().nullish(),
});
export interface Signed {
  readonly user: z.infer<typeof userSchema>;
  readonly accessToken: string;
}

export interface StrategySettings {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly tokenUrl: string;
  readonly authorizationUrl: string;
  readonly profileUrl: string;
  readonly verifier: string | undefined;
}

type OAuthDone = (fault: { statusCode: number; data?: string } | null, body?: string) => void;

/**
 * The strategy with our HTTP client in place of its own, and with the proof of the flow.
 * @param Base  the package's class, loaded on demand, while this file is loaded at the start
 */
export const guardedStrategy = (Base: typeof Strategy) =>
  class GuardedStrategy extends Base {
    /** Reason of a failed or unusable answer of the provider; the strategy would hide it in an error of its own. */
    fault: unknown;

    constructor(
      private readonly settings: StrategySettings,
      fetcher: IdentityFetcher,
    ) {
      super(
        {
          clientID: settings.clientId,
          clientSecret: settings.clientSecret,
          // Not sent with a code: GitHub returns people to where they were sent from.
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
          .send(label, {
            method: method === 'POST' ? 'POST' : 'GET',
            url,
            headers: headers ?? {},
            body: text,
          })
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

    override authorizationParams(): object {
      const { verifier } = this.settings;
      if (verifier === undefined) return {};
      const challenge = createHash('sha256').update(verifier).digest('base64url');
      return { code_challenge: challenge, code_challenge_method: 'S256' };
    }

    override tokenParams(): object {
      return this.settings.verifier === undefined ? {} : { code_verifier: this.settings.verifier };
    }
  };

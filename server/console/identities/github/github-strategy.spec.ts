import { describe, expect, it } from '@jest/globals';
import { Strategy } from 'passport-github2';
import { DomainError } from '../../../common/errors/domain-error.js';
import type { IdentityFetcher, IdentityRequest } from '../identity-fetcher.js';
import { guardedStrategy } from './github-strategy.js';
import { runStrategy } from './github.identity.js';

const SETTINGS = {
  clientId: 'client',
  clientSecret: 'secret',
  authorizationUrl: 'https://github.test/login/oauth/authorize',
  tokenUrl: 'https://github.test/login/oauth/access_token',
  profileUrl: 'https://api.github.test/user',
  verifier: 'verifier',
};
const ANSWERS: Readonly<Record<string, object>> = {
  [SETTINGS.tokenUrl]: { access_token: 'access' },
  [SETTINGS.profileUrl]: { id: 7, login: 'octo' },
};

/** Names of hosts that do not exist: whatever goes past the fetcher fails. */
function strategyOver(
  send: (request: IdentityRequest) => object,
): InstanceType<ReturnType<typeof guardedStrategy>> {
  const fetcher = {
    send: async (_label: string, request: IdentityRequest) => ({
      status: 200,
      headers: {},
      body: Buffer.from(JSON.stringify(send(request))),
    }),
  };
  return new (guardedStrategy(Strategy))(SETTINGS, fetcher as unknown as IdentityFetcher);
}

describe('guardedStrategy', () => {
  it('sends requests through the outbound client alone', async () => {
    const asked: IdentityRequest[] = [];
    const strategy = strategyOver((request) => {
      asked.push(request);
      return ANSWERS[request.url] ?? {};
    });
    expect(await runStrategy(strategy, { code: 'abc' })).toEqual({
      kind: 'success',
      user: { user: { id: 7, login: 'octo' }, accessToken: 'access' },
    });
    expect(asked.map(({ method, url }) => `${method} ${url}`)).toEqual([
      `POST ${SETTINGS.tokenUrl}`,
      `GET ${SETTINGS.profileUrl}`,
    ]);
    expect(Object.fromEntries(new URLSearchParams(asked[0]?.body))).toEqual({
      client_id: 'client',
      client_secret: 'secret',
      code: 'abc',
      code_verifier: 'verifier',
      grant_type: 'authorization_code',
    });
    expect(asked[1]?.headers).toMatchObject({ Authorization: 'Bearer access' });
  });

  it('keeps why the outbound client refused', async () => {
    const refusal = new DomainError('identity_unreachable', { provider: 'GitHub' });
    const strategy = strategyOver(() => {
      throw refusal;
    });
    expect(await runStrategy(strategy, { code: 'abc' })).toMatchObject({ kind: 'failure' });
    expect(strategy.fault).toBe(refusal);
  });

  it('sends people away with the state and the challenge of the proof', async () => {
    const strategy = strategyOver(() => ({}));
    const outcome = await runStrategy(strategy, {}, { state: 'some state', scope: 'user:email' });
    const url = new URL(outcome.kind === 'redirect' ? outcome.url : '');
    expect(`${url.origin}${url.pathname}`).toBe(SETTINGS.authorizationUrl);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: 'client',
      code_challenge: 'iMnq5o6zALKXGivsnlom_0F5_WYda32GHkxlV7mq7hQ',
      code_challenge_method: 'S256',
      response_type: 'code',
      scope: 'user:email',
      state: 'some state',
    });
  });
});

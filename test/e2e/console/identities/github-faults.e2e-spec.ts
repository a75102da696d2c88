import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { TwoFactorEntity } from '../../../../server/base/auth/two-factor/two-factor.entity.js';
import { UserEntity } from '../../../../server/base/users/user.entity.js';
import { signUp } from '../../../support/build-test-app.ts';
import type { Browser } from './browser.ts';
import { callbackOf, type IdentityFixture, startIdentityFixture } from './identity.fixture.ts';

let fixture: IdentityFixture;
beforeAll(async () => {
  fixture = await startIdentityFixture();
});
afterAll(() => fixture.close());

let lastId = 1_000;
/** A GitHub account without an account here. */
const aPerson = (): { readonly id: number; readonly login: string } => {
  lastId += 1;
  return { id: lastId, login: `octo-${lastId}` };
};
const users = () => fixture.app.dataSource.getRepository(UserEntity);
const signedIn = async (username: string): Promise<Browser> => {
  await signUp(fixture.root, { username });
  return fixture.browser().signIn(username);
};

it('serves clients of this API family, which make the address of the provider themselves', async () => {
  const browser = await signedIn('oldclient');
  const authorize = (state: string): string =>
    `${fixture.github.address}/login/oauth/authorize?client_id=client-of-a-test&state=${state}&scope=user:email`;
  const person = aPerson();
  const bind = await browser.expectSuccess<string>('GET', '/api/oauth/state');
  expect(
    (await browser.get(callbackOf('github', fixture.github.agree(authorize(bind), person)))).body,
  ).toEqual({
    success: true,
    message: 'bind',
  });
  const guest = fixture.browser();
  const login = await guest.expectSuccess<string>('GET', '/api/oauth/state?aff=unknown');
  const reply = await guest.get(callbackOf('github', fixture.github.agree(authorize(login), person)));
  expect(reply.body.data).toMatchObject({ id: browser.userId, username: 'oldclient' });
});

it.each([
  ['cross-site', 'a page elsewhere'],
  ['none', 'a link in a mail'],
])('rejects a callback from %s (%s): no visitor is signed in to another person’s account', async (site) => {
  const browser = fixture.browser();
  const { url } = await browser.expectSuccess<{ url: string }>('POST', '/api/oauth/start', {
    provider: 'github',
  });
  const path = callbackOf('github', fixture.github.agree(url, aPerson()));
  expect((await browser.get(path, { 'sec-fetch-site': site })).body.code).toBe('foreign_origin');
  expect((await browser.get(path)).body.success).toBe(true);
});

it('requires the second step of an account that has one', async () => {
  const person = aPerson();
  const { id } = (await fixture.passThrough('github', fixture.browser(), person)).body.data as { id: number };
  await fixture.app.dataSource.getRepository(TwoFactorEntity).insert({
    userId: id,
    secretSealed: 'sealed',
    lastStep: 0,
    createdAtMs: 1,
  });
  const browser = fixture.browser();
  const reply = await fixture.passThrough('github', browser, person);
  expect(reply.body.data).toMatchObject({ require_2fa: true });
  browser.userId = id;
  expect((await browser.get('/api/user/self')).status).toBe(401);
});

it('lets access tokens change no binding [TOK-09]', async () => {
  const browser = await signedIn('scripted');
  const token = await browser.expectSuccess<string>('POST', '/api/user/token');
  const script = fixture.browser();
  script.userId = browser.userId;
  script.headers['authorization'] = `Bearer ${token}`;
  expect((await script.post('/api/oauth/start', { provider: 'github', intent: 'bind' })).body.code).toBe(
    'session_required',
  );
  expect((await script.send('DELETE', '/api/user/self/identities/github')).body.code).toBe(
    'session_required',
  );
});

it.each([
  [
    'says no to the code',
    '/login/oauth/access_token',
    200,
    '{"error":"bad_verification_code"}',
    'identity_refused',
  ],
  ['fails', '/login/oauth/access_token', 500, 'oops', 'identity_refused'],
  ['answers a page', '/login/oauth/access_token', 200, '<html>', 'identity_refused'],
  ['sends elsewhere', '/login/oauth/access_token', 302, '', 'identity_refused'],
  ['knows nobody', '/api/v3/user', 200, 'null', 'identity_answer_unreadable'],
  ['forgets the id', '/api/v3/user', 200, '{"login":"octo"}', 'identity_answer_unreadable'],
  ['gives a name for an id', '/api/v3/user', 200, '{"id":"1","login":"octo"}', 'identity_answer_unreadable'],
  [
    'answers without end',
    '/api/v3/user',
    200,
    `{"id":1,"login":"${'x'.repeat(300_000)}"}`,
    'identity_unreachable',
  ],
  ['breaks off', '/api/v3/user', 0, '', 'identity_unreachable'],
])('signs no one in when GitHub %s', async (_what, path, status, body, code) => {
  fixture.github.overrides.set(path, (reply) => {
    if (status === 0) reply.destroy();
    else
      reply
        .writeHead(status, { location: 'http://127.0.0.1:1/', 'content-type': 'application/json' })
        .end(body);
  });
  const before = await users().count();
  const reply = await fixture.passThrough('github', fixture.browser(), aPerson());
  fixture.github.overrides.clear();
  expect([reply.status, reply.body.code]).toEqual([200, code]);
  expect(JSON.stringify(reply.body)).not.toMatch(/127\.0\.0\.1|bad_verification|oops/);
  expect(await users().count()).toBe(before);
});

it('signs in without an address when the app may not read addresses', async () => {
  fixture.github.overrides.set('/api/v3/user/emails', (reply) => reply.writeHead(403).end('{}'));
  const reply = await fixture.passThrough('github', fixture.browser(), aPerson());
  fixture.github.overrides.clear();
  expect(reply.body.success).toBe(true);
});

it('shows the decision at the provider in plain characters', async () => {
  const browser = fixture.browser();
  const { state } = await browser.expectSuccess<{ state: string }>('POST', '/api/oauth/start', {
    provider: 'github',
  });
  const query = { state, error: 'access_denied', error_description: 'The user\u202e said <no>\n' };
  const reply = await browser.get(callbackOf('github', query));
  expect(reply.body.message).toBe('The login was canceled at GitHub: The user said <no>');
  expect((await browser.get(callbackOf('github', { state, code: 'x' }))).body.code).toBe(
    'identity_state_invalid',
  );
});

it('stops an address after repeated failures', async () => {
  const browser = fixture.browser();
  const codes: unknown[] = [];
  for (let attempt = 0; attempt < 31; attempt += 1)
    codes.push((await browser.get(callbackOf('github', { code: 'x', state: `guess-${attempt}` }))).body.code);
  expect(codes.slice(0, 30).every((code) => code === 'identity_state_invalid')).toBe(true);
  expect(codes[30]).toBe('too_many_requests');
  expect((await fixture.passThrough('github', fixture.browser(), aPerson())).body.success).toBe(true);
});

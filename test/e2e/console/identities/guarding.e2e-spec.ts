import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { UserEntity } from '../../../../server/base/users/user.entity.js';
import { signUp } from '../../../support/build-test-app.ts';
import { FakeClock } from '../../../support/fake-clock.ts';
import { type MailServer, mailOptions, startMailServer } from '../../../support/mail-server.ts';
import type { Browser } from './browser.ts';
import { CONSOLE, type IdentityFixture, startIdentityFixture } from './identity.fixture.ts';

/** Maximum age of a login that may change sign-in methods. */
const FRESH_MS = 600_000;

let fixture: IdentityFixture;
let mail: MailServer;
const clock = new FakeClock(Date.now());

beforeAll(async () => {
  mail = await startMailServer();
  fixture = await startIdentityFixture({ clock });
  await fixture.root.expectSuccess('PUT', '/api/option/', mailOptions(mail));
});
afterAll(async () => {
  await fixture.close();
  await mail.close();
});

let lastId = 9_000;
async function newcomer(): Promise<Browser> {
  lastId += 1;
  const browser = fixture.browser();
  return browser.enter(await fixture.passThrough('github', browser, { id: lastId, login: `new-${lastId}` }));
}
const setPassword = (browser: Browser, more: object = {}) =>
  browser.send('PUT', '/api/user/self', { password: 'first-password-set', ...more });

it('lets an account without a password set a first one after a recent login, and then requires it [SELF-101]', async () => {
  const browser = await newcomer();
  clock.advance(FRESH_MS + 1);
  expect((await setPassword(browser)).body.code).toBe('login_not_fresh');
  const returning = fixture.browser();
  returning.enter(await fixture.passThrough('github', returning, { id: lastId, login: 'renamed' }));
  expect((await setPassword(returning)).body.success).toBe(true);
  // The new password ended the older login; this browser was given a new one.
  expect((await browser.get('/api/user/self')).status).toBe(401);
  expect((await setPassword(returning, { password: 'another-one-now' })).body.code).toBe(
    'password_original_wrong',
  );
  expect((await returning.send('DELETE', '/api/user/self/identities/github')).body.success).toBe(true);
  const { username } = await fixture.app.dataSource
    .getRepository(UserEntity)
    .findOneByOrFail({ id: returning.userId });
  expect((await fixture.browser().signIn(username, 'first-password-set')).userId).toBe(returning.userId);
});

it('notifies the owner of identities bound and unbound, of addresses removed and passwords set [AUTH-12]', async () => {
  const address = 'owner@mail.test';
  await signUp(fixture.root, { username: 'letters' });
  const browser = await fixture.browser().signIn('letters');
  await fixture.app.dataSource
    .getRepository(UserEntity)
    .update({ id: browser.userId }, { email: address, emailFolded: address });
  await fixture.passThrough('github', browser, { id: 9_900, login: 'letters' });
  expect((await mail.letterTo(address, 1)).text).toContain(
    'A third-party account was linked to the account letters',
  );
  await browser.expectSuccess('DELETE', '/api/user/self/identities/github');
  expect((await mail.letterTo(address, 2)).text).toContain(
    'A third-party account was unlinked from the account letters',
  );
  await fixture.root.expectSuccess('PUT', '/api/user/', { id: browser.userId, password: 'set-by-the-root' });
  expect((await mail.letterTo(address, 3)).text).toContain(
    'An administrator set a new password for the account letters',
  );
  const again = await fixture.browser().signIn('letters', 'set-by-the-root');
  await again.expectSuccess('DELETE', '/api/user/self/identities/email');
  expect((await mail.letterTo(address, 4)).text).toContain('this address no longer belongs to it');
  expect(
    await fixture.app.dataSource.getRepository(UserEntity).findOneByOrFail({ id: again.userId }),
  ).toMatchObject({
    email: '',
    emailFolded: null,
  });
  expect((await again.send('DELETE', '/api/user/self/identities/email')).body.code).toBe(
    'identity_not_bound',
  );
});

it('requires the console address before a provider that redirects is switched on [OAUTH-05]', async () => {
  const bare = await startIdentityFixture({ env: { SERVER_ADDRESS: '' } });
  const change = async (values: Readonly<Record<string, string | boolean>>) => {
    const changes = Object.entries(values).map(([key, value]) => ({ key, value }));
    return (await bare.root.send('PUT', '/api/option/', changes)).body.code;
  };
  for (const key of ['GitHubOAuthEnabled', 'LinuxDOOAuthEnabled'])
    expect(await change({ [key]: true })).toBe('option_incomplete');
  const oidc = {
    'oidc.client_id': 'id',
    'oidc.client_secret': 'secret',
    'oidc.authorization_endpoint': 'https://accounts.test/auth',
    'oidc.token_endpoint': 'https://accounts.test/token',
    'oidc.user_info_endpoint': 'https://accounts.test/me',
    'oidc.enabled': true,
  };
  expect(await change(oidc)).toBe('option_incomplete');
  await bare.setOptions({ ...oidc, ServerAddress: `${CONSOLE}/` });
  const forged = { 'x-forwarded-host': 'evil.test' };
  const started = await bare.browser().send('POST', '/api/oauth/start', { provider: 'oidc' }, forged);
  const { url } = started.body.data as { url: string };
  expect(new URL(url).searchParams.get('redirect_uri')).toBe(`${CONSOLE}/oauth/oidc`);
  expect(await change({ ServerAddress: '' })).toBe('option_incomplete');
  await bare.setOptions({ ServerAddress: '', 'oidc.enabled': false });
  await bare.close();
});

it('requires a recent login for binding and unbinding when the option is on', async () => {
  const strict = await startIdentityFixture({ clock, env: { FRESH_LOGIN_REQUIRED: 'true' } });
  await signUp(strict.root, { username: 'stale' });
  const browser = await strict.browser().signIn('stale');
  clock.advance(FRESH_MS + 1);
  expect((await browser.post('/api/oauth/start', { provider: 'github', intent: 'bind' })).body.code).toBe(
    'login_not_fresh',
  );
  // Older clients begin here, and the state they get would bind as well.
  expect((await browser.get('/api/oauth/state')).body.code).toBe('login_not_fresh');
  expect((await strict.browser().get('/api/oauth/state')).body.success).toBe(true);
  expect((await browser.send('DELETE', '/api/user/self/identities/github')).body.code).toBe(
    'login_not_fresh',
  );
  expect((await browser.get('/api/oauth/wechat/bind?code=1234')).body.code).toBe('login_not_fresh');
  const fresh = await strict.browser().signIn('stale');
  expect((await strict.passThrough('github', fresh, { id: 9_950, login: 'stale' })).body.message).toBe(
    'bind',
  );
  await strict.close();
});

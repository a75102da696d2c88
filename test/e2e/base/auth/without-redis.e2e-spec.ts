import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { generateSync } from 'otplib';
import { ApiClient, type ApiReply } from '../../../support/api-client.js';
import { signUp, startTestApp, type TestApp } from '../../../support/build-test-app.js';
import { proveMail } from '../../../support/mail-server.js';
import { startRedis, type TestRedis } from '../../../support/redis.js';
import { type RequestOptions, SoftwareAuthenticator } from '../../../support/software-authenticator.js';
import { Browser } from '../../console/identities/browser.js';
import { CLIENT, GITHUB_SCRIPT, ScriptedOAuth } from '../../console/identities/scripted-oauth.js';
import { callbackOf } from '../../console/identities/identity.fixture.js';
import { type AccountsFixture, PASSWORD, startAccounts } from '../../../support/fixtures/accounts.fixture.js';

/** All sign-ins begin at one instance while Redis is there, and continue at the other one when it is gone. */
describe('signing in while Redis is away, on two instances', () => {
  let redis: TestRedis;
  let fixture: AccountsFixture;
  let second: TestApp;
  let github: ScriptedOAuth;

  beforeAll(async () => {
    redis = await startRedis();
    github = await new ScriptedOAuth(GITHUB_SCRIPT).start();
    fixture = await startAccounts('Redis and MariaDB', {
      REDIS_URL: redis.url,
      SERVER_ADDRESS: 'http://localhost',
    });
    second = await startTestApp({
      env: {
        DATABASE_URL: fixture.app.env.databaseUrl,
        REDIS_URL: redis.url,
        SERVER_ADDRESS: 'http://localhost',
        ALLOWED_PRIVATE_HOSTS: '127.0.0.1',
        TRUST_PROXY: 'loopback',
        LOG_LEVEL: 'fatal',
      },
    });
    await proveMail(fixture.root);
    await fixture.set(
      { key: 'EmailVerificationEnabled', value: true },
      { key: 'GitHubServerAddress', value: github.address },
      { key: 'GitHubApiAddress', value: `${github.address}/api/v3` },
      { key: 'GitHubClientId', value: CLIENT.id },
      { key: 'GitHubClientSecret', value: CLIENT.secret },
      { key: 'GitHubOAuthEnabled', value: true },
    );
  });
  afterAll(async () => {
    await second.close();
    await fixture.close();
    await github.stop();
    await redis.stop();
  });

  const onSecond = (): ApiClient => {
    const client = new ApiClient(second.url);
    client.headers['x-forwarded-for'] = '198.18.0.9';
    return client;
  };
  const codeOf = (secret: string, aheadSeconds = 0): string =>
    generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + aheadSeconds });
  const succeeded = (reply: ApiReply): unknown => [reply.body.success, reply.body.code];
  const WELL = [true, undefined];

  it('a second factor, a passkey, a mailed code, a reset link and GitHub work on, once each', async () => {
    const careful = await signUp(fixture.root, { username: 'careful' });
    const { secret } = await careful.expectSuccess<{ secret: string }>('POST', '/api/user/2fa/setup', {});
    await careful.expectSuccess('POST', '/api/user/2fa/enable', { code: codeOf(secret), password: PASSWORD });
    const modern = await signUp(fixture.root, { username: 'modern' });
    const device = new SoftwareAuthenticator('http://localhost');
    const offered = await modern.expectSuccess<{ options: Parameters<typeof device.create>[0] }>(
      'POST',
      '/api/user/passkey/register/begin',
      {},
    );
    await modern.expectSuccess('POST', '/api/user/passkey/register/finish', {
      name: 'laptop',
      credential: device.create(offered.options),
    });

    // Begun with Redis, at the first instance.
    const login = await fixture.guest().post('/api/user/login', { username: 'careful', password: PASSWORD });
    const { ticket } = login.body.data as { ticket: string };
    const began = await fixture.guest().post('/api/user/passkey/login/begin', {});
    const { options } = began.body.data as { options: RequestOptions };
    // The browser that began each of them.
    const inBrowserOf = (reply: typeof login) => {
      const client = onSecond();
      client.headers['cookie'] = reply.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
      return client;
    };
    const email = 'between@example.test';
    await fixture.askCode(email);
    const code = await fixture.codeTo(email);
    const browser = new Browser(fixture.app.url);
    const { url } = await browser.expectSuccess<{ url: string }>('POST', '/api/oauth/start', {
      provider: 'github',
    });

    await redis.kill();

    // Ended without, at the second.
    const confirmed = { ticket, code: codeOf(secret, 30) };
    expect(succeeded(await inBrowserOf(login).post('/api/user/login/2fa', confirmed))).toEqual(WELL);
    expect((await inBrowserOf(login).post('/api/user/login/2fa', confirmed)).body.code).toBe(
      'second_step_expired',
    );

    const credential = device.get(options);
    const finish = () => inBrowserOf(began).post('/api/user/passkey/login/finish', { credential });
    const answers = await Promise.all([finish(), finish(), finish()]);
    expect(answers.map(({ body }) => body.code ?? 'in').toSorted()).toEqual([
      'in',
      'passkey_refused',
      'passkey_refused',
    ]);

    const form = { username: 'between', password: PASSWORD, email, verification_code: code };
    expect(succeeded(await onSecond().post('/api/user/register', form))).toEqual(WELL);
    const again = await fixture.guest().post('/api/user/register', { ...form, username: 'between2' });
    expect(again.body.code).toBe('mail_code_wrong');

    const granted = github.agree(url, { id: 41, login: 'traveller' });
    const [here, there] = await Promise.all([
      browser.copyTo(second.url).get(callbackOf('github', granted)),
      browser.copy().get(callbackOf('github', granted)),
    ]);
    expect([here, there].map(({ body }) => body.success).toSorted()).toEqual([false, true]);

    // Begun and ended without.
    await onSecond().get(`/api/reset_password?email=${email}`);
    const token = /token=([\w-]+)/.exec((await fixture.mail.letterTo(email, 2)).text)?.[1] ?? '';
    expect(succeeded(await fixture.guest().post('/api/user/reset', { email, token }))).toEqual(WELL);
    expect((await onSecond().post('/api/user/reset', { email, token })).body.code).toBe('reset_link_invalid');
  });

  it('codes cannot be guessed in the meantime: five tries over both instances', async () => {
    const email = 'guessed@example.test';
    const asked = await fixture.askCode(email);
    expect(succeeded(asked)).toEqual(WELL);
    const code = await fixture.codeTo(email);
    const form = { username: 'guessed', password: PASSWORD, email };
    for (let turn = 0; turn < 5; turn += 1) {
      const client = turn % 2 === 0 ? onSecond() : fixture.guest();
      const reply = await client.post('/api/user/register', { ...form, verification_code: 'ZZZZZZ' });
      expect(reply.body.code).toBe('mail_code_wrong');
    }
    const right = await onSecond().post('/api/user/register', { ...form, verification_code: code });
    expect(right.body.code).toBe('mail_code_wrong');
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { UserEntity } from '../../../../server/base/users/user.entity.js';
import { ApiClient } from '../../../support/api-client.ts';
import { signUp, startTestApp, type TestApp } from '../../../support/build-test-app.ts';
import { proveMail } from '../../../support/mail-server.ts';
import { type AccountsFixture, PASSWORD, startAccounts } from '../../../support/fixtures/accounts.fixture.ts';

/** The second instance knows what the first one sent, counts what the first one counted, and forgets what it used up. */
describe('codes, links and limits on two instances', () => {
  let fixture: AccountsFixture;
  let second: TestApp;

  beforeAll(async () => {
    fixture = await startAccounts('Redis and MariaDB');
    const { databaseUrl, redisUrl = '' } = fixture.app.env;
    second = await startTestApp({
      env: {
        DATABASE_URL: databaseUrl,
        REDIS_URL: redisUrl,
        SERVER_ADDRESS: 'https://gate.example',
        ALLOWED_PRIVATE_HOSTS: '127.0.0.1',
        TRUST_PROXY: 'loopback',
      },
    });
    await proveMail(fixture.root);
    await fixture.set({ key: 'EmailVerificationEnabled', value: true });
  });
  afterAll(async () => {
    await second.close();
    await fixture.close();
  });

  const onSecond = (): ApiClient => {
    const client = new ApiClient(second.url);
    client.headers['x-forwarded-for'] = '198.18.0.9';
    return client;
  };

  it('a code sent by one registers at the other, once [CODE-103]', async () => {
    const email = 'both@example.test';
    await fixture.askCode(email);
    const form = {
      username: 'both',
      password: PASSWORD,
      email,
      verification_code: await fixture.codeTo(email),
    };
    expect((await onSecond().post('/api/user/register', form)).body.success).toBe(true);
    const again = await fixture.guest().post('/api/user/register', { ...form, username: 'both2' });
    expect(again.body.code).toBe('mail_code_wrong');
  });

  it('a mail that left from one keeps the other from sending [CODE-05]', async () => {
    const email = 'often@example.test';
    await fixture.askCode(email);
    expect((await onSecond().get(`/api/verification?email=${email}`)).body.code).toBe('mail_too_often');
  });

  it('a reset at one ends the logins at the other within a second [CODE-02]', async () => {
    const email = 'moved@example.test';
    const user = await signUp(fixture.root, { username: 'moved' });
    await fixture.app.dataSource
      .getRepository(UserEntity)
      .update({ id: user.userId }, { email, emailFolded: email });
    const elsewhere = await ApiClient.signIn(second.url, 'moved', PASSWORD);
    await elsewhere.expectSuccess('GET', '/api/user/self');
    await fixture.guest().get(`/api/reset_password?email=${email}`);
    const token = /token=([\w-]+)/.exec((await fixture.mail.letterTo(email)).text)?.[1] ?? '';
    expect((await fixture.guest().post('/api/user/reset', { email, token })).body.success).toBe(true);
    const startedAt = performance.now();
    while ((await elsewhere.get('/api/user/self')).status !== 401) {
      if (performance.now() - startedAt > 1_500) throw new Error('the login still counts');
    }
    expect((await onSecond().post('/api/user/reset', { email, token })).body.code).toBe('reset_link_invalid');
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Mailer } from '../../../../server/base/notifications/mail/mailer.js';
import { UserEntity } from '../../../../server/base/users/user.entity.js';
import { ageSteps } from '../../../support/age-steps.js';
import { ApiClient, type ApiReply } from '../../../support/api-client.ts';
import { signUp } from '../../../support/build-test-app.ts';
import {
  type AccountsFixture,
  PASSWORD,
  startAccounts,
  STORAGES,
} from '../../../support/fixtures/accounts.fixture.ts';

describe.each(STORAGES)('a forgotten password with %s', (storage) => {
  let fixture: AccountsFixture;
  let count = 0;

  beforeAll(async () => {
    fixture = await startAccounts(storage);
  });
  afterAll(() => fixture.close());

  /** Makes an account with an address. */
  const newPerson = async () => {
    const username = `forgot${(count += 1)}`;
    const email = `${username}@example.test`;
    const client = await signUp(fixture.root, { username });
    const users = fixture.app.dataSource.getRepository(UserEntity);
    await users.update({ id: client.userId }, { email, emailFolded: email });
    return { username, email, client };
  };
  const ask = (email: string, client = fixture.guest()): Promise<ApiReply> =>
    client.get(`/api/reset_password?${new URLSearchParams({ email, turnstile: '' }).toString()}`);
  const confirm = (email: string, token: string, client = fixture.guest()): Promise<ApiReply> =>
    client.post('/api/user/reset', { email, token });
  /** Token of the link in a mail. */
  const linkTo = async (email: string, which?: number) => {
    const { text } = await fixture.mail.letterTo(email, which);
    const link = new URL(/^https:\/\/\S+$/m.exec(text)?.[0] ?? 'about:blank');
    return { link, email: link.searchParams.get('email') ?? '', token: link.searchParams.get('token') ?? '' };
  };

  it('replaces it through the link, and ends every login and access token', async () => {
    const { username, email, client } = await newPerson();
    const accessToken = await client.expectSuccess<string>('POST', '/api/user/token');
    expect((await ask(email.toUpperCase())).body).toEqual({ success: true, message: '' });
    // The first mail is about the access token.
    const { link, token } = await linkTo(email, 2);
    expect(link.origin + link.pathname).toBe('https://gate.example/reset');
    const reply = await confirm(email, token);
    expect(reply.headers.get('cache-control')).toContain('no-store');
    const password = reply.body.data as string;
    // 16 characters of 62.
    expect(password).toMatch(/^[A-Za-z0-9]{16}$/);
    expect((await client.get('/api/user/self')).status).toBe(401);
    const byToken = { authorization: accessToken, 'New-Api-User': String(client.userId), cookie: '' };
    expect((await client.get('/api/user/self', byToken)).status).toBe(401);
    expect(
      (await new ApiClient(fixture.app.url).post('/api/user/login', { username, password: PASSWORD })).body
        .code,
    ).toBe('login_failed');
    expect((await ApiClient.signIn(fixture.app.url, email, password)).userId).toBe(client.userId);
    expect((await fixture.mail.letterTo(email, 3)).text).toContain('password of the account');
  });

  it('replaces it once for many concurrent requests [CODE-02]', async () => {
    const { email } = await newPerson();
    await ask(email);
    const { token } = await linkTo(email);
    const replies = await Promise.all(Array.from({ length: 8 }, () => confirm(email, token)));
    expect(replies.filter(({ body }) => body.success === true)).toHaveLength(1);
    expect((await confirm(email, token)).body.code).toBe('reset_link_invalid');
  });

  it.each([
    ['another token', (token: string) => `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`],
    ['no token', () => ''],
    ['a token of another kind', () => '0'.repeat(32)],
  ])('does not replace it by %s [CODE-02]', async (_name, change) => {
    const { email } = await newPerson();
    await ask(email);
    const { token } = await linkTo(email);
    expect((await confirm(email, change(token))).body.code).toBe('reset_link_invalid');
    expect((await confirm(email, token)).body.success).toBe(true);
  });

  it('does not replace it for another address than the link is for, nor spend the link by the attempt [CODE-108]', async () => {
    const [mine, other] = [await newPerson(), await newPerson()];
    await ask(mine.email);
    const { token } = await linkTo(mine.email);
    expect((await confirm(other.email, token)).body.code).toBe('reset_link_invalid');
    expect((await confirm(mine.email, token)).body.success).toBe(true);
  });

  it('does not replace it once the password was changed otherwise [CODE-02]', async () => {
    const { email, client } = await newPerson();
    await ask(email);
    const { token } = await linkTo(email);
    await client.expectSuccess('PUT', '/api/user/self', {
      password: 'another password',
      original_password: 'password-of-a-test',
    });
    expect((await confirm(email, token)).body.code).toBe('reset_link_invalid');
  });

  it('does not replace it once the address belongs to the account no more [CODE-02]', async () => {
    const { email, client } = await newPerson();
    await ask(email);
    const { token } = await linkTo(email);
    const next = `moved-${email}`;
    await fixture.askCode(next, { client });
    await client.expectSuccess('POST', '/api/oauth/email/bind', {
      email: next,
      code: await fixture.codeTo(next),
    });
    expect((await confirm(email, token)).body.code).toBe('reset_link_invalid');
    expect((await confirm(next, token)).body.code).toBe('reset_link_invalid');
  });

  it('answers the same, whether the address has an account or not [CODE-101, AUTH-02]', async () => {
    const [known, banned] = [await newPerson(), await newPerson()];
    await fixture.root.expectSuccess('POST', '/api/user/manage', {
      id: banned.client.userId,
      action: 'disable',
    });
    const mailer = fixture.app.app.get(Mailer);
    // Mails of earlier steps are still being sent.
    await mailer.whenIdle();
    const before = fixture.mail.letters.length;
    const replies = [await ask(known.email), await ask('nobody@example.test'), await ask(banned.email)];
    expect(new Set(replies.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1);
    await fixture.mail.letterTo(known.email);
    await mailer.whenIdle();
    expect(fixture.mail.letters.slice(before).map(({ to }) => to)).toEqual([[known.email]]);
  });

  it('has a link to the configured address, whatever the request [CODE-03]', async () => {
    const { email } = await newPerson();
    const client = fixture.guest();
    Object.assign(client.headers, { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' });
    await ask(email, client);
    expect((await linkTo(email)).link.origin).toBe('https://gate.example');
  });

  it('sends one mail in 30 seconds [CODE-05]', async () => {
    const { email } = await newPerson();
    expect((await ask(email)).body.success).toBe(true);
    expect(await ask(email)).toMatchObject({ status: 429, body: { code: 'mail_too_often' } });
    expect((await ask('unknown-too@example.test')).body.success).toBe(true);
    expect(await ask('unknown-too@example.test')).toMatchObject({
      status: 429,
      body: { code: 'mail_too_often' },
    });
  });

  it('stops a client that tries without end', async () => {
    const client = fixture.guest();
    const statuses = [];
    for (let index = 0; index < 22; index += 1)
      statuses.push((await confirm('a@b.test', 'x', client)).status);
    expect(statuses.filter((status) => status === 429)).toHaveLength(2);
  });

  it.each([
    ['', 'mail_required'],
    ['nobody', 'mail_invalid'],
    ['a@b.test, c@d.test', 'mail_invalid'],
  ])('refuses %j [CODE-04]', async (email, code) => {
    expect((await ask(email)).body.code).toBe(code);
  });
});

describe('a forgotten password', () => {
  it('cannot be replaced while no server address is configured [CODE-03]', async () => {
    const fixture = await startAccounts('SQLite, in one process', { SERVER_ADDRESS: '' });
    try {
      expect((await fixture.guest().get('/api/reset_password?email=a@example.test')).body.code).toBe(
        'reset_unavailable',
      );
      await fixture.set({ key: 'SMTPServer', value: '' }, { key: 'SMTPToken', value: null });
      expect((await fixture.guest().get('/api/reset_password?email=a@example.test')).body.code).toBe(
        'mail_unavailable',
      );
    } finally {
      await fixture.close();
    }
  });

  it('has a link that is worth nothing after ten minutes, and none when a newer one was sent', async () => {
    const fixture = await startAccounts();
    try {
      const email = 'timed@example.test';
      const user = await signUp(fixture.root, { username: 'timed' });
      await fixture.app.dataSource
        .getRepository(UserEntity)
        .update({ id: user.userId }, { email, emailFolded: email });
      const tokenIn = async (which: number) => {
        const { text } = await fixture.mail.letterTo(email, which);
        return /token=([\w-]+)/.exec(text)?.[1] ?? '';
      };
      const ask = () => fixture.guest().get(`/api/reset_password?email=${email}`);
      const confirm = (token: string) => fixture.guest().post('/api/user/reset', { email, token });
      await ask();
      const first = await tokenIn(1);
      fixture.clock.advance(31_000);
      await ask();
      expect((await confirm(first)).body.code).toBe('reset_link_invalid');
      await ageSteps(fixture.app.dataSource, 600_000);
      fixture.clock.advance(600_000);
      expect((await confirm(await tokenIn(2))).body.code).toBe('reset_link_invalid');
      await ask();
      expect((await confirm(await tokenIn(3))).body.success).toBe(true);
    } finally {
      await fixture.close();
    }
  });
});

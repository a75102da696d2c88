import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AuditEventEntity } from '../../../../server/base/audit/audit-event.entity.js';
import { UserEntity } from '../../../../server/base/users/user.entity.js';
import { PasskeyEntity } from '../../../../server/console/passkeys/passkey.entity.js';
import { ApiClient, type ApiReply } from '../../../support/api-client.ts';
import { signUp } from '../../../support/build-test-app.ts';
import { type AccountsFixture, startAccounts, STORAGES } from '../../../support/fixtures/accounts.fixture.ts';

const METHODS = '/api/user/reset/methods';
const NOTHING = { identities: [], passkeys: [], may_release: false };
const ISSUER = 'https://github.com https://api.github.com';

describe.each(STORAGES)('what signs in after a password reset, with %s', (storage) => {
  let fixture: AccountsFixture;
  let count = 0;

  beforeAll(async () => {
    fixture = await startAccounts(storage);
    await fixture.set(
      { key: 'GitHubClientId', value: 'client' },
      { key: 'GitHubClientSecret', value: 'secret' },
      { key: 'GitHubOAuthEnabled', value: true },
    );
  });
  afterAll(() => fixture.close());

  const users = () => fixture.app.dataSource.getRepository(UserEntity);
  const passkeys = () => fixture.app.dataSource.getRepository(PasskeyEntity);

  /** An account with a GitHub identity, a Linux DO identity of a provider that is off, and a passkey. */
  const newPerson = async (githubIssuer: string | null = ISSUER) => {
    const username = `bound${(count += 1)}`;
    const email = `${username}@example.test`;
    const { userId } = await signUp(fixture.root, { username });
    const bound = { githubId: `gh${count}`, githubIssuer, linuxDoId: `ld${count}` };
    await users().update({ id: userId }, { email, emailFolded: email, ...bound });
    await passkeys().insert({
      userId,
      credentialDigest: `digest${count}`,
      credentialId: `credential${count}`,
      publicKey: '',
      relyingParty: 'gate.example',
      counter: 0,
      transports: '',
      aaguid: '',
      isSynced: false,
      name: 'Phone',
      createdAtMs: 0,
      lastUsedAtMs: 0,
    });
    return { userId, email, username };
  };
  const cookieOf = (reply: ApiReply): string =>
    reply.headers
      .getSetCookie()
      .find((text) => text.startsWith('password_reset='))
      ?.split(';', 1)[0] ?? '';
  /** Resets the password in a browser. */
  const reset = async (email: string) => {
    await fixture.guest().get(`/api/reset_password?email=${email}&turnstile=`);
    const { text } = await fixture.mail.letterTo(email);
    const token = /token=([\w-]+)/.exec(text)?.[1] ?? '';
    const browser = fixture.guest();
    const reply = await browser.post('/api/user/reset', { email, token });
    browser.headers['cookie'] = cookieOf(reply);
    return { browser, reply, password: reply.body.data as string };
  };
  const list = async (browser: ApiClient) => (await browser.get(METHODS)).body.data;

  it('shows them to the browser that reset it, and releases all by one request', async () => {
    const { userId, email, username } = await newPerson();
    const { browser, reply, password } = await reset(email);
    const cookie = reply.headers.getSetCookie().find((text) => text.startsWith('password_reset=')) ?? '';
    expect(cookie).toMatch(/HttpOnly/);
    expect(cookie).toMatch(/SameSite=Strict/);
    expect(await list(browser)).toEqual({ identities: ['github'], passkeys: ['Phone'], may_release: true });
    const signedIn = await ApiClient.signIn(fixture.app.url, username, password);
    expect((await browser.send('DELETE', METHODS)).body.success).toBe(true);
    expect(await users().findOneByOrFail({ id: userId })).toMatchObject({
      githubId: null,
      githubIssuer: null,
      linuxDoId: null,
    });
    expect(await passkeys().countBy({ userId })).toBe(0);
    expect((await signedIn.get('/api/user/self')).status).toBe(401);
    await ApiClient.signIn(fixture.app.url, username, password);
    const [event] = await fixture.app.dataSource
      .getRepository(AuditEventEntity)
      .findBy({ action: 'identity.release_all', targetId: String(userId) });
    expect(JSON.parse(event?.detail ?? '')).toEqual({ count: 1, provider: ['github', 'linuxdo'] });
    expect(await list(browser)).toEqual(NOTHING);
  });

  it('does not list an identity that another issuer vouched for', async () => {
    const { email } = await newPerson('https://git.old https://git.old/api/v3');
    const { browser } = await reset(email);
    expect(await list(browser)).toEqual({ identities: [], passkeys: ['Phone'], may_release: true });
  });

  it('shows and releases nothing in another browser, after another reset, or twice', async () => {
    const { userId, email } = await newPerson();
    const { browser } = await reset(email);
    const stranger = fixture.guest();
    expect(await list(stranger)).toEqual(NOTHING);
    expect((await stranger.send('DELETE', METHODS)).body.code).toBe('reset_link_invalid');
    stranger.headers['cookie'] = `${browser.headers['cookie']?.slice(0, -3)}xyz`;
    expect((await stranger.send('DELETE', METHODS)).body.code).toBe('reset_link_invalid');
    await users().increment({ id: userId }, 'authVersion', 1);
    expect(await list(browser)).toEqual(NOTHING);
    await users().decrement({ id: userId }, 'authVersion', 1);
    const replies = await Promise.all(Array.from({ length: 5 }, () => browser.send('DELETE', METHODS)));
    expect(replies.filter(({ body }) => body.success === true)).toHaveLength(1);
  });

  it('refuses a request of another site', async () => {
    const { email } = await newPerson();
    const { browser } = await reset(email);
    const reply = await browser.send('DELETE', METHODS, undefined, { origin: 'https://evil.example' });
    expect(reply.body.code).toBe('foreign_origin');
    expect(await list(browser)).toMatchObject({ passkeys: ['Phone'] });
  });

  it('keeps them while passwords do not sign in', async () => {
    const { email, userId } = await newPerson();
    const { browser } = await reset(email);
    await users().update({ id: fixture.root.userId }, { githubId: 'root', githubIssuer: ISSUER });
    await fixture.set({ key: 'PasswordLoginEnabled', value: false });
    expect(await list(browser)).toMatchObject({ may_release: false });
    expect((await browser.send('DELETE', METHODS)).body.code).toBe('identity_last_way');
    await fixture.set({ key: 'PasswordLoginEnabled', value: true });
    expect(await passkeys().countBy({ userId })).toBe(1);
  });
});

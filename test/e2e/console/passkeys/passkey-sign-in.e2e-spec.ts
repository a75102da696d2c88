import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { generateSync } from 'otplib';
import { ApiClient, sessionCookieOf } from '../../../support/api-client.js';
import type { Bend, RequestOptions } from '../../../support/software-authenticator.js';
import { PASSWORD, PasskeyFixture, PATH } from '../../../support/fixtures/passkey.fixture.js';

const fixture = new PasskeyFixture();
beforeAll(() => fixture.start());
afterAll(() => fixture.app.close());
/** Limits of earlier tests are forgotten. */
beforeEach(() => fixture.clock.advance(24 * 3_600_000));

describe('signing in by a passkey', () => {
  it('needs no name, and is two factors by itself', async () => {
    const owner = await fixture.withPasskey();
    const { secret } = await owner.client.expectSuccess<{ secret: string }>(
      'POST',
      '/api/user/2fa/setup',
      {},
    );
    const code = generateSync({ secret, epoch: Math.floor(fixture.clock.nowMs() / 1000) });
    await owner.client.expectSuccess('POST', '/api/user/2fa/enable', { code, password: PASSWORD });
    const reply = await fixture.signIn(owner.device);
    expect(reply.body).toMatchObject({ success: true, data: { username: owner.name } });
    const client = new ApiClient(fixture.url);
    client.headers['cookie'] = sessionCookieOf(reply);
    client.headers['New-Api-User'] = String(owner.client.userId);
    const sessions = await client.expectSuccess<{ way: string; current: boolean }[]>(
      'GET',
      '/api/user/self/sessions',
    );
    expect(sessions.find(({ current }) => current)?.way).toBe('passkey');
    expect((await fixture.listOf(client)).items[0]?.last_used_at).toBe(
      Math.floor(fixture.clock.nowMs() / 1000),
    );
    const [row] = await fixture.auditOf(owner.client.userId, 'login.success');
    expect(row?.detail).toBe('{"way":"passkey"}');
  });

  it('offers no list of passkeys to guests, so that they cannot see which accounts have one', async () => {
    const options = await fixture.beginLogin();
    expect(options).toMatchObject({ rpId: 'localhost', userVerification: 'required' });
    expect(options.allowCredentials ?? []).toEqual([]);
  });

  it.each<[string, Bend]>([
    ['from a page of another site', { origin: 'https://evil.example' }],
    ['for another host', { rpId: 'evil.example' }],
    ['with a challenge nobody gave', { challenge: Buffer.alloc(32, 9).toString('base64url') }],
    ['without the owner verified', { isVerified: false }],
    ['without the owner there', { isPresent: false }],
    ['with a signature of something else', { signature: true }],
    ['of the other ceremony', { type: 'webauthn.create' }],
    ['without a handle', { userHandle: null }],
    ['with the handle of somebody else', { userHandle: Buffer.alloc(32, 1).toString('base64url') }],
  ])('refuses an answer %s', async (_, bend) => {
    const owner = await fixture.withPasskey();
    const reply = await fixture.signIn(owner.device, bend);
    expect(reply.body).toMatchObject({ success: false, code: 'passkey_refused' });
    expect(sessionCookieOf(reply)).toBe('');
    expect((await fixture.signIn(owner.device)).body.success).toBe(true);
  });

  it('takes an answer once, and of twenty at once one', async () => {
    const owner = await fixture.withPasskey();
    const options = await fixture.beginLogin();
    const guest = fixture.loginBrowser();
    const credential = owner.device.get(options);
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => guest.post(`${PATH}/login/finish`, { credential })),
    );
    expect(replies.filter(({ body }) => body.success)).toHaveLength(1);
  });

  it('refuses an answer in another browser than the one that began [AUTH-04]', async () => {
    const owner = await fixture.withPasskey();
    const options = await fixture.beginLogin();
    const finish = (browser: ApiClient) =>
      browser.post(`${PATH}/login/finish`, { credential: owner.device.get(options) });
    const other = new ApiClient(fixture.url);
    const reply = await other.post(`${PATH}/login/begin`, {});
    other.headers['cookie'] = reply.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
    for (const browser of [other, new ApiClient(fixture.url)])
      expect((await finish(browser)).body).toMatchObject({ code: 'passkey_refused' });
    expect((await fixture.signIn(owner.device)).body.success).toBe(true);
  });

  it('refuses a count that does not grow, and records it in the audit log', async () => {
    const owner = await fixture.withPasskey();
    expect((await fixture.signIn(owner.device)).body.success).toBe(true);
    expect((await fixture.signIn(owner.device)).body.success).toBe(true);
    expect((await fixture.signIn(owner.device, { counter: 2 })).body).toMatchObject({
      code: 'passkey_refused',
    });
    expect((await fixture.signIn(owner.device, { counter: 0 })).body).toMatchObject({
      code: 'passkey_refused',
    });
    expect(await fixture.auditOf(owner.client.userId, 'passkey.counter_fell')).toHaveLength(2);
    expect((await fixture.signIn(owner.device, { counter: 3 })).body.success).toBe(true);
  });

  it('takes authenticators that do not count', async () => {
    const owner = await fixture.withPasskey();
    for (let turn = 0; turn < 3; turn += 1)
      expect((await fixture.signIn(owner.device, { counter: 0 })).body.success).toBe(true);
  });

  it('refuses banned and deregistered accounts and removed passkeys', async () => {
    const owner = await fixture.withPasskey();
    const admin = await fixture.rootAnew();
    await admin.expectSuccess('POST', '/api/user/manage', { id: owner.client.userId, action: 'disable' });
    expect((await fixture.signIn(owner.device)).body.success).toBe(false);
    await admin.expectSuccess('POST', '/api/user/manage', { id: owner.client.userId, action: 'enable' });
    expect((await fixture.signIn(owner.device)).body.success).toBe(true);
    await admin.expectSuccess('DELETE', `/api/user/${owner.client.userId}/reset_passkey`);
    expect((await fixture.signIn(owner.device)).body).toMatchObject({ code: 'passkey_refused' });
    const gone = await fixture.withPasskey();
    await admin.expectSuccess('POST', '/api/user/manage', { id: gone.client.userId, action: 'delete' });
    expect((await fixture.signIn(gone.device)).body).toMatchObject({ code: 'passkey_refused' });
  });

  it('gives a forged Host passkeys of another host, which are invalid here', async () => {
    const owner = await fixture.withPasskey();
    const guest = new ApiClient(fixture.app.url);
    const reply = await guest.send('POST', `${PATH}/login/begin`, {});
    expect(reply.body).toMatchObject({ code: 'passkey_unavailable' });
    expect((await fixture.signIn(owner.device)).body.success).toBe(true);
  });

  it('stops while switched off, and works again afterwards', async () => {
    const owner = await fixture.withPasskey();
    const admin = await fixture.rootAnew();
    const set = (value: string) =>
      admin.expectSuccess('PUT', '/api/option/', { key: 'passkey.enabled', value });
    await set('false');
    const status = await new ApiClient(fixture.url).expectSuccess<{ passkey_login: boolean }>(
      'GET',
      '/api/status',
    );
    expect(status.passkey_login).toBe(false);
    expect((await new ApiClient(fixture.url).post(`${PATH}/login/begin`, {})).body).toMatchObject({
      code: 'passkey_off',
    });
    expect((await owner.client.post(`${PATH}/register/begin`, {})).body).toMatchObject({
      code: 'passkey_off',
    });
    await set('true');
    expect((await fixture.signIn(owner.device)).body.success).toBe(true);
  });
});

describe('proving who is at the keyboard', () => {
  interface Fresh {
    required: boolean;
    fresh: boolean;
    expires_at: number;
    methods: string[];
  }
  const statusOf = (client: ApiClient) => client.expectSuccess<Fresh>('GET', '/api/verify/status');

  it('a login is fresh for ten minutes; the password, or a passkey, makes it fresh again', async () => {
    const owner = await fixture.withPasskey();
    expect(await statusOf(owner.client)).toEqual({
      required: false,
      fresh: true,
      expires_at: Math.floor(fixture.clock.nowMs() / 1000) + 600,
      methods: ['password', 'passkey'],
    });
    fixture.clock.advance(600_000);
    expect(await statusOf(owner.client)).toMatchObject({ fresh: false, expires_at: 0 });
    const wrong = await owner.client.post('/api/verify', { method: 'password', password: 'no' });
    expect(wrong.body).toMatchObject({ code: 'proof_wrong' });
    await owner.client.expectSuccess('POST', '/api/verify', { method: 'password', password: PASSWORD });
    expect((await statusOf(owner.client)).fresh).toBe(true);
    fixture.clock.advance(600_000);
    const { options } = await owner.client.expectSuccess<{ options: RequestOptions }>(
      'POST',
      `${PATH}/verify/begin`,
      {},
    );
    expect(options.allowCredentials).toHaveLength(1);
    const credential = owner.device.get(options);
    await owner.client.expectSuccess('POST', `${PATH}/verify/finish`, { credential });
    expect((await statusOf(owner.client)).fresh).toBe(true);
    const again = await owner.client.post(`${PATH}/verify/finish`, { credential });
    expect(again.body).toMatchObject({ code: 'passkey_refused' });
  });

  it('accepts neither another account’s passkey nor a login’s answer as proof', async () => {
    const owner = await fixture.withPasskey();
    const other = await fixture.withPasskey();
    const { options } = await owner.client.expectSuccess<{ options: RequestOptions }>(
      'POST',
      `${PATH}/verify/begin`,
      {},
    );
    const foreign = other.device.get({ ...options, allowCredentials: undefined });
    expect((await owner.client.post(`${PATH}/verify/finish`, { credential: foreign })).body).toMatchObject({
      code: 'passkey_refused',
    });
    const login = await new ApiClient(fixture.url).expectSuccess<{ options: RequestOptions }>(
      'POST',
      `${PATH}/login/begin`,
      {},
    );
    const answer = owner.device.get(login.options);
    expect((await owner.client.post(`${PATH}/verify/finish`, { credential: answer })).body).toMatchObject({
      code: 'passkey_refused',
    });
  });

  it('requires more than the password with an authenticator app', async () => {
    const { client } = await fixture.person();
    const { secret } = await client.expectSuccess<{ secret: string }>('POST', '/api/user/2fa/setup', {});
    const code = (): string => generateSync({ secret, epoch: Math.floor(fixture.clock.nowMs() / 1000) });
    await client.expectSuccess('POST', '/api/user/2fa/enable', { code: code(), password: PASSWORD });
    fixture.clock.advance(600_000);
    expect((await statusOf(client)).methods).toEqual(['2fa']);
    const byPassword = await client.post('/api/verify', { method: 'password', password: PASSWORD });
    expect(byPassword.body).toMatchObject({ code: 'proof_by_code' });
    await client.expectSuccess('POST', '/api/verify', { method: '2fa', code: code() });
    expect((await statusOf(client)).fresh).toBe(true);
  });
});

describe('bad input', () => {
  const credential = {
    id: 'AAAA',
    rawId: 'AAAA',
    type: 'public-key',
    response: { clientDataJSON: 'AAAA', authenticatorData: 'AAAA', signature: 'AAAA', userHandle: 'AAAA' },
    clientExtensionResults: {},
  };
  const finish = (body: unknown) => new ApiClient(fixture.url).post(`${PATH}/login/finish`, body);

  it.each([
    ['nothing', {}],
    ['no object', { credential: 'AAAA' }],
    ['an id that is no base64url', { credential: { ...credential, id: 'a b' } }],
    ['an endless id', { credential: { ...credential, id: 'A'.repeat(5_000) } }],
    ['another type', { credential: { ...credential, type: 'password' } }],
    ['a missing signature', { credential: { ...credential, response: { clientDataJSON: 'AAAA' } } }],
  ])('%s is no answer', async (_, body) => {
    expect((await finish(body)).status).toBe(400);
  });

  it.each([
    ['no JSON', 'AAAA'],
    ['JSON without a challenge', Buffer.from('{}').toString('base64url')],
    ['a number for a challenge', Buffer.from('{"challenge":7}').toString('base64url')],
  ])('client data that is %s is refused', async (_, clientDataJSON) => {
    const reply = await finish({
      credential: { ...credential, response: { ...credential.response, clientDataJSON } },
    });
    expect(reply.body).toMatchObject({ code: 'passkey_refused' });
  });
});

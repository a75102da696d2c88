import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { generateSync } from 'otplib';
import { credentialDigestOf } from '../../../server/modules/passkeys/passkey-ceremonies.js';
import { PasskeyEntity } from '../../../server/modules/passkeys/passkey.entity.js';
import { UserEntity } from '../../../server/modules/users/user.entity.js';
import { ApiClient, type ApiReply, sessionCookieOf } from '../../support/api-client.js';
import { ROOT_ACCOUNT, setUpRoot, signUp, startTestApp, type TestApp } from '../../support/build-test-app.js';
import { FakeClock } from '../../support/fake-clock.js';
import {
  type Bend,
  type CreationOptions,
  type RequestOptions,
  SoftwareAuthenticator,
} from '../../support/software-authenticator.js';

const PASSWORD = 'password-of-a-test';
const PATH = '/api/user/passkey';

const clock = new FakeClock();
let app: TestApp;
/** Browsers offer passkeys on localhost, not on 127.0.0.1. */
let url: string;
let root: ApiClient;
let count = 0;

beforeAll(async () => {
  app = await startTestApp({ clock });
  url = app.url.replace('127.0.0.1', 'localhost');
  root = await setUpRoot({ url });
});
afterAll(() => app.close());
beforeEach(() => clock.advance(24 * 3_600_000));

const rootAnew = () => ApiClient.signIn(url, ROOT_ACCOUNT.username, ROOT_ACCOUNT.password);
const messageOf = (reply: ApiReply): string => reply.body.message ?? '';

interface Person {
  readonly client: ApiClient;
  readonly name: string;
  readonly device: SoftwareAuthenticator;
}

async function person(): Promise<Person> {
  count += 1;
  const name = `key${count}`;
  const client = await signUp(await rootAnew(), { username: name });
  return { client, name, device: new SoftwareAuthenticator(url) };
}

async function addPasskey(
  { client, device }: Pick<Person, 'client' | 'device'>,
  name = 'laptop',
  bend: Bend = {},
): Promise<ApiReply> {
  const { options } = await client.expectSuccess<{ options: CreationOptions }>(
    'POST',
    `${PATH}/register/begin`,
    {},
  );
  device.bend = bend;
  const credential = device.create(options);
  device.bend = {};
  return client.post(`${PATH}/register/finish`, { name, credential });
}

async function withPasskey(): Promise<Person> {
  const owner = await person();
  expect((await addPasskey(owner)).body).toMatchObject({ success: true });
  return owner;
}

async function signIn(device: SoftwareAuthenticator, bend: Bend = {}): Promise<ApiReply> {
  const guest = new ApiClient(url);
  const { options } = await guest.expectSuccess<{ options: RequestOptions }>(
    'POST',
    `${PATH}/login/begin`,
    {},
  );
  device.bend = bend;
  const credential = device.get(options);
  device.bend = {};
  return guest.post(`${PATH}/login/finish`, { credential });
}

interface PasskeyList {
  enabled: boolean;
  available: boolean;
  items: { id: number; name: string; last_used_at: number; synced: boolean }[];
}
const listOf = (client: ApiClient) => client.expectSuccess<PasskeyList>('GET', PATH);
const auditOf = async (target: number, action: string) => {
  const admin = await rootAnew();
  const path = `/api/audit?target_type=user&target_id=${target}&action=${action}`;
  return (await admin.expectSuccess<{ items: { actor_id: number; detail: string }[] }>('GET', path)).items;
};

describe('adding a passkey', () => {
  it('asks for a discoverable key with its owner verified, for this host, under a handle that names nobody', async () => {
    const { client, name } = await person();
    const { options } = await client.expectSuccess<{ options: CreationOptions }>(
      'POST',
      `${PATH}/register/begin`,
      {},
    );
    expect(options).toMatchObject({
      rp: { id: 'localhost' },
      user: { name },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: [],
    });
    expect(Buffer.from(options.challenge, 'base64url').length).toBeGreaterThanOrEqual(32);
    expect(Buffer.from(options.user.id, 'base64url')).toHaveLength(32);
  });

  it('lists it by name, without its keys, and does not make it twice', async () => {
    const owner = await withPasskey();
    const list = await listOf(owner.client);
    expect(list).toMatchObject({
      enabled: true,
      available: true,
      items: [{ name: 'laptop', last_used_at: 0 }],
    });
    expect(Object.keys(list.items[0] ?? {}).toSorted()).toEqual([
      'created_at',
      'id',
      'last_used_at',
      'name',
      'synced',
    ]);
    const { options } = await owner.client.expectSuccess<{ options: CreationOptions }>(
      'POST',
      `${PATH}/register/begin`,
      {},
    );
    expect(options.excludeCredentials).toHaveLength(1);
    expect(await auditOf(owner.client.userId, 'passkey.add')).toMatchObject([
      { actor_id: owner.client.userId, detail: '{"name":"laptop"}' },
    ]);
  });

  it('asks for the password once the login is older than ten minutes', async () => {
    const { client } = await person();
    clock.advance(10 * 60_000 + 1);
    const begin = (password: string) => client.post(`${PATH}/register/begin`, { password });
    expect(messageOf(await begin(''))).toMatch(/enter your password/);
    expect(messageOf(await begin('not this one'))).toBe('The password is wrong');
    expect((await begin(PASSWORD)).body.success).toBe(true);
    expect((await begin('')).body.success).toBe(true);
  });

  it('asks accounts with an authenticator app for a code as well', async () => {
    const { client } = await person();
    const { secret } = await client.expectSuccess<{ secret: string }>('POST', '/api/user/2fa/setup', {});
    const code = (): string => generateSync({ secret, epoch: Math.floor(clock.nowMs() / 1000) });
    await client.expectSuccess('POST', '/api/user/2fa/enable', { code: code(), password: PASSWORD });
    clock.advance(10 * 60_000 + 1);
    const begin = (proof: object) => client.post(`${PATH}/register/begin`, proof);
    expect(messageOf(await begin({ password: PASSWORD }))).toMatch(/code is wrong/);
    expect((await begin({ password: PASSWORD, code: code() })).body.success).toBe(true);
  });

  it.each<[string, Bend]>([
    ['made on a page of another site', { origin: 'https://evil.example' }],
    ['made on another port', { origin: 'http://localhost:1' }],
    ['made for another host', { rpId: 'evil.example' }],
    ['for a challenge nobody gave', { challenge: Buffer.alloc(32, 7).toString('base64url') }],
    ['whose owner was not verified', { isVerified: false }],
    ['whose owner was not there', { isPresent: false }],
    ['that answers the other ceremony', { type: 'webauthn.get' }],
  ])('refuses one %s', async (_, bend) => {
    const owner = await person();
    expect((await addPasskey(owner, 'odd', bend)).body).toMatchObject({ code: 'passkey_refused' });
    expect((await listOf(owner.client)).items).toEqual([]);
  });

  it('uses a challenge once, within five minutes, in the login it was given to', async () => {
    const { client, name, device } = await person();
    const begin = () =>
      client.expectSuccess<{ options: CreationOptions }>('POST', `${PATH}/register/begin`, {});
    const finish = (credential: unknown, by = client) =>
      by.post(`${PATH}/register/finish`, { name: 'x', credential });
    const first = device.create((await begin()).options);
    expect((await finish(first)).body.success).toBe(true);
    expect((await finish(first)).body).toMatchObject({ code: 'passkey_refused' });
    const late = device.create((await begin()).options);
    clock.advance(5 * 60_000 + 1);
    expect((await finish(late)).body).toMatchObject({ code: 'passkey_refused' });
    const elsewhere = await ApiClient.signIn(url, name, PASSWORD);
    const moved = device.create((await begin()).options);
    expect((await finish(moved, elsewhere)).body).toMatchObject({ code: 'passkey_refused' });
    const other = await person();
    const foreign = device.create((await begin()).options);
    expect((await finish(foreign, other.client)).body).toMatchObject({ code: 'passkey_refused' });
  });

  it('refuses a credential that another account has', async () => {
    const owner = await withPasskey();
    const thief = await person();
    const { options } = await thief.client.expectSuccess<{ options: CreationOptions }>(
      'POST',
      `${PATH}/register/begin`,
      {},
    );
    const made = thief.device.create(options);
    await app.dataSource
      .getRepository(PasskeyEntity)
      .update({ userId: owner.client.userId }, { credentialDigest: credentialDigestOf(String(made['id'])) });
    const reply = await thief.client.post(`${PATH}/register/finish`, { credential: made });
    expect(reply.body).toMatchObject({ code: 'passkey_known' });
  });

  it('takes twenty, also when more are added at once', async () => {
    const owner = await person();
    const offers = await Promise.all(
      Array.from({ length: 24 }, () =>
        owner.client.expectSuccess<{ options: CreationOptions }>('POST', `${PATH}/register/begin`, {}),
      ),
    );
    const replies = await Promise.all(
      offers.map(({ options }) =>
        owner.client.post(`${PATH}/register/finish`, { credential: owner.device.create(options) }),
      ),
    );
    expect(replies.filter(({ body }) => body.success)).toHaveLength(20);
    expect((await owner.client.post(`${PATH}/register/begin`, {})).body).toMatchObject({
      code: 'passkey_limit',
    });
  });
});

describe('signing in by a passkey', () => {
  it('needs no name, and is two factors by itself', async () => {
    const owner = await withPasskey();
    const { secret } = await owner.client.expectSuccess<{ secret: string }>(
      'POST',
      '/api/user/2fa/setup',
      {},
    );
    const code = generateSync({ secret, epoch: Math.floor(clock.nowMs() / 1000) });
    await owner.client.expectSuccess('POST', '/api/user/2fa/enable', { code, password: PASSWORD });
    const reply = await signIn(owner.device);
    expect(reply.body).toMatchObject({ success: true, data: { username: owner.name } });
    const client = new ApiClient(url);
    client.headers['cookie'] = sessionCookieOf(reply);
    client.headers['New-Api-User'] = String(owner.client.userId);
    const sessions = await client.expectSuccess<{ way: string; current: boolean }[]>(
      'GET',
      '/api/user/self/sessions',
    );
    expect(sessions.find(({ current }) => current)?.way).toBe('passkey');
    expect((await listOf(client)).items[0]?.last_used_at).toBe(Math.floor(clock.nowMs() / 1000));
    const [row] = await auditOf(owner.client.userId, 'login.success');
    expect(row?.detail).toBe('{"way":"passkey"}');
  });

  it('offers no list of passkeys to guests: nobody learns who has one', async () => {
    const { options } = await new ApiClient(url).expectSuccess<{ options: RequestOptions }>(
      'POST',
      `${PATH}/login/begin`,
      {},
    );
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
    const owner = await withPasskey();
    const reply = await signIn(owner.device, bend);
    expect(reply.body).toMatchObject({ success: false, code: 'passkey_refused' });
    expect(sessionCookieOf(reply)).toBe('');
    expect((await signIn(owner.device)).body.success).toBe(true);
  });

  it('takes an answer once, and of twenty at once one', async () => {
    const owner = await withPasskey();
    const guest = new ApiClient(url);
    const { options } = await guest.expectSuccess<{ options: RequestOptions }>(
      'POST',
      `${PATH}/login/begin`,
      {},
    );
    const credential = owner.device.get(options);
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => guest.post(`${PATH}/login/finish`, { credential })),
    );
    expect(replies.filter(({ body }) => body.success)).toHaveLength(1);
  });

  it('refuses a count that does not grow, and says so in the audit log', async () => {
    const owner = await withPasskey();
    expect((await signIn(owner.device)).body.success).toBe(true);
    expect((await signIn(owner.device)).body.success).toBe(true);
    expect((await signIn(owner.device, { counter: 2 })).body).toMatchObject({ code: 'passkey_refused' });
    expect((await signIn(owner.device, { counter: 0 })).body).toMatchObject({ code: 'passkey_refused' });
    expect(await auditOf(owner.client.userId, 'passkey.counter_fell')).toHaveLength(2);
    expect((await signIn(owner.device, { counter: 3 })).body.success).toBe(true);
  });

  it('takes authenticators that do not count', async () => {
    const owner = await withPasskey();
    for (let turn = 0; turn < 3; turn += 1)
      expect((await signIn(owner.device, { counter: 0 })).body.success).toBe(true);
  });

  it('refuses banned and deregistered accounts and removed passkeys', async () => {
    const owner = await withPasskey();
    const admin = await rootAnew();
    await admin.expectSuccess('POST', '/api/user/manage', { id: owner.client.userId, action: 'disable' });
    expect((await signIn(owner.device)).body.success).toBe(false);
    await admin.expectSuccess('POST', '/api/user/manage', { id: owner.client.userId, action: 'enable' });
    expect((await signIn(owner.device)).body.success).toBe(true);
    await admin.expectSuccess('DELETE', `/api/user/${owner.client.userId}/reset_passkey`);
    expect((await signIn(owner.device)).body).toMatchObject({ code: 'passkey_refused' });
    const gone = await withPasskey();
    await admin.expectSuccess('POST', '/api/user/manage', { id: gone.client.userId, action: 'delete' });
    expect((await signIn(gone.device)).body).toMatchObject({ code: 'passkey_refused' });
  });

  it('a forged Host makes passkeys of another host, which are worth nothing here', async () => {
    const owner = await withPasskey();
    const guest = new ApiClient(app.url);
    const reply = await guest.send('POST', `${PATH}/login/begin`, {});
    expect(reply.body).toMatchObject({ code: 'passkey_unavailable' });
    expect((await signIn(owner.device)).body.success).toBe(true);
  });

  it('stands still when switched off, and comes back', async () => {
    const owner = await withPasskey();
    const admin = await rootAnew();
    const set = (value: string) =>
      admin.expectSuccess('PUT', '/api/option/', { key: 'passkey.enabled', value });
    await set('false');
    const status = await new ApiClient(url).expectSuccess<{ passkey_login: boolean }>('GET', '/api/status');
    expect(status.passkey_login).toBe(false);
    expect((await new ApiClient(url).post(`${PATH}/login/begin`, {})).body).toMatchObject({
      code: 'passkey_off',
    });
    expect((await owner.client.post(`${PATH}/register/begin`, {})).body).toMatchObject({
      code: 'passkey_off',
    });
    await set('true');
    expect((await signIn(owner.device)).body.success).toBe(true);
  });
});

describe('looking after passkeys', () => {
  it('renames and removes the own ones and nobody else’s', async () => {
    const owner = await withPasskey();
    const stranger = await person();
    const [passkey] = (await listOf(owner.client)).items;
    const path = `${PATH}/${passkey?.id}`;
    expect((await stranger.client.put(path, { name: 'mine' })).body).toMatchObject({ code: 'not_found' });
    expect((await stranger.client.delete(path)).body).toMatchObject({ code: 'not_found' });
    for (const name of ['', '  ', '\u0000', 'x'.repeat(65)])
      expect((await owner.client.put(path, { name })).body).toMatchObject({ code: 'passkey_name_invalid' });
    await owner.client.expectSuccess('PUT', path, { name: '  My 🔑 ' });
    expect((await listOf(owner.client)).items).toMatchObject([{ name: 'My 🔑' }]);
    await owner.client.expectSuccess('DELETE', path);
    expect((await listOf(owner.client)).items).toEqual([]);
    expect((await signIn(owner.device)).body).toMatchObject({ code: 'passkey_refused' });
    expect(await auditOf(owner.client.userId, 'passkey.remove')).toHaveLength(1);
  });

  it('OAUTH-10 keeps the last way into an account', async () => {
    const owner = await withPasskey();
    await app.dataSource.getRepository(UserEntity).update({ id: owner.client.userId }, { password: '' });
    const [passkey] = (await listOf(owner.client)).items;
    const remove = (id: number | undefined) => owner.client.delete(`${PATH}/${id}`);
    expect((await remove(passkey?.id)).body).toMatchObject({ code: 'passkey_last_way' });
    expect((await addPasskey(owner, 'phone')).body.success).toBe(true);
    expect((await remove(passkey?.id)).body.success).toBe(true);
  });

  it('administrators take them off accounts below them', async () => {
    const owner = await withPasskey();
    const helper = await signUp(await rootAnew(), { username: `hand${count}`, role: 'admin' });
    const path = `/api/user/${owner.client.userId}/reset_passkey`;
    expect(messageOf(await helper.delete(`/api/user/${root.userId}/reset_passkey`))).toMatch(/higher level/);
    expect(await helper.expectSuccess('GET', `/api/user/${owner.client.userId}/2fa`)).toEqual({
      enabled: false,
      passkeys: 1,
    });
    await helper.expectSuccess('DELETE', path);
    expect((await owner.client.get('/api/user/self')).status).toBe(401);
    expect(await auditOf(owner.client.userId, 'passkey.reset')).toMatchObject([{ actor_id: helper.userId }]);
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
    const owner = await withPasskey();
    expect(await statusOf(owner.client)).toEqual({
      required: false,
      fresh: true,
      expires_at: Math.floor(clock.nowMs() / 1000) + 600,
      methods: ['password', 'passkey'],
    });
    clock.advance(600_000);
    expect(await statusOf(owner.client)).toMatchObject({ fresh: false, expires_at: 0 });
    const wrong = await owner.client.post('/api/verify', { method: 'password', password: 'no' });
    expect(wrong.body).toMatchObject({ code: 'proof_wrong' });
    await owner.client.expectSuccess('POST', '/api/verify', { method: 'password', password: PASSWORD });
    expect((await statusOf(owner.client)).fresh).toBe(true);
    clock.advance(600_000);
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

  it('the passkey of somebody else proves nothing, nor does a login’s answer', async () => {
    const owner = await withPasskey();
    const other = await withPasskey();
    const { options } = await owner.client.expectSuccess<{ options: RequestOptions }>(
      'POST',
      `${PATH}/verify/begin`,
      {},
    );
    const foreign = other.device.get({ ...options, allowCredentials: undefined });
    expect((await owner.client.post(`${PATH}/verify/finish`, { credential: foreign })).body).toMatchObject({
      code: 'passkey_refused',
    });
    const login = await new ApiClient(url).expectSuccess<{ options: RequestOptions }>(
      'POST',
      `${PATH}/login/begin`,
      {},
    );
    const answer = owner.device.get(login.options);
    expect((await owner.client.post(`${PATH}/verify/finish`, { credential: answer })).body).toMatchObject({
      code: 'passkey_refused',
    });
  });

  it('with an authenticator app the password alone is too little', async () => {
    const { client } = await person();
    const { secret } = await client.expectSuccess<{ secret: string }>('POST', '/api/user/2fa/setup', {});
    const code = (): string => generateSync({ secret, epoch: Math.floor(clock.nowMs() / 1000) });
    await client.expectSuccess('POST', '/api/user/2fa/enable', { code: code(), password: PASSWORD });
    clock.advance(600_000);
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
  const finish = (body: unknown) => new ApiClient(url).post(`${PATH}/login/finish`, body);

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

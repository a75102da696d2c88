import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { generateSync } from 'otplib';
import { credentialDigestOf } from '../../../../server/console/passkeys/credential-digest.js';
import { PasskeyEntity } from '../../../../server/console/passkeys/passkey.entity.js';
import { UserEntity } from '../../../../server/base/users/user.entity.js';
import { ageSteps } from '../../../support/age-steps.js';
import { ApiClient } from '../../../support/api-client.js';
import { signUp } from '../../../support/build-test-app.js';
import {
  type Bend,
  type CreationOptions,
  SoftwareAuthenticator,
} from '../../../support/software-authenticator.js';
import { messageOf, PASSWORD, PasskeyFixture, PATH } from '../../../support/fixtures/passkey.fixture.js';

const fixture = new PasskeyFixture();
beforeAll(() => fixture.start());
afterAll(() => fixture.app.close());
/** Limits of earlier tests are forgotten. */
beforeEach(() => fixture.clock.advance(24 * 3_600_000));

describe('adding a passkey', () => {
  it('requires a discoverable key with its owner verified, for this host, under an anonymous handle', async () => {
    const { client, name } = await fixture.person();
    const options = await fixture.begin(client);
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
    const owner = await fixture.withPasskey();
    const list = await fixture.listOf(owner.client);
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
    const options = await fixture.begin(owner.client);
    expect(options.excludeCredentials).toHaveLength(1);
    expect(await fixture.auditOf(owner.client.userId, 'passkey.add')).toMatchObject([
      { actor_id: owner.client.userId, detail: '{"name":"laptop"}' },
    ]);
  });

  it('requires the password once the login is older than ten minutes', async () => {
    const { client } = await fixture.person();
    fixture.clock.advance(10 * 60_000 + 1);
    const begin = (password: string) => client.post(`${PATH}/register/begin`, { password });
    expect(messageOf(await begin(''))).toMatch(/enter your password/);
    expect(messageOf(await begin('not this one'))).toBe('The password is wrong');
    expect((await begin(PASSWORD)).body.success).toBe(true);
    expect((await begin('')).body.success).toBe(true);
  });

  it('requires a code as well from accounts with an authenticator app', async () => {
    const { client } = await fixture.person();
    const { secret } = await client.expectSuccess<{ secret: string }>('POST', '/api/user/2fa/setup', {});
    const code = (): string => generateSync({ secret, epoch: Math.floor(fixture.clock.nowMs() / 1000) });
    await client.expectSuccess('POST', '/api/user/2fa/enable', { code: code(), password: PASSWORD });
    fixture.clock.advance(10 * 60_000 + 1);
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
    const owner = await fixture.person();
    expect((await fixture.addPasskey(owner, 'odd', bend)).body).toMatchObject({ code: 'passkey_refused' });
    expect((await fixture.listOf(owner.client)).items).toEqual([]);
  });

  it('uses a challenge once, within five minutes, in the login it was given to', async () => {
    const { client, name, device } = await fixture.person();
    const begin = () =>
      client.expectSuccess<{ options: CreationOptions }>('POST', `${PATH}/register/begin`, {});
    const finish = (credential: unknown, by = client) =>
      by.post(`${PATH}/register/finish`, { name: 'x', credential });
    const first = device.create((await begin()).options);
    expect((await finish(first)).body.success).toBe(true);
    expect((await finish(first)).body).toMatchObject({ code: 'passkey_refused' });
    const late = device.create((await begin()).options);
    await ageSteps(fixture.app.dataSource, 5 * 60_000 + 1);
    expect((await finish(late)).body).toMatchObject({ code: 'passkey_refused' });
    const elsewhere = await ApiClient.signIn(fixture.url, name, PASSWORD);
    const moved = device.create((await begin()).options);
    expect((await finish(moved, elsewhere)).body).toMatchObject({ code: 'passkey_refused' });
    const other = await fixture.person();
    const foreign = device.create((await begin()).options);
    expect((await finish(foreign, other.client)).body).toMatchObject({ code: 'passkey_refused' });
  });

  it('refuses a credential that another account has', async () => {
    const owner = await fixture.withPasskey();
    const thief = await fixture.person();
    const options = await fixture.begin(thief.client);
    const made = thief.device.create(options);
    await fixture.app.dataSource
      .getRepository(PasskeyEntity)
      .update({ userId: owner.client.userId }, { credentialDigest: credentialDigestOf(String(made['id'])) });
    const reply = await thief.client.post(`${PATH}/register/finish`, { credential: made });
    expect(reply.body).toMatchObject({ code: 'passkey_known' });
  });

  it('takes twenty, also when more are added at once', async () => {
    const owner = await fixture.person();
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

describe('looking after passkeys', () => {
  it('renames and removes the own passkeys only', async () => {
    const owner = await fixture.withPasskey();
    const stranger = await fixture.person();
    const [passkey] = (await fixture.listOf(owner.client)).items;
    const path = `${PATH}/${passkey?.id}`;
    expect((await stranger.client.put(path, { name: 'mine' })).body).toMatchObject({ code: 'not_found' });
    expect((await stranger.client.delete(path)).body).toMatchObject({ code: 'not_found' });
    for (const name of ['', '  ', '\u0000', 'x'.repeat(65)])
      expect((await owner.client.put(path, { name })).body).toMatchObject({ code: 'passkey_name_invalid' });
    await owner.client.expectSuccess('PUT', path, { name: '  My 🔑 ' });
    expect((await fixture.listOf(owner.client)).items).toMatchObject([{ name: 'My 🔑' }]);
    await owner.client.expectSuccess('DELETE', path);
    expect((await fixture.listOf(owner.client)).items).toEqual([]);
    expect((await fixture.signIn(owner.device)).body).toMatchObject({ code: 'passkey_refused' });
    expect(await fixture.auditOf(owner.client.userId, 'passkey.remove')).toHaveLength(1);
  });

  it('keeps the last sign-in method of an account [OAUTH-10]', async () => {
    const owner = await fixture.withPasskey();
    await fixture.app.dataSource
      .getRepository(UserEntity)
      .update({ id: owner.client.userId }, { password: '' });
    const [passkey] = (await fixture.listOf(owner.client)).items;
    const remove = (id: number | undefined) => owner.client.delete(`${PATH}/${id}`);
    expect((await remove(passkey?.id)).body).toMatchObject({ code: 'passkey_last_way' });
    expect((await fixture.addPasskey(owner, 'phone')).body.success).toBe(true);
    expect((await remove(passkey?.id)).body.success).toBe(true);
  });

  it('keeps passkeys switched on, under their host name, while root has no other sign-in method [AUTH-119]', async () => {
    const root = await fixture.rootAnew();
    const put = (key: string, value: boolean) => root.put('/api/option/', { key, value });
    expect((await put('PasswordLoginEnabled', false)).body.code).toBe('option_last_login_way');
    await fixture.addPasskey({ client: root, device: new SoftwareAuthenticator(fixture.url) });
    expect((await put('PasswordLoginEnabled', false)).body.success).toBe(true);
    expect((await put('passkey.enabled', false)).body.code).toBe('option_last_login_way');
    expect((await put('PasswordLoginEnabled', true)).body.success).toBe(true);
    expect((await put('passkey.enabled', false)).body.success).toBe(true);
    const both = [
      { key: 'passkey.enabled', value: true },
      { key: 'PasswordLoginEnabled', value: false },
    ];
    // The check uses the new values, not the stored ones.
    expect((await root.put('/api/option/', both)).body.success).toBe(true);
    const moved = await root.put('/api/option/', {
      key: 'ServerAddress',
      value: 'https://elsewhere.example',
    });
    expect(moved.body.code).toBe('option_last_login_way');
    await root.expectSuccess('PUT', '/api/option/', { key: 'PasswordLoginEnabled', value: true });
  });

  it('administrators take them off accounts below them', async () => {
    const owner = await fixture.withPasskey();
    const helper = await signUp(await fixture.rootAnew(), {
      username: `hand${fixture.count}`,
      role: 'admin',
    });
    const path = `/api/user/${owner.client.userId}/reset_passkey`;
    expect(messageOf(await helper.delete(`/api/user/${fixture.root.userId}/reset_passkey`))).toMatch(
      /higher level/,
    );
    expect(await helper.expectSuccess('GET', `/api/user/${owner.client.userId}/2fa`)).toEqual({
      enabled: false,
      passkeys: 1,
    });
    await helper.expectSuccess('DELETE', path);
    expect((await owner.client.get('/api/user/self')).status).toBe(401);
    expect(await fixture.auditOf(owner.client.userId, 'passkey.reset')).toMatchObject([
      { actor_id: helper.userId },
    ]);
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { UserEntity } from '../../../../server/base/users/user.entity.js';
import { ApiClient } from '../../../support/api-client.ts';
import { setUpRoot, signUp, startTestApp, type TestApp } from '../../../support/build-test-app.ts';
import { createTestDatabase, DATABASE_KINDS } from '../../../support/database.ts';

describe.each(DATABASE_KINDS)('the own account on %s', (kind) => {
  let app: TestApp;
  let root: ApiClient;
  let user: ApiClient;
  let dropDatabase: () => Promise<void>;

  beforeAll(async () => {
    const database = await createTestDatabase(kind);
    dropDatabase = () => database.drop();
    app = await startTestApp({ env: { DATABASE_URL: database.url } });
    root = await setUpRoot(app);
    user = await signUp(root, { username: 'someone' });
  });
  afterAll(async () => {
    await app.close();
    await dropDatabase();
  });

  const row = (id: number): Promise<UserEntity> =>
    app.dataSource.getRepository(UserEntity).findOneByOrFail({ id });

  it('the own profile takes name, display name and password, and nothing else [SELF-01]', async () => {
    const self = await signUp(root, { username: 'myself' });
    const before = await row(self.userId);
    const hostile = {
      role: 100,
      status: 2,
      quota: 9e9,
      group: 'vip',
      inviter_id: 1,
      aff_quota: 8,
      auth_version: 0,
      setting: '{}',
      email: 'a@b.c',
    };
    await self.expectSuccess('PUT', '/api/user/self', { ...hostile, id: 1, display_name: 'Me' });
    expect(await row(self.userId)).toEqual({ ...before, displayName: 'Me' });
    expect((await self.put('/api/user/self', { username: 'SOMEONE' })).body.code).toBe('username_taken');
    expect((await self.put('/api/user/self', { username: 'me@home' })).body.code).toBe('username_invalid');
  });

  it('a new password needs the right original one [AUTH-12]', async () => {
    const self = await signUp(root, { username: 'changer' });
    for (const [body, code] of [
      [{ password: 'a new password' }, 'password_original_wrong'],
      [{ password: 'a new password', original_password: 'wrong' }, 'password_original_wrong'],
      [{ password: 'short', original_password: 'password-of-a-test' }, 'password_length'],
      [{ password: 'password-of-a-test', original_password: 'password-of-a-test' }, 'password_unchanged'],
    ] as const) {
      expect((await self.put('/api/user/self', body)).body.code).toBe(code);
    }
    expect((await ApiClient.signIn(app.url, 'changer', 'password-of-a-test')).userId).toBe(self.userId);
  });

  it('the own password needs the original one in the administration too [AUTH-12]', async () => {
    const warden = await signUp(root, { username: 'self.edit', role: 'admin' });
    const edit = (more: object) =>
      warden.put('/api/user/', { id: warden.userId, password: 'another-password', ...more });
    expect((await edit({})).body.code).toBe('password_original_wrong');
    expect((await edit({ original_password: 'guess' })).body.code).toBe('password_original_wrong');
    const reply = await edit({ original_password: 'password-of-a-test' });
    expect(reply.body.success).toBe(true);
    expect(reply.headers.getSetCookie().some((cookie) => cookie.startsWith('session='))).toBe(true);
    expect((await warden.get('/api/user/self')).status).toBe(401);
    expect((await ApiClient.signIn(app.url, 'self.edit', 'another-password')).userId).toBe(warden.userId);
  });

  it('lets a user delete the own account, but not root [SELF-05]', async () => {
    const self = await signUp(root, { username: 'goodbye' });
    expect((await self.delete('/api/user/self', { username: 'someone' })).body.code).toBe(
      'account_name_mismatch',
    );
    expect((await self.delete('/api/user/self')).body.success).toBe(true);
    expect((await self.get('/api/user/self')).status).toBe(401);
    expect((await root.delete('/api/user/self')).body.code).toBe('root_cannot_leave');
  });

  it('has an invite code of 8 characters that stays', async () => {
    const code = await user.expectSuccess<string>('GET', '/api/user/aff');
    expect(code).toMatch(/^[A-Za-z2-9]{8}$/);
    expect(await user.expectSuccess('GET', '/api/user/aff/')).toBe(code);
  });

  it('keeps the setting document, its secret out of every answer', async () => {
    await user.expectSuccess('PUT', '/api/user/setting', {
      notify_type: 'webhook',
      webhook_url: 'https://hooks.example/a',
      webhook_secret: 'canary-secret',
      accept_unset_model_ratio_model: true,
    });
    const own = await user.expectSuccess<{ setting: string }>('GET', '/api/user/self');
    expect(JSON.parse(own.setting)).toMatchObject({
      notify_type: 'webhook',
      accept_unset_model_ratio_model: true,
      webhook_secret_set: true,
    });
    const seen = JSON.stringify([
      own,
      (await root.get(`/api/user/${user.userId}`)).body,
      (await root.get('/api/user/?page_size=100')).body,
    ]);
    expect(seen).not.toContain('canary-secret');
    expect((await user.put('/api/user/setting', { notify_type: 'pigeon' })).body.code).toBe(
      'notify_type_invalid',
    );
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { In } from 'typeorm';
import { AuditEventEntity } from '../../../../server/base/audit/audit-event.entity.js';
import { LogEntity } from '../../../../server/base/logs/log.entity.js';
import { UserEntity } from '../../../../server/base/users/user.entity.js';
import { ApiClient } from '../../../support/api-client.ts';
import { setUpRoot, signUp, startTestApp, type TestApp } from '../../../support/build-test-app.ts';
import { createTestDatabase, DATABASE_KINDS } from '../../../support/database.ts';

interface UserPage {
  readonly items: { readonly id: number; readonly username: string; readonly DeletedAt: string | null }[];
  readonly total: number;
  readonly page: number;
  readonly page_size: number;
}

describe.each(DATABASE_KINDS)('accounts on %s', (kind) => {
  let app: TestApp;
  let root: ApiClient;
  let admin: ApiClient;
  let user: ApiClient;
  let dropDatabase: () => Promise<void>;

  beforeAll(async () => {
    const database = await createTestDatabase(kind);
    dropDatabase = () => database.drop();
    app = await startTestApp({ env: { DATABASE_URL: database.url } });
    root = await setUpRoot(app);
    admin = await signUp(root, { username: 'warden', role: 'admin' });
    user = await signUp(root, { username: 'someone' });
  });
  afterAll(async () => {
    await app.close();
    await dropDatabase();
  });

  const row = (id: number): Promise<UserEntity> =>
    app.dataSource.getRepository(UserEntity).findOneByOrFail({ id });
  const manage = (client: ApiClient, id: number, action: string, more: object = {}) =>
    client.post('/api/user/manage', { id, action, ...more });

  it('lists newest first with total, page and size; size 10 by default and 100 at most [API-103]', async () => {
    const page = await root.expectSuccess<UserPage>('GET', '/api/user/');
    expect([page.page, page.page_size]).toEqual([1, 10]);
    expect(page.items.map(({ id }) => id)).toEqual(
      page.items.map(({ id }) => id).toSorted((left, right) => right - left),
    );
    expect(page.total).toBeGreaterThanOrEqual(3);
    for (const [query, size] of [
      ['page_size=0', 10],
      ['page_size=-1', 10],
      ['page_size=100000', 100],
      ['page_size=x', 10],
      ['p=0', 10],
    ] as const) {
      expect((await root.expectSuccess<UserPage>('GET', `/api/user/?${query}`)).page_size).toBe(size);
    }
  });

  it('lists the largest figures first where asked, accounts alike newest first', async () => {
    const rows = app.dataSource.getRepository(UserEntity);
    await rows.update({ id: admin.userId }, { usedQuota: 7, requestCount: 2 });
    await rows.update({ id: root.userId }, { usedQuota: 5, requestCount: 9 });
    const idsBy = async (sort: string): Promise<number[]> => {
      const { items } = await root.expectSuccess<UserPage>('GET', `/api/user/search?sort=${sort}`);
      return items.map(({ id }) => id);
    };
    const newest = await idsBy('');
    const others = newest.filter((id) => id !== admin.userId && id !== root.userId);
    expect(await idsBy('used_quota')).toEqual([admin.userId, root.userId, ...others]);
    expect(await idsBy('request_count')).toEqual([root.userId, admin.userId, ...others]);
    expect(await idsBy('password')).toEqual(newest);
    const balances = await rows.find({ order: { quota: 'DESC', id: 'DESC' } });
    expect(await idsBy('quota')).toEqual(balances.map(({ id }) => id));
    await rows.update({ id: In([admin.userId, root.userId]) }, { usedQuota: 0, requestCount: 0 });
  });

  it.each([
    ['someon', ['someone']],
    ['SOMEON', ['someone']],
    ['%', []],
    ['_', []],
    ["' OR 1=1 --", []],
    ['\\', []],
  ])('searches for %j as it is written [DB-03]', async (keyword, names) => {
    const page = await root.expectSuccess<UserPage>(
      'GET',
      `/api/user/search?keyword=${encodeURIComponent(keyword)}`,
    );
    expect(page.items.map(({ username }) => username)).toEqual(names);
  });

  it('finds by id and narrows by group', async () => {
    const byId = await root.expectSuccess<UserPage>(
      'GET',
      `/api/user/search?keyword=${user.userId}&group=default`,
    );
    expect(byId.items.map(({ id }) => id)).toContain(user.userId);
    expect((await root.expectSuccess<UserPage>('GET', '/api/user/search?keyword=&group=vip')).items).toEqual(
      [],
    );
  });

  it.each([
    ['undefined', 400],
    ['NaN', 400],
    ['0', 400],
    ['-1', 400],
    ['1e3', 400],
    ['1.5', 400],
    ['99999999999999999999', 400],
    ['%00', 400],
  ])('the id %s is no id', async (id, status) => {
    expect((await root.get(`/api/user/${id}`)).status).toBe(status);
  });

  it.each([[undefined], [null], [0], [-1], [1.5], ['1'], [[1]], [{}], [true]])(
    'refuses the id %j in manage and changes no account [USER-101]',
    async (id) => {
      const before = await app.dataSource.getRepository(UserEntity).find();
      const reply = await root.post('/api/user/manage', { id, action: 'disable' });
      expect([reply.status, reply.body.success]).toEqual([400, false]);
      expect(await app.dataSource.getRepository(UserEntity).find()).toEqual(before);
    },
  );

  it('refuses an action it does not know [USER-102]', async () => {
    expect((await manage(root, user.userId, 'crown')).status).toBe(400);
    expect((await manage(root, user.userId, 'constructor')).status).toBe(400);
  });

  it.each([
    ['an administrator', 'disable', 'user_out_of_reach'],
    ['an administrator', 'demote', 'user_out_of_reach'],
    ['root', 'delete', 'user_root_protected'],
    ['root', 'disable', 'user_root_protected'],
    ['root', 'demote', 'user_root_protected'],
  ])('refuses when %s wants to %s an account of the same level [ADM-01]', async (who, action, code) => {
    const actor = who === 'root' ? root : admin;
    expect((await manage(actor, actor.userId, action)).body.code).toBe(code);
    expect(await row(actor.userId)).toMatchObject({ status: 1, deletedAtMs: null });
  });

  it('create ignores role, quota, group and every other column [ADM-01]', async () => {
    const hostile = {
      role: 9,
      quota: 5_000_000,
      group: 'vip',
      status: 2,
      id: 1,
      auth_version: 7,
      aff_quota: 3,
      inviter_id: 1,
    };
    await admin.expectSuccess('POST', '/api/user/', {
      ...hostile,
      username: 'plain.one',
      password: 'password-of-a-test',
    });
    const { items } = await root.expectSuccess<UserPage>('GET', '/api/user/search?keyword=plain.one');
    expect(await row(items[0]?.id ?? 0)).toMatchObject({
      role: 1,
      quota: 0,
      group: 'default',
      status: 1,
      authVersion: 1,
      affQuota: 0,
      inviterId: 0,
    });
    expect(
      (await admin.post('/api/user/', { username: 'peer', password: 'password-of-a-test', role: 10 })).body
        .code,
    ).toBe('user_role_too_high');
  });

  it('edit writes what is present and may be written, and nothing else', async () => {
    const target = await signUp(root, { username: 'edited' });
    const before = await row(target.userId);
    const everything = Object.fromEntries(
      app.dataSource.getMetadata(UserEntity).columns.flatMap(({ databaseName, propertyName }) => [
        [databaseName, '77'],
        [propertyName, '77'],
      ]),
    );
    const body = {
      ...everything,
      id: target.userId,
      username: 'renamed',
      display_name: 'Renamed',
      role: 1,
      group: 'vip',
      quota: undefined,
      password: '',
    };
    await admin.expectSuccess('PUT', '/api/user/', body);
    const { username, usernameFolded, displayName, group, ...rest } = await row(target.userId);
    expect({ username, usernameFolded, displayName, group }).toEqual({
      username: 'renamed',
      usernameFolded: 'renamed',
      displayName: 'Renamed',
      group: 'vip',
    });
    const { username: _1, usernameFolded: _2, displayName: _3, group: _4, ...unchanged } = before;
    expect(rest).toEqual(unchanged);
  });

  it('a deregistered account stays in the list, nothing brings it back but root, from the bin, and nothing reuses its name [USER-103, USER-108]', async () => {
    const target = await signUp(root, { username: 'leaver' });
    const reply = await manage(admin, target.userId, 'delete');
    expect(reply.body.data).toEqual({ role: 1, status: 1 });
    expect((await target.get('/api/user/self')).status).toBe(401);
    const { items } = await root.expectSuccess<UserPage>('GET', '/api/user/search?keyword=leaver');
    expect(items[0]?.DeletedAt).toMatch(/^\d{4}-\d\d-\d\dT/);
    expect((await manage(root, target.userId, 'enable')).body.code).toBe('user_deregistered');
    expect((await admin.post('/api/bin/user/restore', { ids: [target.userId] })).body.code).toBe(
      'not_permitted',
    );
    const card = await root.expectSuccess<UserPage['items'][number]>('GET', `/api/user/${target.userId}`);
    expect(card).toEqual(items[0]);
    expect(
      (await root.post('/api/user/', { username: 'Leaver', password: 'password-of-a-test' })).body.code,
    ).toBe('username_taken');
    expect(await root.expectSuccess('POST', '/api/bin/user/restore', { ids: [target.userId] })).toBe(1);
    const again = await ApiClient.signIn(app.url, 'leaver', 'password-of-a-test');
    expect((await again.get('/api/user/self')).body.success).toBe(true);
  });

  it('leaves a line with operator and target for each act [USER-107]', async () => {
    const target = await signUp(root, { username: 'watched' });
    await manage(admin, target.userId, 'disable');
    await manage(admin, target.userId, 'enable');
    const lines = await app.dataSource
      .getRepository(LogEntity)
      .find({ where: { userId: target.userId, type: 3 }, order: { id: 'ASC' } });
    expect(lines.map(({ content }) => content)).toEqual([
      expect.stringContaining('root (id 1) created the account'),
      expect.stringContaining(`warden (id ${admin.userId}) disable`),
      expect.stringContaining(`warden (id ${admin.userId}) enable`),
    ]);
  });

  it('a race of promotion and edit by an administrator never edits an administrator [ADM-01]', async () => {
    const target = await signUp(root, { username: 'racer' });
    const [promotion, edit] = await Promise.all([
      manage(root, target.userId, 'promote'),
      admin.put('/api/user/', { id: target.userId, display_name: 'touched' }),
    ]);
    expect(promotion.body.success).toBe(true);
    // Either the edit came first, or it was refused.
    const { displayName } = await row(target.userId);
    expect(edit.body.success === true ? displayName : edit.body.code).toBe(
      edit.body.success === true ? 'touched' : 'user_out_of_reach',
    );
  });

  it('records every act with old and new value, and no password', async () => {
    const target = await signUp(root, { username: 'observed' });
    const id = target.userId;
    await root.expectSuccess('PUT', '/api/user/', {
      id,
      username: 'renamed.1',
      group: 'vip',
      password: 'a-new-secret-word',
    });
    for (const action of ['promote', 'demote', 'disable', 'enable', 'delete']) await manage(root, id, action);
    const events = await app.dataSource.getRepository(AuditEventEntity).find({
      where: { targetId: String(id), targetType: 'user', actorId: root.userId },
      order: { sequence: 'ASC' },
    });
    expect(events.map(({ action }) => action)).toEqual(
      ['create', 'edit', 'promote', 'demote', 'disable', 'enable', 'delete'].map((act) => `user.${act}`),
    );
    expect(JSON.parse(events[1]?.detail ?? '')).toEqual({
      username: 'observed',
      username_before: 'observed',
      username_after: 'renamed.1',
      group_before: 'default',
      group_after: 'vip',
      new_password_set: true,
    });
    expect(JSON.parse(events[2]?.detail ?? '')).toMatchObject({ role_before: 1, role: 10 });
    expect(JSON.stringify(events)).not.toContain('a-new-secret-word');
  });

  it('DELETE by id answers what manage answers [USER-103]', async () => {
    const target = await signUp(root, { username: 'removed.1' });
    expect((await admin.delete(`/api/user/${admin.userId}`)).body.code).toBe('user_out_of_reach');
    expect((await root.delete(`/api/user/${root.userId}`)).body.code).toBe('user_root_protected');
    expect((await admin.delete(`/api/user/${target.userId}`)).body).toEqual({ success: true, message: '' });
    expect((await row(target.userId)).deletedAtMs).not.toBeNull();
    expect((await target.get('/api/user/self')).status).toBe(401);
    expect((await admin.delete(`/api/user/${target.userId}`)).body.code).toBe('user_deregistered');
  });

  it('narrows a search by role and status', async () => {
    const banned = await signUp(root, { username: 'narrow.ban' });
    await manage(root, banned.userId, 'disable');
    const names = async (query: string): Promise<string[]> =>
      (await root.expectSuccess<UserPage>('GET', `/api/user/search?page_size=100&${query}`)).items.map(
        ({ username }) => username,
      );
    expect(await names('role=100')).toEqual(['root']);
    expect(await names('role=10')).toContain('warden');
    expect(await names('role=10')).not.toContain('someone');
    expect(await names('keyword=narrow&status=2')).toEqual(['narrow.ban']);
    expect(await names('keyword=narrow&status=1')).toEqual([]);
  });

  it.each(['\u202egnp.exe', 'in\u200bvisible', 'ma\ufeffrk', 'turn\u2067ed'])(
    'refuses a display name with unseen or turning characters and changes nothing: %j',
    async (display_name) => {
      const before = await row(user.userId);
      expect(
        (await root.put('/api/user/', { id: user.userId, username: 'other', display_name })).body.code,
      ).toBe('display_name_invalid');
      expect((await user.put('/api/user/self', { display_name })).body.code).toBe('display_name_invalid');
      expect(
        (await root.post('/api/user/', { username: 'unseen', password: 'password-of-a-test', display_name }))
          .body.success,
      ).toBe(false);
      expect(await row(user.userId)).toEqual(before);
    },
  );

  it.each([
    'SOMEONE',
    'someone ',
    'so\u200bmeone',
    'some one',
    'ｓomeone',
    'ab',
    'x'.repeat(65),
    'root\u0000',
  ])('refuses a name that is taken or resembles one: %j [AUTH-10]', async (username) => {
    const before = await app.dataSource.getRepository(UserEntity).count();
    expect((await root.post('/api/user/', { username, password: 'password-of-a-test' })).body.success).toBe(
      false,
    );
    expect((await root.put('/api/user/', { id: admin.userId, username })).body.success).toBe(false);
    expect(await app.dataSource.getRepository(UserEntity).count()).toBe(before);
    expect((await row(admin.userId)).username).toBe('warden');
  });
});

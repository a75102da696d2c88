import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AuditEventEntity } from '../../../../server/base/audit/audit-event.entity.js';
import type { UserSignInsView } from '../../../../server/console/users/dto/user.dto.js';
import { ApiClient } from '../../../support/api-client.ts';
import { setUpRoot, signUp, startTestApp, type TestApp } from '../../../support/build-test-app.ts';
import { createTestDatabase, DATABASE_KINDS, type TestDatabase } from '../../../support/database.ts';

const PASSWORD = 'password-of-a-test';

describe.each(DATABASE_KINDS)('sign-ins of an account on %s', (kind) => {
  let database: TestDatabase;
  let app: TestApp;
  let root: ApiClient;
  let admin: ApiClient;
  let ann: ApiClient;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    app = await startTestApp({ env: { DATABASE_URL: database.url } });
    root = await setUpRoot(app);
    admin = await signUp(root, { username: 'keeper', role: 'admin' });
    ann = await signUp(root, { username: 'ann', password: PASSWORD });
    await new ApiClient(app.url).send('POST', '/api/user/login', { username: 'ann', password: 'wrong one' });
    await signUp(root, { username: 'ben' });
  });
  afterAll(async () => {
    await app.close();
    await database.drop();
  });

  const read = (client: ApiClient, id: number) =>
    client.expectSuccess<UserSignInsView>('GET', `/api/user/${id}/sign_ins`);

  it('shows administrators sign-in methods, sessions and attempts of that account alone, and no secret', async () => {
    const view = await read(admin, ann.userId);
    expect(view).toMatchObject({ has_password: true, has_access_token: false, providers: [] });
    expect(view.sessions.map(({ way, current }) => [way, current])).toEqual([['password', false]]);
    expect(view.sign_ins.map(({ success, way }) => [success, way])).toEqual([
      [false, 'password'],
      [true, 'password'],
    ]);
    expect(JSON.stringify(view)).not.toMatch(/[0-9a-f]{17,}/);
  });

  it('signs an account out everywhere, and records the actor', async () => {
    expect(await admin.expectSuccess('DELETE', `/api/user/${ann.userId}/sessions`)).toEqual({ ended: 1 });
    expect((await ann.send('GET', '/api/user/self')).status).toBe(401);
    expect((await read(admin, ann.userId)).sessions).toEqual([]);
    const events = await app.dataSource
      .getRepository(AuditEventEntity)
      .findBy({ action: 'user.sessions_end', targetId: String(ann.userId) });
    expect(events.map(({ actorId, detail }) => [actorId, JSON.parse(detail) as unknown])).toEqual([
      [admin.userId, { ended: 1 }],
    ]);
  });

  it('keeps the login of the administrator who ends the own ones', async () => {
    const second = await ApiClient.signIn(app.url, 'keeper', PASSWORD);
    await admin.expectSuccess('DELETE', `/api/user/${admin.userId}/sessions`);
    expect((await second.send('GET', '/api/user/self')).status).toBe(401);
    expect((await admin.send('GET', '/api/user/self')).status).toBe(200);
  });

  it('refuses administrators the accounts of other administrators and of root', async () => {
    for (const method of ['GET', 'DELETE'] as const) {
      const path = `/api/user/${root.userId}/${method === 'GET' ? 'sign_ins' : 'sessions'}`;
      expect((await admin.send(method, path)).body.code).toBe('user_out_of_reach');
    }
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiClient } from '../../../support/api-client.js';
import {
  ROOT_ACCOUNT,
  setUpRoot,
  signUp,
  startTestApp,
  type TestApp,
} from '../../../support/build-test-app.js';
import { createTestDatabase, type TestDatabase } from '../../../support/database.js';
import { ShiftedClock } from '../../../support/shifted-clock.js';
import { testRedisUrl } from '../../../support/redis.js';

const PASSWORD = 'password-of-a-test';
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

interface Session {
  id: string;
  created_at: number;
  last_seen_at: number;
  ip: string;
  user_agent: string;
  way: string;
  current: boolean;
}
const sessionsOf = (client: ApiClient) => client.expectSuccess<Session[]>('GET', '/api/user/self/sessions');
const statusOf = async (client: ApiClient): Promise<number> => (await client.get('/api/user/self')).status;

async function signInFrom(url: string, name: string, userAgent: string): Promise<ApiClient> {
  const client = new ApiClient(url);
  client.headers['user-agent'] = userAgent;
  const reply = await client.post('/api/user/login', { username: name, password: PASSWORD });
  client.userId = (reply.body.data as { id: number }).id;
  client.headers['cookie'] = reply.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
  client.headers['New-Api-User'] = String(client.userId);
  return client;
}

describe('the logins of an account', () => {
  const clock = new ShiftedClock();
  let app: TestApp;
  let count = 0;

  beforeAll(async () => {
    app = await startTestApp({ clock });
    await setUpRoot(app);
  });
  afterAll(() => app.close());

  async function person(role?: 'admin'): Promise<{ name: string; client: ApiClient }> {
    count += 1;
    const root = await ApiClient.signIn(app.url, ROOT_ACCOUNT.username, ROOT_ACCOUNT.password);
    const name = `here${count}`;
    return { name, client: await signUp(root, { username: name, ...(role === undefined ? {} : { role }) }) };
  }

  it('lists them with device, address, way and last use, the newest first, the own one marked', async () => {
    const { name } = await person();
    const laptop = await signInFrom(app.url, name, 'Firefox on a laptop \u00e9');
    clock.advance(2 * 60_000);
    const phone = await signInFrom(app.url, name, 'Safari on a phone');
    const listed = await sessionsOf(phone);
    const [first] = listed;
    expect(first).toMatchObject({
      user_agent: 'Safari on a phone',
      ip: '127.0.0.1',
      way: 'password',
      current: true,
    });
    expect(listed.filter(({ current }) => current)).toHaveLength(1);
    // Only printable ASCII is kept.
    expect(listed.map(({ user_agent }) => user_agent)).toContain('Firefox on a laptop ');
    clock.advance(2 * 60_000);
    const seenFrom = Math.floor(clock.nowMs() / 1000);
    await laptop.get('/api/user/self');
    const [latest] = await sessionsOf(phone);
    expect(latest?.last_seen_at).toBeGreaterThanOrEqual(seenFrom);
    expect(latest?.last_seen_at).toBeLessThanOrEqual(Math.floor(clock.nowMs() / 1000));
    for (const { id } of await sessionsOf(phone)) expect(id).toMatch(/^[0-9a-f]{16}$/);
  });

  it('ends one by one, and only the own ones', async () => {
    const { name } = await person();
    const [laptop, phone] = [await signInFrom(app.url, name, 'a'), await signInFrom(app.url, name, 'b')];
    const { client: stranger } = await person();
    const target = (await sessionsOf(laptop)).find(({ user_agent }) => user_agent === 'b');
    expect((await stranger.delete(`/api/user/self/sessions/${target?.id}`)).body).toMatchObject({
      code: 'not_found',
    });
    await laptop.expectSuccess('DELETE', `/api/user/self/sessions/${target?.id}`);
    expect([await statusOf(laptop), await statusOf(phone)]).toEqual([200, 401]);
    const again = await laptop.delete(`/api/user/self/sessions/${target?.id}`);
    expect(again.body).toMatchObject({ code: 'not_found' });
    for (const id of ['x', 'A'.repeat(16), `${target?.id}%25`, `${target?.id.slice(0, 8)}`])
      expect((await laptop.delete(`/api/user/self/sessions/${id}`)).status).toBe(400);
    expect(await statusOf(laptop)).toBe(200);
  });

  it('ends them everywhere else, or here as well', async () => {
    const { name, client } = await person();
    const others = [await signInFrom(app.url, name, 'a'), await signInFrom(app.url, name, 'b')];
    expect(await client.expectSuccess('DELETE', '/api/user/self/sessions')).toEqual({ ended: 2 });
    expect(await Promise.all(others.map(statusOf))).toEqual([401, 401]);
    expect(await statusOf(client)).toBe(200);
    const reply = await client.delete('/api/user/self/sessions?current=true');
    expect(reply.body).toMatchObject({ success: true, data: { ended: 1 } });
    expect(reply.headers.getSetCookie()[0]).toMatch(/^session=;/);
    expect(await statusOf(client)).toBe(401);
  });

  it('ends all of them by a system access token, which is no login', async () => {
    const { client } = await person();
    const token = await client.expectSuccess<string>('GET', '/api/user/token');
    const program = new ApiClient(app.url);
    Object.assign(program.headers, { Authorization: token, 'New-Api-User': String(client.userId) });
    expect(await program.expectSuccess('DELETE', '/api/user/self/sessions')).toMatchObject({ ended: 1 });
    expect(await statusOf(client)).toBe(401);
  });

  it.each([
    ['an ordinary account', undefined, 7 * DAY_MS, 30 * DAY_MS],
    ['an administrator', 'admin' as const, 12 * HOUR_MS, 7 * DAY_MS],
  ])('ends those of %s unused, and in use', async (_, role, idleMs, absoluteMs) => {
    const { client, name } = await person(role);
    clock.advance(idleMs - 60_000);
    expect(await statusOf(client)).toBe(200);
    clock.advance(idleMs + 60_000);
    expect(await statusOf(client)).toBe(401);
    const busy = await signInFrom(app.url, name, 'busy');
    const startMs = clock.nowMs();
    while (clock.nowMs() + idleMs / 2 < startMs + absoluteMs) {
      expect(await statusOf(busy)).toBe(200);
      clock.advance(idleMs / 2);
    }
    clock.advance(startMs + absoluteMs - clock.nowMs());
    expect(await statusOf(busy)).toBe(401);
  });
});

describe('on a server that asks for a recent proof (FRESH_LOGIN_REQUIRED)', () => {
  const clock = new ShiftedClock();
  let app: TestApp;
  let client: ApiClient;

  beforeAll(async () => {
    app = await startTestApp({ clock, env: { FRESH_LOGIN_REQUIRED: 'true' } });
    client = await signUp(await setUpRoot(app), { username: 'careful' });
    clock.advance(11 * 60_000);
  });
  afterAll(() => app.close());

  it.each([
    ['making an access token', 'POST', '/api/user/token'],
    ['making one as old clients do', 'GET', '/api/user/token'],
    ['leaving', 'DELETE', '/api/user/self'],
    ['another mail address', 'GET', '/api/oauth/email/bind?email=a@example.org&code=123456'],
    ['binding WeChat', 'GET', '/api/oauth/wechat/bind?code=123456'],
  ])('%s is refused after ten minutes [AUTH-12]', async (_, method, path) => {
    const reply = await client.send(method, path);
    expect(reply.status).toBe(403);
    expect(reply.body).toMatchObject({ success: false, code: 'login_not_fresh' });
  });

  it('reading goes on, and a proof opens the rest for ten minutes [AUTH-12]', async () => {
    expect((await client.get('/api/user/self')).status).toBe(200);
    expect(await client.expectSuccess('GET', '/api/verify/status')).toMatchObject({
      required: true,
      fresh: false,
      methods: ['password'],
    });
    await client.expectSuccess('POST', '/api/verify', { method: 'password', password: PASSWORD });
    const token = await client.expectSuccess<string>('POST', '/api/user/token');
    const program = new ApiClient(app.url);
    Object.assign(program.headers, { Authorization: token, 'New-Api-User': String(client.userId) });
    expect((await program.send('POST', '/api/user/token')).body).toMatchObject({ code: 'session_required' });
    clock.advance(10 * 60_000);
    expect((await client.post('/api/user/token', undefined)).body).toMatchObject({ code: 'login_not_fresh' });
  });
});

describe('over two instances', () => {
  let database: TestDatabase;
  let here: TestApp;
  let there: TestApp;
  let root: ApiClient;

  beforeAll(async () => {
    database = await createTestDatabase('postgres');
    const env = { REDIS_URL: testRedisUrl(), DATABASE_URL: database.url, WORKERS: '1' };
    here = await startTestApp({ env });
    there = await startTestApp({ env });
    root = await setUpRoot(here);
  });
  afterAll(async () => {
    await here.close();
    await there.close();
    await database.drop();
  });

  /** Polls until it is so; the deadline of the requirement is one second. */
  async function within(ms: number, check: () => Promise<boolean>): Promise<boolean> {
    const untilMs = performance.now() + ms;
    while (performance.now() < untilMs) if (await check()) return true;
    return false;
  }

  it('a login that ends here is over there within a second, also one that was just used there [AUTH-04]', async () => {
    const name = 'everywhere';
    const mine = await signUp(root, { username: name });
    const other = await signInFrom(there.url, name, 'elsewhere');
    expect(await statusOf(other)).toBe(200);
    await mine.expectSuccess('DELETE', '/api/user/self/sessions');
    expect(await within(1_000, async () => (await statusOf(other)) === 401)).toBe(true);
    const again = await signInFrom(there.url, name, 'elsewhere again');
    expect(await statusOf(again)).toBe(200);
    await root.expectSuccess('POST', '/api/user/manage', { id: mine.userId, action: 'disable' });
    expect(await within(1_000, async () => (await again.get('/api/user/self')).body.success !== true)).toBe(
      true,
    );
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SessionEntity } from '../../../../server/base/auth/session.entity.js';
import { ApiClient, type ApiReply, sessionCookieOf } from '../../../support/api-client.ts';
import {
  ROOT_ACCOUNT,
  setUpRoot,
  signUp,
  startTestApp,
  type TestApp,
} from '../../../support/build-test-app.ts';
import { FakeClock } from '../../../support/fake-clock.ts';

const PASSWORD = 'password-of-a-test';

let app: TestApp;
let root: ApiClient;
let count = 0;
/** A fresh account, so that tests do not share login counters. */
const newName = (): string => `person${(count += 1)}`;
const newUser = (): Promise<ApiClient> => signUp(root, { username: newName() });

beforeAll(async () => {
  app = await startTestApp({ slowPasswords: true });
  root = await setUpRoot(app);
});
afterAll(() => app.close());

const login = (username: string, password: string): Promise<ApiReply> =>
  new ApiClient(app.url).post('/api/user/login', { username, password });

describe('signing in', () => {
  it('answers a wrong password, an unknown name and a banned account alike [AUTH-02]', async () => {
    const user = await newUser();
    const name = `person${count}`;
    await root.expectSuccess('POST', '/api/user/manage', { id: user.userId, action: 'disable' });
    const replies = [
      await login(name, PASSWORD),
      await login(name, 'wrong password'),
      await login('nobody-at-all', 'wrong password'),
    ];
    expect(new Set(replies.map(({ status, body }) => JSON.stringify([status, body])))).toHaveProperty(
      'size',
      1,
    );
    expect(replies[0]?.body).toMatchObject({ success: false, code: 'login_failed' });
    expect(replies.map(({ headers }) => headers.getSetCookie())).toEqual([[], [], []]);
  });

  it('takes as long for an unknown name as for a wrong password [AUTH-02]', async () => {
    await newUser();
    const known = `person${count}`;
    const timeOf = async (name: string): Promise<number> => {
      const startedAt = performance.now();
      await login(name, 'wrong password');
      return performance.now() - startedAt;
    };
    const times = { known: [] as number[], unknown: [] as number[] };
    for (let round = 0; round < 5; round += 1) {
      times.known.push(await timeOf(known));
      times.unknown.push(await timeOf(`nobody-${count}`));
    }
    // A hash takes tens of milliseconds; skipping it would show as a fraction of the other. The least of several: a busy machine adds
    // to single ones.
    const ratio = Math.min(...times.unknown) / Math.min(...times.known);
    expect(ratio).toBeGreaterThan(0.5);
    expect(ratio).toBeLessThan(2);
  });

  it('lets at most 12 of 100 parallel guesses reach the hash [AUTH-01]', async () => {
    await newUser();
    const name = `person${count}`;
    const replies = await Promise.all(
      Array.from({ length: 100 }, (_, index) => login(name, `guess number ${index}`)),
    );
    const hashed = replies.filter(({ body }) => body.code === 'login_failed').length;
    expect(hashed).toBeLessThanOrEqual(12);
    const refused = replies.filter(({ body }) => body.code === 'login_too_often');
    expect(hashed + refused.length).toBe(100);
    expect(refused[0]?.status).toBe(429);
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('makes each further guess wait longer, and lets the right password in after the wait [AUTH-01]', async () => {
    const clock = new FakeClock(Date.now());
    const other = await startTestApp({ clock });
    try {
      await setUpRoot(other);
      const enter = (password: string): Promise<ApiReply> =>
        new ApiClient(other.url).post('/api/user/login', { ...ROOT_ACCOUNT, password });
      for (let failure = 1; failure <= 5; failure += 1)
        expect((await enter('wrong')).body.code).toBe('login_failed');
      const waits: number[] = [];
      for (let round = 0; round < 5; round += 1) {
        expect((await enter('wrong')).body.code).toBe('login_failed');
        const refused = await enter(ROOT_ACCOUNT.password);
        expect(refused.body.code).toBe('login_too_often');
        waits.push(Number(refused.headers.get('retry-after')));
        clock.advance(60_000);
      }
      expect(waits).toEqual([2, 4, 8, 16, 32]);
      expect((await enter(ROOT_ACCOUNT.password)).body.success).toBe(true);
    } finally {
      await other.close();
    }
  });

  it('makes guessing addresses wait, and not the owner [AUTH-01]', async () => {
    const behindProxy = await startTestApp({ env: { TRUST_PROXY: '1' } });
    try {
      await setUpRoot(behindProxy);
      const enter = async (password: string, address: string): Promise<string> => {
        const body = { ...ROOT_ACCOUNT, password };
        const headers = { 'x-forwarded-for': address };
        const reply = await new ApiClient(behindProxy.url).send('POST', '/api/user/login', body, headers);
        return reply.body.success === true ? 'in' : String(reply.body.code);
      };
      const home = '198.51.100.7';
      expect(await enter(ROOT_ACCOUNT.password, home)).toBe('in');
      const guesses: string[] = [];
      for (let guess = 0; guess < 20; guess += 1) guesses.push(await enter('wrong', `203.0.113.${guess}`));
      expect(guesses.filter((code) => code === 'login_failed').length).toBeLessThanOrEqual(12);
      expect(await enter(ROOT_ACCOUNT.password, '203.0.113.5')).toBe('login_too_often');
      expect(await enter(ROOT_ACCOUNT.password, '203.0.113.99')).toBe('in');
      expect(await enter(ROOT_ACCOUNT.password, home)).toBe('in');
      // At home guessing is slowed down just the same.
      const atHome: string[] = [];
      for (let guess = 0; guess < 8; guess += 1) atHome.push(await enter('wrong', home));
      expect(atHome.slice(0, 5)).toEqual(Array.from({ length: 5 }, () => 'login_failed'));
      expect(atHome).toContain('login_too_often');
    } finally {
      await behindProxy.close();
    }
  });

  it('gives a new id at every login and ignores one the browser brought [AUTH-03]', async () => {
    await newUser();
    const planted = 'session=planted-by-somebody.abcdef';
    const reply = await new ApiClient(app.url).send(
      'POST',
      '/api/user/login',
      { username: `person${count}`, password: PASSWORD },
      { cookie: planted },
    );
    const cookie = sessionCookieOf(reply);
    expect(cookie).toMatch(/^session=[\w%.+/=-]{60,}$/);
    expect(cookie).not.toContain('planted');
    const stored = await app.dataSource.getRepository(SessionEntity).find();
    expect(stored.every(({ digest }) => /^[0-9a-f]{64}$/.test(digest) && !cookie.includes(digest))).toBe(
      true,
    );
  });

  it('returns the signed-in account and nothing else, with every member present', async () => {
    const reply = await login(ROOT_ACCOUNT.username.toUpperCase(), ROOT_ACCOUNT.password);
    expect(reply.body.data).toMatchObject({
      username: 'root',
      role: 100,
      status: 1,
      group: 'default',
      quota: 0,
      email: '',
      setting: '',
    });
    expect(JSON.stringify(reply.body)).not.toMatch(/argon2|access_token|digest/);
    expect(reply.headers.getSetCookie()[0]).toMatch(/; Path=\/; HttpOnly; SameSite=Lax$/);
  });

  it('marks the cookie secure behind a trusted proxy with TLS', async () => {
    const other = await startTestApp({ env: { TRUST_PROXY: '1' } });
    try {
      await setUpRoot(other);
      const reply = await new ApiClient(other.url).send('POST', '/api/user/login', ROOT_ACCOUNT, {
        'x-forwarded-proto': 'https',
      });
      expect(reply.headers.getSetCookie()[0]).toContain('Secure');
    } finally {
      await other.close();
    }
  });

  it('names the cookie so that only this host can have set it behind TLS, and ignores a planted one beside it', async () => {
    const other = await startTestApp({ env: { TRUST_PROXY: '1' } });
    try {
      await setUpRoot(other);
      const tls = { 'x-forwarded-proto': 'https' };
      const reply = await new ApiClient(other.url).send('POST', '/api/user/login', ROOT_ACCOUNT, tls);
      const set = reply.headers.getSetCookie().find((text) => text.includes('session=')) ?? '';
      expect(set).toMatch(/^__Host-session=/);
      expect(set).toContain('Path=/');
      expect(set).not.toContain('Domain');
      const cookie = sessionCookieOf(reply);
      const id = String((reply.body.data as { id: number }).id);
      const statusWith = async (cookies: string): Promise<number> =>
        (
          await new ApiClient(other.url).get('/api/user/self', {
            ...tls,
            cookie: cookies,
            'New-Api-User': id,
          })
        ).status;
      for (const planted of [
        `session=planted; ${cookie}`,
        `__Host-session=planted; ${cookie}`,
        `${cookie}; __Host-session=planted.signature`,
        `__Host-session=; ${cookie}`,
        `${'a=b; '.repeat(30)}${cookie}`,
      ])
        expect([planted, await statusWith(planted)]).toEqual([planted, 200]);
      // A session that a neighbouring host planted under the plain name is none.
      expect(await statusWith(cookie.replace('__Host-', ''))).toBe(401);
    } finally {
      await other.close();
    }
  });

  it.each(['cross-site', 'none', 'CROSS-SITE'])(
    'a sign-out by GET from %s is refused, one of the own site is not',
    async (site) => {
      const user = await newUser();
      const out = (from: string): Promise<ApiReply> =>
        user.get('/api/user/logout', { 'sec-fetch-site': from });
      expect((await out(site)).body.code).toBe('foreign_origin');
      expect((await user.get('/api/user/self')).status).toBe(200);
      expect((await out('same-origin')).body.success).toBe(true);
      expect((await user.get('/api/user/self')).status).toBe(401);
    },
  );

  it('slows down one address whatever port its proxy writes', async () => {
    const other = await startTestApp({ env: { TRUST_PROXY: '1' } });
    try {
      await setUpRoot(other);
      const guess = async (number: number): Promise<string> => {
        const headers: Record<string, string> =
          number % 2 === 0
            ? { 'x-forwarded-for': `203.0.113.7:${51_000 + number}` }
            : { forwarded: `for="[::ffff:203.0.113.7]:${51_000 + number}"` };
        const body = { username: `nobody${number}`, password: 'wrong' };
        const reply = await new ApiClient(other.url).send('POST', '/api/user/login', body, headers);
        return String(reply.body.code);
      };
      // Fifty failures of one address within twenty minutes.
      const codes = await Promise.all(Array.from({ length: 50 }, (_, number) => guess(number)));
      expect(new Set(codes)).toEqual(new Set(['login_failed']));
      expect([await guess(50), await guess(51)]).toEqual(['login_too_often', 'login_too_often']);
    } finally {
      await other.close();
    }
  });

  it.each([
    [{ username: '', password: 'x' }, 200, 'login_fields_required'],
    [{ username: 'root' }, 200, 'login_fields_required'],
    [{ username: { $ne: '' }, password: 'x' }, 400, 'malformed_input'],
    [{ username: ['root'], password: 'x' }, 400, 'malformed_input'],
  ])('refuses %j', async (body, status, code) => {
    const reply = await new ApiClient(app.url).post('/api/user/login', body);
    expect([reply.status, reply.body.code]).toEqual([status, code]);
  });
});

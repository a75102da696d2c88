import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AccessLevel } from '../../../../server/base/access/access.js';
import { ApiClient } from '../../../support/api-client.ts';
import { setUpRoot, signUp, startTestApp, type TestApp } from '../../../support/build-test-app.ts';

type Role = 'guest' | 'user' | 'admin' | 'root';
const ROLES: readonly Role[] = ['guest', 'user', 'admin', 'root'];
const LOWEST: Record<Exclude<AccessLevel, 'public' | 'guest' | 'token' | 'notify'>, Role> = {
  user: 'user',
  admin: 'admin',
  root: 'root',
};

let app: TestApp;
let clients: Record<Role, ApiClient>;

beforeAll(async () => {
  app = await startTestApp();
  const root = await setUpRoot(app);
  clients = {
    guest: new ApiClient(app.url),
    user: await signUp(root, { username: 'ordinary' }),
    admin: await signUp(root, { username: 'warden', role: 'admin' }),
    root,
  };
});
afterAll(() => app.close());

/** Fills unknown ids into a path, so that an admitted call changes nothing. */
const concrete = (path: string): string => path.replace(/:id\b/g, '2147483000').replace(/:[a-z]+/g, 'x');

const isRefusal = (status: number, code: unknown): boolean =>
  (status === 401 && code === 'not_signed_in') || (status === 200 && code === 'not_permitted');

describe('the route table', () => {
  it('gives every route to exactly the roles it declares', async () => {
    const guarded = app.accessTable.filter(({ access }) => Object.hasOwn(LOWEST, access));
    expect(guarded.length).toBeGreaterThan(50);
    const wrong: string[] = [];
    for (const { method, path, access } of guarded) {
      const lowest = ROLES.indexOf(LOWEST[access as keyof typeof LOWEST]);
      for (const role of ROLES.slice(0, lowest)) {
        // A body no handler accepts: the guard must answer before it is looked at.
        const reply = await clients[role].send(
          method,
          concrete(path),
          method === 'GET' ? undefined : { id: 'nobody' },
        );
        if (!isRefusal(reply.status, reply.body.code))
          wrong.push(`${role} ${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
      }
      if (method !== 'GET' || /\/(token|test|update_balance)\b/.test(path)) continue;
      const allowed = await clients[ROLES[lowest] ?? 'root'].get(concrete(path));
      if (isRefusal(allowed.status, allowed.body.code) || allowed.status >= 500)
        wrong.push(`${access} may not GET ${path}: ${allowed.status}`);
    }
    expect(wrong).toEqual([]);
  });

  it('answers no spelling of a path that the plain path would refuse', async () => {
    const wrong: string[] = [];
    const spellings = (path: string): string[] => [
      path.replace('/api', '/%61pi'),
      `/${path}`,
      path.replace('/api/', '/api//'),
      `${path}/`,
      path.toUpperCase(),
      path.replace('/api', '/API'),
      path.replace('/api/', '/api/./'),
      path.replace('/api/', '/x/../api/'),
      path.replace('/api/', '/api;x=1/'),
      path.replaceAll('/', '%2f').replace('%2f', '/'),
      `${path}?`,
      `${path}%20`,
      `${path}%00`,
    ];
    const guarded = app.accessTable.filter(
      ({ access, method }) => Object.hasOwn(LOWEST, access) && method === 'GET',
    );
    for (const { path } of guarded) {
      for (const spelling of spellings(concrete(path))) {
        const response = await fetch(app.url + spelling, { redirect: 'manual' });
        const text = await response.text();
        const isPage = response.headers.get('content-type')?.startsWith('text/') ?? false;
        if (response.ok && !isPage && !text.includes('"success":false'))
          wrong.push(`${spelling}: ${text.slice(0, 100)}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('answers every console GET with and without a slash at the end', async () => {
    const wrong: string[] = [];
    for (const { method, path } of app.accessTable.filter(
      ({ path: known }) => known.startsWith('/api/') && !known.startsWith('/api/docs'),
    )) {
      if (method !== 'GET' || /\/(token|test|logout|update_balance)\b/.test(path)) continue;
      const [plain, slashed] = await Promise.all(
        ['', '/'].map((end) => clients.root.get(concrete(path).replace(/\/$/, '') + end)),
      );
      if (plain?.status !== slashed?.status || plain?.body.code !== slashed?.body.code)
        wrong.push(`${path}: ${plain?.status} ${slashed?.status}`);
    }
    expect(wrong).toEqual([]);
  });
});

describe('a demonstration site [SETUP-106]', () => {
  it('allows sign-in and reading for all, and changes for root only', async () => {
    await clients.root.expectSuccess('PUT', '/api/option/', { key: 'DemoSiteEnabled', value: true });
    try {
      expect((await clients.admin.put('/api/user/', { id: 1 })).status).toBe(405);
      expect((await clients.user.put('/api/user/self', { display_name: 'x' })).body.code).toBe('demo_site');
      expect((await clients.user.get('/api/user/self')).status).toBe(200);
      expect((await ApiClient.signIn(app.url, 'ordinary', 'password-of-a-test')).userId).toBe(
        clients.user.userId,
      );
      expect(
        (await clients.guest.post('/api/user/register', { username: 'visitor', password: 'password' }))
          .status,
      ).toBe(405);
    } finally {
      await clients.root.expectSuccess('PUT', '/api/option/', { key: 'DemoSiteEnabled', value: false });
    }
  });
});

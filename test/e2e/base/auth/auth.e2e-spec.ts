import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { UserEntity } from '../../../../server/base/users/user.entity.js';
import { ApiClient, type ApiReply, sessionCookieOf } from '../../../support/api-client.ts';
import { setUpRoot, signUp, startTestApp, type TestApp } from '../../../support/build-test-app.ts';

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

describe('who a request is', () => {
  it.each([
    ['nothing', {}],
    ['a cookie without the user-id header', { 'New-Api-User': '' }],
    ['another user id', { 'New-Api-User': '2147483647' }],
    ['the id -1 of clients without a user', { 'New-Api-User': '-1' }],
    ['an id that is no number', { 'New-Api-User': '1 OR 1=1' }],
    [
      'a forged cookie',
      { cookie: 'session=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.bm90IGEgc2lnbmF0dXJl' },
    ],
    ['a cookie of two parts', { cookie: 'session=; session=x' }],
    ['an access token nobody has', { cookie: '', authorization: 'Bearer AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }],
    ['a key of the relay', { cookie: '', authorization: `Bearer sk-${'a'.repeat(48)}` }],
  ])('answers 401 to %s', async (name, headers) => {
    const client = name === 'nothing' ? new ApiClient(app.url) : root;
    const reply = await client.get('/api/user/self', headers);
    expect([reply.status, reply.body.success, reply.body.code]).toEqual([401, false, 'not_signed_in']);
  });

  it.each(['New-Api-User', 'new-api-user', 'NEW-API-USER', 'New-API-User'])(
    'takes the header as %s',
    async (name) => {
      const { cookie = '' } = root.headers;
      const reply = await new ApiClient(app.url).get('/api/user/self', {
        cookie,
        [name]: String(root.userId),
      });
      expect(reply.body.success).toBe(true);
    },
  );

  it('rejects a cookie with a signature of another secret', async () => {
    // With the accounts of ours, in a file of its own: two secrets on one database are refused at start.
    const file = join(mkdtempSync(join(tmpdir(), 'tollgate-other-secret-')), 'accounts.db');
    await app.dataSource.query('VACUUM INTO ?', [file]);
    const copy = new Database(file);
    copy.exec("DELETE FROM instances; DELETE FROM options WHERE key = '.session-secret-check'");
    copy.close();
    const other = await startTestApp({
      env: { SESSION_SECRET: 'x'.repeat(40), DATABASE_URL: `sqlite:${file}` },
    });
    try {
      expect((await new ApiClient(other.url).get('/api/user/self', root.headers)).status).toBe(401);
    } finally {
      await other.close();
      rmSync(dirname(file), { recursive: true, force: true });
    }
  });

  it('answers in the language of the caller, English otherwise', async () => {
    const guest = new ApiClient(app.url);
    const messageIn = async (language: string) =>
      (await guest.get('/api/user/self', { 'accept-language': language })).body.message;
    expect(await messageIn('zh-CN,zh;q=0.9,en;q=0.8')).toBe('未登录或登录已过期，请重新登录');
    expect(await messageIn('fr, en;q=0.5')).toBe('Not logged in or login has expired, please log in again');
    expect(await messageIn('de')).toBe('Not logged in or login has expired, please log in again');
  });
});

describe('other sites [AUTH-05]', () => {
  it.each([
    ['GET', '/api/user/token', { 'sec-fetch-site': 'cross-site' }],
    ['GET', '/api/user/token', { origin: 'https://evil.example' }],
    ['GET', '/api/user/self', { 'sec-fetch-site': 'same-site' }],
    ['PUT', '/api/user/self', { origin: 'null' }],
    ['POST', '/api/user/login', { origin: 'https://evil.example' }],
  ])('%s %s with %j is refused', async (method, path, headers) => {
    const reply = await root.send(method, path, method === 'GET' ? undefined : {}, headers);
    expect([reply.status, reply.body.code]).toEqual([403, 'foreign_origin']);
  });

  it('a link to the GET that renews the access token changes nothing without the user-id header', async () => {
    const user = await newUser();
    const { cookie = '' } = user.headers;
    const reply = await new ApiClient(app.url).get('/api/user/token', { cookie, 'sec-fetch-site': 'none' });
    expect(reply.status).toBe(401);
    const row = await app.dataSource
      .getRepository(UserEntity)
      .findOneOrFail({ where: { id: user.userId }, select: { id: true, accessTokenDigest: true } });
    expect(row.accessTokenDigest).toBeNull();
  });

  it('a link to the logout leaves the login alone', async () => {
    const user = await newUser();
    const { cookie = '' } = user.headers;
    expect((await new ApiClient(app.url).get('/api/user/logout', { cookie })).status).toBe(401);
    expect((await user.get('/api/user/self')).body.success).toBe(true);
  });

  it.each([
    ['application/x-www-form-urlencoded', 'username=a&password=b'],
    ['text/plain', '{"username":"a"}'],
    ['multipart/form-data; boundary=x', '--x--'],
  ])('a %s body is refused [HTTP-06]', async (contentType, body) => {
    const response = await fetch(`${app.url}/api/user/login`, {
      method: 'POST',
      headers: { 'content-type': contentType },
      body,
    });
    expect(response.status).toBe(415);
  });

  it('a preflight from elsewhere gets no permission [AUTH-06]', async () => {
    const response = await fetch(`${app.url}/api/user/self`, {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'PUT' },
    });
    expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    expect(response.ok).toBe(false);
  });

  it('lets the own origin in', async () => {
    const reply = await root.get('/api/user/self', { origin: app.url, 'sec-fetch-site': 'same-origin' });
    expect(reply.body.success).toBe(true);
  });
});

describe('the end of a login [AUTH-04]', () => {
  const isIn = async (client: ApiClient): Promise<boolean> =>
    (await client.get('/api/user/self')).status === 200;

  it('a logout ends this session and no other', async () => {
    const first = await newUser();
    const second = await ApiClient.signIn(app.url, `person${count}`, PASSWORD);
    const reply = await first.get('/api/user/logout');
    expect(reply.body.success).toBe(true);
    expect(sessionCookieOf(reply)).toBe('session=');
    expect([await isIn(first), await isIn(second)]).toEqual([false, true]);
  });

  it('a changed password ends all sessions and the access token, and this browser gets a new one', async () => {
    const first = await newUser();
    const second = await ApiClient.signIn(app.url, `person${count}`, PASSWORD);
    const token = await first.expectSuccess<string>('GET', '/api/user/token');
    const script = scriptOf(first.userId, token);
    expect(await isIn(script)).toBe(true);

    const reply = await first.put('/api/user/self', {
      password: 'another password',
      original_password: PASSWORD,
    });
    expect(reply.body.success).toBe(true);
    expect([await isIn(first), await isIn(second), await isIn(script)]).toEqual([false, false, false]);
    first.headers['cookie'] = sessionCookieOf(reply);
    expect(await isIn(first)).toBe(true);
  });

  it('a ban ends sessions and access token with the next request', async () => {
    const user = await newUser();
    const script = scriptOf(user.userId, await user.expectSuccess<string>('GET', '/api/user/token'));
    await root.expectSuccess('POST', '/api/user/manage', { id: user.userId, action: 'disable' });
    expect([await isIn(user), await isIn(script)]).toEqual([false, false]);
    expect((await login(`person${count}`, PASSWORD)).body.code).toBe('login_failed');
    await root.expectSuccess('POST', '/api/user/manage', { id: user.userId, action: 'enable' });
    expect((await login(`person${count}`, PASSWORD)).body.success).toBe(true);
    expect([await isIn(user), await isIn(script)]).toEqual([false, false]);
  });

  it('treats a demoted administrator as signed out until the next login, and then as an ordinary user', async () => {
    const admin = await signUp(root, { username: newName(), role: 'admin' });
    expect((await admin.get('/api/user/')).body.success).toBe(true);
    await root.expectSuccess('POST', '/api/user/manage', { id: admin.userId, action: 'demote' });
    expect((await admin.get('/api/user/')).status).toBe(401);
    const again = await ApiClient.signIn(app.url, `person${count}`, PASSWORD);
    expect((await again.get('/api/user/')).body).toMatchObject({ success: false, code: 'not_permitted' });
  });

  it('signs a user out on both instances', async () => {
    const other = await startTestApp({ env: { DATABASE_URL: app.env.databaseUrl } });
    try {
      const user = await newUser();
      expect((await new ApiClient(other.url).get('/api/user/self', user.headers)).status).toBe(200);
      await root.expectSuccess('POST', '/api/user/manage', { id: user.userId, action: 'disable' });
      // Without a shared store the other instance has only its one-second memory to forget by.
      const deadline = Date.now() + 5_000;
      let status = 200;
      while (status === 200 && Date.now() < deadline)
        status = (await new ApiClient(other.url).get('/api/user/self', user.headers)).status;
      expect(status).toBe(401);
    } finally {
      await other.close();
    }
  });

  it('ends a login of the list for its owner only', async () => {
    const first = await newUser();
    const second = await ApiClient.signIn(app.url, `person${count}`, PASSWORD);
    const sessions = await second.expectSuccess<{ id: string; current: boolean }[]>(
      'GET',
      '/api/user/self/sessions',
    );
    const other = sessions.find(({ current }) => !current);
    expect((await root.delete(`/api/user/self/sessions/${other?.id}`)).body.code).toBe('not_found');
    await second.expectSuccess('DELETE', `/api/user/self/sessions/${other?.id}`);
    expect([await isIn(first), await isIn(second)]).toEqual([false, true]);
  });
});

describe('the system access token', () => {
  it('appears once, stays as a digest, works with and without the word Bearer, and dies with the next one', async () => {
    const user = await newUser();
    const token = await user.expectSuccess<string>('POST', '/api/user/token');
    expect(token).toMatch(/^[A-Za-z0-9+/]{32}$/);
    const bare = new ApiClient(app.url);
    Object.assign(bare.headers, { authorization: token, 'New-Api-User': String(user.userId) });
    expect((await bare.get('/api/user/self')).body.success).toBe(true);
    expect((await scriptOf(user.userId, token).get('/api/user/self')).body.success).toBe(true);
    const everything = JSON.stringify([
      (await user.get('/api/user/self')).body,
      (await root.get(`/api/user/${user.userId}`)).body,
      (await root.get('/api/user/?page_size=100')).body,
      await app.dataSource.query('SELECT * FROM users'),
    ]);
    expect(everything).not.toContain(token);
    await user.expectSuccess('GET', '/api/user/token');
    expect((await bare.get('/api/user/self')).status).toBe(401);
  });

  it('changes no password, makes no other access token and deletes no account [TOK-09]', async () => {
    const user = await newUser();
    const script = scriptOf(user.userId, await user.expectSuccess<string>('POST', '/api/user/token'));
    const replies = [
      await script.put('/api/user/self', { password: 'another password', original_password: PASSWORD }),
      await script.get('/api/user/token'),
      await script.post('/api/user/token', {}),
      await script.delete('/api/user/self', { username: `person${count}` }),
    ];
    expect(replies.map(({ body }) => body.code)).toEqual(Array(4).fill('session_required'));
    expect((await user.get('/api/user/self')).status).toBe(200);
    expect((await script.get('/api/user/self')).status).toBe(200);
  });
});

function scriptOf(userId: number, token: string): ApiClient {
  const client = new ApiClient(app.url);
  Object.assign(client.headers, { authorization: `Bearer ${token}`, 'New-Api-User': String(userId) });
  return client;
}

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiClient } from '../../../support/api-client.js';
import { setUpRoot, signUp, startTestApp, type TestApp } from '../../../support/build-test-app.js';
import { TokenEntity } from '../../../../server/gateway/tokens/token.entity.js';
import { createTestDatabase, DATABASE_KINDS, type TestDatabase } from '../../../support/database.js';

interface Token {
  readonly id: number;
  readonly key: string;
  readonly name: string;
  readonly status: number;
  readonly remain_quota: number;
}

describe.each(DATABASE_KINDS)('the token routes on %s', (kind) => {
  let database: TestDatabase;
  let app: TestApp;
  let root: ApiClient;
  let ann: ApiClient;
  let bob: ApiClient;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    app = await startTestApp({ env: { DATABASE_URL: database.url } });
    root = await setUpRoot(app);
    ann = await signUp(root, { username: 'ann' });
    bob = await signUp(root, { username: 'bob' });
  });

  afterAll(async () => {
    await app.close();
    await database.drop();
  });

  const create = (client: ApiClient, part: Record<string, unknown> = {}): Promise<Token> =>
    client.expectSuccess<Token>('POST', '/api/token/', { name: 'one', remain_quota: 500_000, ...part });

  it('answers a bare list with its total beside it, under both slash forms (paging style B)', async () => {
    for (const name of ['a', 'b', 'c']) await create(bob, { name });
    for (const path of ['/api/token/', '/api/token']) {
      const reply = await bob.get(`${path}?p=0&size=2`);
      expect(reply.status).toBe(200);
      expect((reply.body.data as Token[]).map((token) => token.name)).toEqual(['c', 'b']);
      expect(reply.headers.get('x-total-count')).toBe('3');
      expect(reply.headers.get('cache-control')).toContain('no-store');
    }
    expect((await bob.get('/api/token/?p=1&size=2')).body.data).toHaveLength(1);
    expect((await bob.get('/api/token/?p=9&size=2')).body.data).toEqual([]);
    expect((await bob.get('/api/token/?p=x&size=-1')).body.data).toHaveLength(3);
  });

  it('searches page by page, by name and by part of the key, newest first [DB-02]', async () => {
    const cat = await signUp(root, { username: 'cat' });
    const made = [];
    for (const name of ['cat one', 'cat two', 'dog', 'cat three']) made.push(await create(cat, { name }));
    const search = async (query: string) => {
      const reply = await cat.get(`/api/token/search?${query}`);
      const names = (reply.body.data as Token[]).map((token) => token.name);
      return [names, reply.headers.get('x-total-count')];
    };
    expect(await search('keyword=CAT')).toEqual([['cat three', 'cat two', 'cat one'], '3']);
    expect(await search('keyword=cat&size=2')).toEqual([['cat three', 'cat two'], '3']);
    expect(await search('keyword=cat&page_size=2&p=1')).toEqual([['cat one'], '3']);
    expect(await search(`token=sk-${made[1]?.key}`)).toEqual([['cat two'], '1']);
    expect(await search(`keyword=dog&token=${made[1]?.key.slice(5, 20)}`)).toEqual([[], '0']);
  });

  it('a search answers 100 tokens at most, and passes keys that cannot be opened [DB-02]', async () => {
    const dan = await signUp(root, { username: 'dan' });
    const first = await create(dan, { name: 'first' });
    const rows = app.dataSource.getRepository(TokenEntity);
    const like = await rows.findOneOrFail({
      where: { id: first.id },
      select: Object.fromEntries(rows.metadata.columns.map((column) => [column.propertyName, true])),
    });
    const copies = Array.from({ length: 450 }, (_none, index) => ({
      ...like,
      id: undefined,
      name: `copy ${index}`,
      keyDigest: `dan${index}-`.padEnd(64, '0'),
    }));
    await rows.insert(copies);

    const all = await dan.get('/api/token/search?size=5000');
    expect([(all.body.data as Token[]).length, all.headers.get('x-total-count')]).toEqual([100, '451']);
    expect((all.body.data as Token[])[0]?.name).toBe('copy 449');
    // The copied ciphertexts belong to another row: their keys cannot be opened, and the oldest token is still found.
    expect(await dan.expectSuccess('GET', `/api/token/search?token=${first.key}`)).toEqual([
      expect.objectContaining({ id: first.id }),
    ]);
  });

  it('shows the key to its owner in lists, singly and after an edit, 48 characters without prefix', async () => {
    const created = await create(ann);
    expect(created.key).toMatch(/^[0-9A-Za-z]{48}$/);
    const single = await ann.expectSuccess<Token>('GET', `/api/token/${created.id}`);
    const edited = await ann.expectSuccess<Token>('PUT', '/api/token/', { id: created.id, name: 'renamed' });
    const revealed = await ann.expectSuccess<{ key: string }>('POST', `/api/token/${created.id}/key`);
    expect([single.key, edited.key, revealed.key]).toEqual([created.key, created.key, created.key]);
  });

  it('another user gets "not found" from every route, and nothing changes', async () => {
    const token = await create(ann, { name: 'anns own' });
    const missing = await bob.get('/api/token/999999');
    const attempts: readonly [string, string, unknown?][] = [
      ['GET', `/api/token/${token.id}`],
      ['POST', `/api/token/${token.id}/key`],
      ['PUT', '/api/token/', { id: token.id, name: 'stolen', remain_quota: 0 }],
      ['PUT', '/api/token/?status_only=true', { id: token.id, status: 2 }],
      ['DELETE', `/api/token/${token.id}`],
      ['DELETE', `/api/token/${token.id}/`],
    ];
    for (const client of [bob, root]) {
      for (const [method, path, body] of attempts) {
        const reply = await client.send(method, path, body);
        expect([method, path, reply.status, reply.body]).toEqual([
          method,
          path,
          missing.status,
          missing.body,
        ]);
      }
      expect(await client.expectSuccess('POST', '/api/token/batch', { ids: [token.id] })).toBe(0);
      expect(await client.expectSuccess('GET', '/api/token/search?keyword=anns')).toEqual([]);
    }
    expect(await ann.expectSuccess('GET', `/api/token/${token.id}`)).toEqual(token);
  });

  it.each(['undefined', 'NaN', '0', '-1', '1.5', '1e3', '[1]', '%00', '9'.repeat(30)])(
    'refuses the id %s instead of answering the first row',
    async (id) => {
      const reply = await ann.get(`/api/token/${id}`);
      expect(reply.body.success).not.toBe(true);
    },
  );

  it.each([
    [{ name: '' }],
    [{ name: 'x'.repeat(31) }],
    [{ remain_quota: -1 }],
    [{ remain_quota: 1.5 }],
    [{ remain_quota: '5' }],
    [{ remain_quota: 2 ** 60 }],
    [{ expired_time: 1 }],
    [{ expired_time: 0 }],
    [{ expired_time: -2 }],
    [{ group: 'svip' }],
    [{ allow_ips: '10.0.0.1\nnonsense' }],
    [{ model_limits: { a: 1 } }],
    [{ unlimited_quota: 'yes' }],
  ])('refuses a new token with %j [TOK-101]', async (part) => {
    const before = (await ann.get('/api/token/?size=1')).headers.get('x-total-count');
    const reply = await ann.post('/api/token/', { name: 'one', remain_quota: 1, ...part });
    expect(reply.body.success).toBe(false);
    expect((await ann.get('/api/token/?size=1')).headers.get('x-total-count')).toBe(before);
  });

  it('switches between enabled and disabled only, by the status_only form', async () => {
    const token = await create(ann);
    const change = (status: unknown) => ann.put('/api/token/?status_only=true', { id: token.id, status });
    expect((await change(2)).body.data).toMatchObject({ status: 2, name: 'one' });
    for (const status of [0, 3, 4, '1', null]) expect((await change(status)).body.success).toBe(false);
    expect((await change(1)).body.data).toMatchObject({ status: 1 });
    await ann.expectSuccess('PUT', '/api/token/', { id: token.id, remain_quota: 0 });
    expect((await change(1)).body).toMatchObject({ success: false, code: 'token_still_exhausted' });
  });

  it('parallel edits of one token with the loaded figure add up, in any order', async () => {
    const token = await create(ann, { remain_quota: 1_000 });
    const edits = Array.from({ length: 8 }, () =>
      ann.put('/api/token/', { id: token.id, remain_quota: 1_100, remain_quota_before: 1_000 }),
    );
    const replies = await Promise.all(edits);
    expect(replies.every((reply) => reply.body.success === true)).toBe(true);
    expect(await ann.expectSuccess('GET', `/api/token/${token.id}`)).toMatchObject({ remain_quota: 1_800 });
  });

  it('returns the log of a token to holders of its key, taken from the header only [LOG-101]', async () => {
    const token = await create(ann);
    const guest = (headers: Record<string, string>, query = '') =>
      fetch(`${app.url}/api/log/token${query}`, { headers });
    expect((await guest({ authorization: `Bearer sk-${token.key}` })).status).toBe(200);
    expect((await guest({ authorization: token.key })).status).toBe(200);
    const inAddress = await guest({}, `?key=sk-${token.key}`);
    expect(inAddress.status).toBe(401);
    expect(await inAddress.json()).toMatchObject({ code: 'token_in_address' });
    // Addresses of the token and the state of its owner count as for a call.
    const near = await create(ann, { allow_ips: '203.0.113.7' });
    expect((await guest({ authorization: `Bearer sk-${near.key}` })).status).toBe(401);
    expect((await guest({ authorization: 'Bearer sk-wrong' })).status).toBe(401);
    await ann.expectSuccess('DELETE', `/api/token/${token.id}/`);
    expect((await guest({ authorization: `Bearer sk-${token.key}` })).status).toBe(401);
  });

  it('shows pages of any origin the remaining quota of a token, by its key', async () => {
    const token = await create(ann, { remain_quota: 1_000, model_limits_enabled: true, model_limits: 'a,b' });
    const path = `${app.url}/api/usage/token/`;
    const response = await fetch(path, { headers: { authorization: `Bearer sk-${token.key}` } });
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(await response.json()).toEqual({
      code: true,
      success: true,
      message: 'ok',
      data: {
        object: 'token_usage',
        name: token.name,
        total_granted: 1_000,
        total_used: 0,
        total_available: 1_000,
        unlimited_quota: false,
        expires_at: 0,
        model_limits_enabled: true,
        model_limits: { a: true, b: true },
      },
    });
    const refused = await fetch(path, { headers: { authorization: 'Bearer sk-wrong' } });
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([401, '*']);
    for (const asked of ['/api/log/token', '/api/usage/token']) {
      const preflight = await fetch(app.url + asked, {
        method: 'OPTIONS',
        headers: { origin: 'https://other.example', 'access-control-request-headers': 'authorization' },
      });
      expect(preflight.status).toBe(204);
      expect(preflight.headers.get('access-control-allow-headers')).toBe('authorization');
      expect(preflight.headers.get('access-control-allow-credentials')).toBeNull();
    }
  });
});

describe('limits of tokens', () => {
  it('stops at the number the operator allows [TOK-07]', async () => {
    const app = await startTestApp();
    try {
      const root = await setUpRoot(app);
      await root.expectSuccess('PUT', '/api/option/', { key: 'token_setting.max_user_tokens', value: 2 });
      await root.expectSuccess('POST', '/api/token/', { name: 'a', unlimited_quota: true });
      await root.expectSuccess('POST', '/api/token/', { name: 'b', unlimited_quota: true });
      const third = await root.post('/api/token/', { name: 'c', unlimited_quota: true });
      expect(third.body).toMatchObject({ success: false, code: 'token_limit_reached' });
    } finally {
      await app.close();
    }
  });
});

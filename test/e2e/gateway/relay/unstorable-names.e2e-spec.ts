import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LogEntity } from '../../../../server/base/logs/log.entity.js';
import { StoredCallJournal } from '../../../../server/base/logs/stored-call-journal.js';
import type { ApiClient } from '../../../support/api-client.ts';
import { setUpRoot, signUp, startTestApp, type TestApp } from '../../../support/build-test-app.ts';
import { createTestDatabase, DATABASE_KINDS, type TestDatabase } from '../../../support/database.ts';

const CALLS = 20;
let accounts = 0;

describe.each(DATABASE_KINDS)('error lines of calls whose model is no text for a column, %s', (kind) => {
  let database: TestDatabase;
  let app: TestApp;
  let root: ApiClient;
  beforeAll(async () => {
    database = await createTestDatabase(kind);
    app = await startTestApp({ env: { DATABASE_URL: database.url } });
    root = await setUpRoot(app);
  });
  afterAll(async () => {
    await app?.close();
    await database?.drop();
  });

  async function keyOf(client: ApiClient): Promise<string> {
    await client.expectSuccess('POST', '/api/token/', { name: 'one', unlimited_quota: true });
    const [token] = await client.expectSuccess<{ id: number }[]>('GET', '/api/token/?p=0');
    const { key } = await client.expectSuccess<{ key: string }>('POST', `/api/token/${token?.id}/key`);
    return key;
  }

  const call = async (key: string, model: string): Promise<number> => {
    const reply = await fetch(`${app.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: 'x' }] }),
    });
    await reply.arrayBuffer();
    return reply.status;
  };

  it('writes the line of every call of every key', async () => {
    const [attacker, other] = [
      await signUp(root, { username: 'attacker' }),
      await signUp(root, { username: 'other' }),
    ];
    const [attackerKey, otherKey] = [await keyOf(attacker), await keyOf(other)];
    const statuses: number[] = [];
    for (let index = 0; index < CALLS; index += 1) {
      statuses.push(await call(attackerKey, index % 2 === 0 ? 'no\0such' : 'no\ud800such'));
      statuses.push(await call(otherKey, 'no-such-model'));
    }
    expect(new Set(statuses).size).toBe(1);
    await app.app.get(StoredCallJournal, { strict: false }).flush();
    const rows = await app.dataSource.getRepository(LogEntity).findBy({ type: 5 });
    const namesOf = ({ userId }: ApiClient) =>
      rows.filter((row) => row.userId === userId).map(({ modelName }) => modelName);
    expect(namesOf(other)).toEqual(Array.from({ length: CALLS }, () => 'no-such-model'));
    expect(namesOf(attacker)).toHaveLength(CALLS);
    expect(new Set(namesOf(attacker))).toEqual(new Set(['nosuch', 'no\ufffdsuch']));
  });

  it.each([
    [
      'a body',
      '/v1/messages',
      { model: 'no\0such', max_tokens: 1, messages: [{ role: 'user', content: 'x' }] },
    ],
    ['a body', '/v1/responses', { model: 'no\0such\ud800', input: 'x', user: 'a\0' }],
    ['a body', '/v1/embeddings', { model: `no\0such${'x'.repeat(10_000)}`, input: 'x' }],
    ['a path', '/v1beta/models/no%00such:generateContent', { contents: [{ parts: [{ text: 'x' }] }] }],
    ['a path', '/v1beta/models/no%ED%A0%80such:generateContent', { contents: [{ parts: [{ text: 'x' }] }] }],
    ['a task', '/mj/submit/imagine', { prompt: 'a\0b', state: '\0' }],
    ['a task', '/suno/submit/music', { prompt: 'a\0b', mv: 'no\0such' }],
  ])('refuses a name in %s of %s, and writes the lines that come with it', async (_, path, body) => {
    const key = await keyOf(await signUp(root, { username: `account${(accounts += 1)}` }));
    const reply = await fetch(`${app.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    await reply.arrayBuffer();
    // 503: no channel serves drawings or songs.
    expect([400, 404, 503]).toContain(reply.status);
    await call(key, 'no-such-model');
    await app.app.get(StoredCallJournal, { strict: false }).flush();
    const rows = await app.dataSource
      .getRepository(LogEntity)
      .findBy({ username: `account${accounts}`, type: 5 });
    expect(rows.map(({ modelName }) => modelName)).toContain('no-such-model');
    const read = await fetch(`${app.url}/api/log/token?model_name=a%00b&type=2147483648`, {
      headers: { authorization: `Bearer sk-${key}` },
    });
    expect(await read.json()).toMatchObject({ success: true, total: 0 });
  });

  it('finds nothing by a filter, search or name with a NUL, and stores an option without it', async () => {
    const everything = await root.expectSuccess<{ total: number }>('GET', '/api/log/?p=1');
    expect(everything.total).toBeGreaterThan(CALLS);
    expect(await root.expectSuccess('GET', '/api/log/?p=1&model_name=a%00b')).toMatchObject({ total: 0 });
    for (const path of ['/api/token/search?keyword=%00', '/api/channel/search?keyword=%00'])
      expect(JSON.stringify(await root.expectSuccess('GET', path))).not.toContain('"id"');
    expect(await root.expectSuccess('GET', '/api/user/search?keyword=%00')).toMatchObject({ total: 0 });
    await root.expectSuccess('PUT', '/api/option/', { key: 'Notice', value: 'a\0b\ud800' });
    expect(await root.expectSuccess('GET', '/api/notice')).toBe('ab\ufffd');
    const refused = await root.post('/api/user/login', { username: 'a\0b', password: 'password-of-a-test' });
    expect([refused.status, refused.body.success]).toEqual([200, false]);
  });
});

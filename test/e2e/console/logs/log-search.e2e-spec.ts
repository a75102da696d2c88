import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MoreThan } from 'typeorm';
import type { NewLogLine } from '../../../../server/base/logs/insert-lines.js';
import { LogEntity } from '../../../../server/base/logs/log.entity.js';
import { LogsRepository } from '../../../../server/base/logs/logs.repository.js';
import type { ApiClient } from '../../../support/api-client.ts';
import { setUpRoot, signUp, startTestApp, type TestApp } from '../../../support/build-test-app.ts';
import { createTestDatabase, DATABASE_KINDS, type TestDatabase } from '../../../support/database.ts';

interface Suggestions {
  readonly models: string[];
  readonly tokens: string[];
  readonly accounts: string[];
  readonly channels: { readonly id: number; readonly name: string }[];
}

const NOW = 1_700_000_000;

describe.each(DATABASE_KINDS)('finding lines of the log on %s', (kind) => {
  let database: TestDatabase;
  let app: TestApp;
  let root: ApiClient;
  let alice: ApiClient;
  let bob: ApiClient;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    app = await startTestApp({ env: { DATABASE_URL: database.url } });
    root = await setUpRoot(app);
    alice = await signUp(root, { username: 'alice' });
    bob = await signUp(root, { username: 'bob_100' });
    const channels = [
      { name: 'OpenAI main', models: 'gpt-4o,gpt-4o-mini', group: 'default' },
      { name: 'Secret VIP', models: 'gpt-vip-only', group: 'internal' },
    ];
    for (const channel of channels)
      await root.expectSuccess('POST', '/api/channel/', { type: 1, key: 'sk-x', ...channel });
    await createToken(alice, 'Alice laptop');
    await createToken(bob, 'Bob laptop');
    await app.dataSource.createQueryBuilder().delete().from(LogEntity).execute();
    await app.app
      .get(LogsRepository)
      .insertMany([
        line({ content: 'cheap and slow', quota: 5, useTime: 60 }),
        line({ content: 'dear', quota: 900, useTime: 2, createdAt: NOW - 10 }),
        line({ content: 'gift', type: 1, quota: 5_000 }),
        line({ content: 'failed', type: 5, quota: 0, useTime: 30 }),
        line({ content: 'of bob', userId: bob.userId, username: 'bob_100', quota: 7_000 }),
        line({ content: 'dear as well', quota: 900, useTime: 1, createdAt: NOW - 5 }),
      ]);
  });
  afterAll(async () => {
    await app.close();
    await database.drop();
  });

  const line = (part: Partial<NewLogLine>): NewLogLine => ({
    userId: alice.userId,
    createdAt: NOW,
    type: 2,
    content: '',
    hadFailedAttempt: 0,
    username: 'alice',
    tokenName: 'Alice laptop',
    modelName: 'gpt-4o',
    quota: 0,
    promptTokens: 1,
    completionTokens: 1,
    useTime: 1,
    isStream: false,
    channelId: 1,
    tokenId: 1,
    group: 'default',
    other: '{}',
    requestId: null,
    ...part,
  });
  const createToken = async (owner: ApiClient, name: string): Promise<void> => {
    await owner.expectSuccess('POST', '/api/token/', { name, remain_quota: 1, expired_time: -1 });
  };
  const suggest = (client: ApiClient, path: string, keyword: string): Promise<Suggestions> =>
    client.expectSuccess('GET', `${path}?keyword=${encodeURIComponent(keyword)}`);
  const contents = async (client: ApiClient, path: string): Promise<string[]> => {
    const { items } = await client.expectSuccess<{ items: { content: string }[] }>('GET', path);
    return items.map(({ content }) => content);
  };

  it('suggests accounts, tokens, channels and models of the installation to administrators', async () => {
    expect(await suggest(root, '/api/log/suggestions', 'ALI')).toMatchObject({
      accounts: ['alice'],
      tokens: ['Alice laptop'],
    });
    expect((await suggest(root, '/api/log/suggestions', 'vip')).channels).toEqual([
      { id: 2, name: 'Secret VIP' },
    ]);
    expect((await suggest(root, '/api/log/suggestions', '1')).channels).toEqual([
      { id: 1, name: 'OpenAI main' },
    ]);
    expect((await suggest(root, '/api/log/suggestions', 'GPT')).models).toEqual([
      'gpt-4o',
      'gpt-4o-mini',
      'gpt-vip-only',
    ]);
    // A sign of patterns is a letter like any other.
    expect((await suggest(root, '/api/log/suggestions', '_100')).accounts).toEqual(['bob_100']);
    expect((await suggest(root, '/api/log/suggestions', 'al_ce')).accounts).toEqual([]);
    expect(await suggest(root, '/api/log/suggestions', ' ')).toEqual({
      models: [],
      tokens: [],
      accounts: [],
      channels: [],
    });
  });

  it('suggests to users nothing of others: no account, channel, token or closed model', async () => {
    expect((await alice.get('/api/log/suggestions?keyword=a')).body.success).toBe(false);
    expect(await suggest(alice, '/api/log/self/suggestions', 'laptop')).toEqual({
      models: [],
      tokens: ['Alice laptop'],
      accounts: [],
      channels: [],
    });
    expect(await suggest(alice, '/api/log/self/suggestions', 'i')).toMatchObject({
      models: ['gpt-4o-mini'],
      accounts: [],
      channels: [],
    });
    expect((await suggest(alice, '/api/log/self/suggestions', 'bob')).tokens).toEqual([]);
  });

  it('finds failed calls by a part of their error, for administrators', async () => {
    const errors = (client: ApiClient, keyword: string) =>
      client.expectSuccess<{ content: string; request_id: string }[]>(
        'GET',
        `/api/log/failures?keyword=${encodeURIComponent(keyword)}`,
      );
    const failed = [1, 2].map((index) =>
      line({
        type: 5,
        requestId: `0197a3b2-1111-7222-8333-00000000000${index}`,
        content: `Incorrect API key provided ${index}`,
        createdAt: NOW + 1_000 + index,
      }),
    );
    const hidden = line({
      type: 5,
      requestId: '0197a3b2-1111-7222-8333-000000000003',
      content: 'the service of this model is not available',
      other: JSON.stringify({ admin_info: { upstream_error: 'Billing hard limit reached' } }),
      createdAt: NOW + 1_003,
    });
    await app.app.get(LogsRepository).insertMany([...failed, hidden]);
    expect((await errors(root, 'hard LIMIT')).map(({ content }) => content)).toEqual([
      'Billing hard limit reached',
    ]);
    // Names of members are no errors.
    expect(await errors(root, 'admin_info')).toEqual([]);
    expect((await errors(root, 'api KEY')).map(({ content }) => content)).toEqual([
      'Incorrect API key provided 2',
      'Incorrect API key provided 1',
    ]);
    expect(await errors(root, 'api%key')).toEqual([]);
    expect(await errors(root, ' ')).toEqual([]);
    expect((await alice.get('/api/log/failures?keyword=key')).body.success).toBe(false);
    await app.dataSource.getRepository(LogEntity).delete({ createdAt: MoreThan(NOW + 999) });
  });

  it('still suggests a token that was deleted, since the log has its calls', async () => {
    await createToken(alice, 'gone token');
    const items = await alice.expectSuccess<{ id: number; name: string }[]>('GET', '/api/token/');
    const gone = items.find(({ name }) => name === 'gone token');
    await alice.expectSuccess('DELETE', `/api/token/${gone?.id}/`);
    expect((await suggest(alice, '/api/log/self/suggestions', 'gone')).tokens).toEqual(['gone token']);
  });

  it('returns at most eight names of a kind', async () => {
    for (let turn = 0; turn < 10; turn += 1) await createToken(alice, `many ${turn}`);
    expect((await suggest(alice, '/api/log/self/suggestions', 'many')).tokens).toHaveLength(8);
  });

  it('lists answered and failed calls without other lines', async () => {
    expect(await contents(alice, '/api/log/self?kind=calls')).toEqual([
      'dear as well',
      'failed',
      'dear',
      'cheap and slow',
    ]);
    expect(await contents(root, '/api/log/?kind=calls&username=alice&type=5')).toEqual(['failed']);
    expect(await contents(alice, '/api/log/self?kind=other')).toContain('gift');
    expect((await alice.get('/api/log/self/export?kind=other')).status).toBe(400);
  });

  it('sorts by amount and duration within the period, newest first among equals', async () => {
    expect(await contents(root, '/api/log/?kind=calls&sort=quota')).toEqual([
      'of bob',
      'dear as well',
      'dear',
      'cheap and slow',
      'failed',
    ]);
    expect(await contents(alice, '/api/log/self?kind=calls&sort=use_time&page_size=2')).toEqual([
      'cheap and slow',
      'failed',
    ]);
    expect(await contents(alice, '/api/log/self?kind=calls&sort=use_time&page_size=2&p=2')).toEqual([
      'dear',
      'dear as well',
    ]);
    expect(await contents(alice, `/api/log/self?kind=calls&sort=quota&end_timestamp=${NOW - 10}`)).toEqual([
      'dear',
    ]);
    expect(await contents(alice, '/api/log/self?kind=calls&sort=content')).toHaveLength(4);
  });
});

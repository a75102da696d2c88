import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SettlementEntity } from '../../../../server/base/billing/ledger/settlement.entity.js';
import { LogEntity } from '../../../../server/base/logs/log.entity.js';
import type { ApiClient } from '../../../support/api-client.js';
import { setUpRoot, signUp, startTestApp, type TestApp } from '../../../support/build-test-app.js';
import { createTestDatabase, DATABASE_KINDS, type TestDatabase } from '../../../support/database.js';

interface Line {
  readonly id: number;
  readonly content: string;
  readonly channel: number;
  readonly channel_name: string;
  readonly other: string;
  readonly request_id: string | null;
}

interface LinePage {
  readonly items: Line[];
  readonly total: number;
  readonly page: number;
  readonly page_size: number;
}

const CALL = '0199a111-0000-7000-8000-00000000000a';

describe.each(DATABASE_KINDS)('the log routes on %s', (kind) => {
  /** Time of the lines: some metrics cover the last minute, which begins when the lines are written. */
  let nowSeconds: number;
  let database: TestDatabase;
  let app: TestApp;
  let root: ApiClient;
  let ann: ApiClient;
  let bob: ApiClient;
  let channelId: number;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    app = await startTestApp({ env: { DATABASE_URL: database.url } });
    root = await setUpRoot(app);
    ann = await signUp(root, { username: 'ann' });
    bob = await signUp(root, { username: 'bob' });
    const created = await root.expectSuccess<{ ids: number[] }>('POST', '/api/channel/', {
      type: 1,
      name: 'upstream',
      key: 'sk-x',
      models: 'm',
    });
    channelId = created.ids[0] ?? 0;
    nowSeconds = Math.floor(Date.now() / 1000);
    // Signing up writes lines of its own.
    await app.dataSource.createQueryBuilder().delete().from(LogEntity).execute();
    for (let turn = 1; turn <= 12; turn += 1) await addLine({ content: `call ${turn}`, quota: turn });
    await addLine({ content: 'broken', type: 5, quota: 0, other: 'null' });
    await addLine({ content: 'old', createdAt: 1_000_000, quota: 1_000 });
    await addLine({ content: 'paid', requestId: CALL, quota: 15, other: JSON.stringify(DETAILS) });
    await addSettlement();
  });

  afterAll(async () => {
    await app.close();
    await database.drop();
  });

  const DETAILS = {
    model_price: -1,
    frt: 120,
    duration_ms: 950,
    admin_info: {
      use_channel: ['1'],
      attempts: [
        {
          channel_id: 1,
          started_at_ms: 5,
          ended_at_ms: 9,
          failure: 'upstream-timeout',
          upstream_status: 504,
        },
      ],
    },
  };

  async function addLine(part: Partial<LogEntity>): Promise<void> {
    await app.dataSource.getRepository(LogEntity).insert({
      userId: ann.userId,
      createdAt: nowSeconds,
      type: 2,
      content: '',
      username: 'ann',
      tokenName: 'cli',
      modelName: 'gpt-4o',
      quota: 0,
      promptTokens: 3,
      completionTokens: 4,
      useTime: 1,
      isStream: true,
      channelId,
      tokenId: 1,
      group: 'default',
      other: JSON.stringify({ admin_info: { use_channel: [String(channelId)] } }),
      requestId: null,
      ...part,
    });
  }

  /** 10 prompt and 5 completion tokens at ratio 1: 15 quota. */
  async function addSettlement(): Promise<void> {
    const ratios = {
      modelRatio: '1',
      completionRatio: '1',
      cacheRatio: '1',
      cacheWriteRatio: '1',
      imageRatio: '1',
    };
    await app.dataSource.getRepository(SettlementEntity).insert({
      requestId: CALL,
      userId: ann.userId,
      tokenId: 1,
      tokenLimited: 0,
      channelId,
      model: 'gpt-4o',
      usage: JSON.stringify({ input: { total: 10 }, output: { total: 5 } }),
      evidence: 'reported',
      charged: 15,
      writeoff: 0,
      outcome: 'ok',
      priceSnapshot: JSON.stringify({
        mode: 'ratio',
        model: 'gpt-4o',
        group: 'default',
        ...ratios,
        audioRatio: '1',
        audioCompletionRatio: '1',
        groupRatio: '1',
        quotaPerUnit: 500_000,
        revision: 3,
      }),
      createdAtMs: Date.now(),
    });
  }

  const list = (client: ApiClient, path: string): Promise<LinePage> =>
    client.expectSuccess<LinePage>('GET', path);

  it('pages from 1 with items, total, page and page_size (paging style A)', async () => {
    const first = await list(root, '/api/log/?username=ann&page_size=5');
    expect([first.items.length, first.page, first.page_size, first.total]).toEqual([5, 1, 5, 15]);
    expect(first.items[0]).toMatchObject({ content: 'paid', channel: channelId, channel_name: 'upstream' });
    expect((await list(root, '/api/log?username=ann&page_size=5&p=0')).items).toEqual(first.items);
    expect((await list(root, '/api/log/?username=ann&p=3&page_size=5')).items).toHaveLength(5);
    expect((await list(root, '/api/log/?username=ann&p=4&page_size=5')).items).toEqual([]);
    expect((await list(root, '/api/log/?username=ann&page_size=9999')).page_size).toBe(100);
    expect((await list(root, '/api/log/?username=ann')).items).toHaveLength(10);
    const byNumber = await list(root, `/api/log/?user_id=${ann.userId}`);
    expect(byNumber.total).toBe((await list(root, '/api/log/?username=ann')).total);
    expect((await list(root, `/api/log/?user_id=${bob.userId}`)).total).toBe(0);
  });

  it('refuses a page out of reach, fast [DB-02]', async () => {
    const reply = await root.get('/api/log/?p=100000000');
    expect(reply.status).toBe(400);
    expect(reply.body).toMatchObject({ success: false, code: 'page_out_of_reach' });
  });

  it('narrows by every filter of the console', async () => {
    const total = async (query: string): Promise<number> =>
      (await list(root, `/api/log/?username=ann&${query}`)).total;
    expect(await total('type=5')).toBe(1);
    expect(await total('token_name=cli')).toBe(15);
    expect(await total('token_name=other')).toBe(0);
    expect(await total(`channel=${channelId}`)).toBe(15);
    expect(await total('channel=99999')).toBe(0);
    expect(await total('group=default&model_name=gpt-4o')).toBe(15);
    expect(await total('model_name=gpt')).toBe(0);
    expect(await total('model_name=gpt*')).toBe(15);
    expect(await total('model_name=gpt%25')).toBe(15);
    expect(await total('model_name=%25o')).toBe(15);
    expect(await total('start_timestamp=0')).toBe(await total(''));
    expect(await total(`request_id=${CALL.toUpperCase()}`)).toBe(1);
    expect(await total('request_id=0199')).toBe(0);
    expect(await total('end_timestamp=1')).toBe(0);
    // Consoles of this API family send 0 when no end was chosen.
    expect(await total('end_timestamp=0')).toBe(await total(''));
    expect(await total('end_timestamp=1000000')).toBe(1);
    expect(await total(`start_timestamp=${nowSeconds}`)).toBe(14);
    expect((await root.get('/api/log/?type=1&type=2')).status).toBe(400);
  });

  it('shows owners only their own lines, without channel, path and row ids [LOG-01]', async () => {
    const own = await list(ann, `/api/log/self/?page_size=100&username=root&channel=${channelId}`);
    expect(own.total).toBe(15);
    // Positions, unique within the answer.
    expect(own.items.map((line) => line.id)).toEqual(Array.from({ length: 15 }, (_, index) => index + 1));
    for (const line of own.items) {
      expect([line.channel, line.channel_name]).toEqual([0, '']);
      expect(JSON.parse(line.other)).not.toHaveProperty('admin_info');
    }
    expect((await list(ann, '/api/log/self?p=2&page_size=10')).items[0]?.id).toBe(11);
    expect((await list(ann, `/api/log/self?request_id=${CALL}`)).items.map((line) => line.content)).toEqual([
      'paid',
    ]);
    expect((await list(bob, `/api/log/self?request_id=${CALL}`)).total).toBe(0);
    expect(
      (await list(bob, '/api/log/self')).items.filter((line) => line.content.startsWith('call')),
    ).toEqual([]);
    expect((await ann.get('/api/log/')).body.success).toBe(false);
    expect((await ann.get('/api/log/stat')).body.success).toBe(false);
  });

  it('sums charges over the filter, and calls and tokens of the last minute', async () => {
    await addLine({ userId: bob.userId, username: 'bob', quota: 7 });
    // Σ 1…12 = 78, + 15 for the explained call, + 1,000 for the old one.
    expect(await root.expectSuccess('GET', '/api/log/stat?username=ann')).toMatchObject({
      quota: 1_093,
      rpm: 13,
      tpm: 91,
    });
    expect(
      await root.expectSuccess('GET', `/api/log/stat?username=ann&start_timestamp=${nowSeconds}`),
    ).toMatchObject({ quota: 93 });
    expect(await bob.expectSuccess('GET', '/api/log/self/stat/?username=ann')).toEqual({
      quota: 7,
      rpm: 1,
      tpm: 7,
    });
    expect(await root.expectSuccess('GET', '/api/log/stat?username=nobody')).toEqual({
      quota: 0,
      rpm: 0,
      tpm: 0,
    });
  });

  it('searches by type or beginning of the text, at most 100 [LOG-110]', async () => {
    const found = await root.expectSuccess<Line[]>('GET', '/api/log/search?keyword=call%201');
    expect(found.map((line) => line.content).toSorted()).toEqual(['call 1', 'call 10', 'call 11', 'call 12']);
    expect(await root.expectSuccess('GET', '/api/log/search?keyword=%25')).toEqual([]);
    expect(await ann.expectSuccess<Line[]>('GET', '/api/log/self/search?keyword=5')).toMatchObject([
      { content: 'broken', channel: 0, other: '{}' },
    ]);
    expect(await ann.expectSuccess('GET', '/api/log/self/search?keyword=call')).toEqual([]);
  });

  it('explains a charge to its owner and to administrators; the path only to the latter', async () => {
    const own = await ann.expectSuccess<Record<string, unknown>>('GET', `/api/log/${CALL}/explain`);
    expect(own).toMatchObject({
      request_id: CALL,
      evidence: 'reported',
      price_revision: 3,
      first_byte_ms: 120,
      duration_ms: 950,
      attempts: [],
      charge: { priced: 15, charged: 15, writeoff: 0, is_consistent: true },
    });
    // A position names no call.
    expect((await ann.get('/api/log/1/explain')).body.code).toBe('not_found');
    const line = (await list(root, '/api/log/?username=ann&page_size=1')).items[0];
    for (const reference of [CALL, CALL.toUpperCase(), String(line?.id)]) {
      const seen = await root.expectSuccess('GET', `/api/log/${reference}/explain/`);
      expect(seen).toMatchObject({
        request_id: CALL,
        attempts: [{ channel_id: 1, failure: 'upstream-timeout', upstream_status: 504, started_at_ms: 5 }],
      });
    }
  });

  it('reports another account\'s call as "not found", like an unknown one', async () => {
    const missing = await bob.get('/api/log/0199a111-0000-7000-8000-0000000000ff/explain');
    expect(missing.body).toMatchObject({ success: false, code: 'not_found' });
    const line = (await list(root, '/api/log/?username=ann&page_size=1')).items[0];
    for (const [client, reference] of [
      [bob, CALL],
      [bob, String(line?.id)],
      [ann, String(line?.id)],
    ] as const) {
      const reply = await client.get(`/api/log/${reference}/explain`);
      expect([reply.status, reply.body]).toEqual([missing.status, missing.body]);
    }
    for (const reference of ['0', '-1', 'undefined', `${CALL}x`, "'"]) {
      expect((await root.get(`/api/log/${reference}/explain`)).body.success).not.toBe(true);
    }
  });

  it('only root deletes, only calls and failures, and leaves a line about it [LOG-04]', async () => {
    const admin = await signUp(root, { username: 'boss', role: 'admin' });
    expect((await admin.delete('/api/log/?target_timestamp=2000000')).body.success).toBe(false);
    expect((await root.delete('/api/log/')).body.success).toBe(false);
    expect((await root.delete('/api/log/?target_timestamp=0')).body.success).toBe(false);
    expect((await root.delete(`/api/log/?target_timestamp=${nowSeconds + 10_000}`)).body.success).toBe(false);
    await addLine({ content: 'top-up', type: 1, createdAt: 1_000_000 });
    expect(await root.expectSuccess('DELETE', '/api/log/?target_timestamp=2000000')).toBe(1);
    expect((await list(root, '/api/log/?end_timestamp=2000000')).items.map((line) => line.content)).toEqual([
      'top-up',
    ]);
    const [newest] = (await list(root, '/api/log/?type=3&username=root')).items;
    expect(newest?.content).toMatch(/^Deleted 1 log lines older than 1970-01-24/);
  });
});

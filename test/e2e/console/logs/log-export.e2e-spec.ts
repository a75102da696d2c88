import { get } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LogEntity } from '../../../../server/base/logs/log.entity.js';
import { LogRetention } from '../../../../server/base/logs/log-retention.js';
import type { NewLogLine } from '../../../../server/base/logs/insert-lines.js';
import { LogsRepository } from '../../../../server/base/logs/logs.repository.js';
import type { ApiClient } from '../../../support/api-client.ts';
import { setUpRoot, signUp, startTestApp, type TestApp } from '../../../support/build-test-app.ts';
import { createTestDatabase, DATABASE_KINDS, type TestDatabase } from '../../../support/database.ts';

const DAY = 86_400;

describe.each(DATABASE_KINDS)('the log as a file, and how long it is kept, on %s', (kind) => {
  let database: TestDatabase;
  let app: TestApp;
  let root: ApiClient;
  let ann: ApiClient;
  let bob: ApiClient;
  const now = Math.floor(Date.now() / 1000);
  const thisHour = now - (now % 3_600);
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

  const line = (part: Partial<NewLogLine>): NewLogLine => ({
    userId: ann.userId,
    createdAt: thisHour,
    type: 2,
    content: 'model ratio 1',
    username: 'ann',
    tokenName: 'client',
    modelName: 'fx-a',
    quota: 10,
    promptTokens: 3,
    completionTokens: 2,
    useTime: 1,
    isStream: true,
    channelId: 0,
    tokenId: 1,
    hadFailedAttempt: 0,
    group: 'default',
    other: '{"admin_info":{}}',
    requestId: null,
    ...part,
  });
  const download = async (client: ApiClient, path: string) => {
    const response = await fetch(app.url + path, { headers: client.headers });
    const bytes = Buffer.from(await response.arrayBuffer());
    return {
      response,
      bytes,
      rows: bytes.toString('utf8').replace('\uFEFF', '').split('\r\n').filter(Boolean),
    };
  };

  it('exports the log as a file: all of it, once, newest first; formulas are texts; owners see their own', async () => {
    const logs = app.app.get(LogsRepository);
    const names = Array.from({ length: 2_500 }, (_, index) => `row ${index}`);
    for (let from = 0; from < names.length; from += 500)
      await logs.insertMany(
        names
          .slice(from, from + 500)
          .map((content, index) =>
            line({ content, createdAt: thisHour - 5_000 + Math.floor((from + index) / 7) }),
          ),
      );
    await logs.insertMany([
      line({ userId: bob.userId, username: 'bob', tokenName: '=1+1', content: 'said "hi", twice' }),
    ]);
    const all = await download(root, '/api/log/export?type=2');
    expect(all.response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(all.response.headers.get('content-disposition')).toMatch(
      /^attachment; filename="log-\d{4}-\d\d-\d\d\.csv"$/,
    );
    expect(all.bytes.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
    expect(all.rows[0]).toBe(
      'time,type,username,token,group,model,stream,use_time_seconds,prompt_tokens,completion_tokens,quota,request_id,content,id,user_id,channel_id,channel_name,tags,end_user,amount_usd',
    );
    expect(all.rows).toHaveLength(2_502);
    expect(all.rows[1]).toMatch(
      /^[\dT:.-]+Z,consumption,bob,'=1\+1,default,fx-a,true,1,3,2,10,,"said ""hi"", twice",/,
    );
    const own = await download(ann, '/api/log/self/export?type=2&p=3&page_size=10');
    expect(own.rows).toHaveLength(2_501);
    expect(own.rows.slice(1).map((row) => row.split(',').at(-4))).toEqual(names.toReversed());
    expect(own.rows[1]?.split(',').at(-1)).toBe('0.000020');
    expect(own.rows.join()).not.toContain('bob');
    expect((await download(ann, '/api/log/self/export?model_name=fx-b')).rows).toHaveLength(1);
    expect((await ann.get('/api/log/export')).body.code).toBe('not_permitted');
  });

  it('ends with sums by account and model where they are wanted, of own lines for owners', async () => {
    const part = { modelName: 'fx-sums', promptTokens: 100, completionTokens: 50 };
    await app.app
      .get(LogsRepository)
      .insertMany([
        line({ ...part, quota: 1_000_000 }),
        line({ ...part, quota: 250_000 }),
        line({ ...part, quota: 0, type: 5 }),
        line({ ...part, quota: 2_000_000, userId: bob.userId, username: 'bob' }),
      ]);
    const path = 'export?model_name=fx-sums&sums=true';
    const sumsOf = (rows: readonly string[]) => rows.filter((row) => row.split(',')[1] === 'sum');
    expect(sumsOf((await download(root, `/api/log/${path}`)).rows)).toEqual([
      ',sum,bob,,,fx-sums,,,100,50,2000000,,1 calls,,,,,,,4.000000',
      ',sum,ann,,,fx-sums,,,200,100,1250000,,2 calls,,,,,,,2.500000',
      ',sum,,,,,,,300,150,3250000,,3 calls,,,,,,,6.500000',
    ]);
    expect(sumsOf((await download(ann, `/api/log/self/${path}`)).rows)).toEqual([
      ',sum,ann,,,fx-sums,,,200,100,1250000,,2 calls,,,2.500000',
      ',sum,,,,,,,200,100,1250000,,2 calls,,,2.500000',
    ]);
    expect(sumsOf((await download(ann, '/api/log/self/export?model_name=fx-sums')).rows)).toEqual([]);
  });

  it('refuses filters it cannot read instead of exporting more', async () => {
    const wrong = {
      type: 'abc',
      channel: '-1',
      start_timestamp: 'xyz',
      end_timestamp: '1e9',
    };
    for (const [field, value] of Object.entries(wrong)) {
      const { body } = await root.get(`/api/log/export?${field}=${value}`);
      expect(body).toMatchObject({
        success: false,
        code: 'malformed_input',
        message: expect.stringMatching(`^Invalid parameter: ${field} \\(must `),
      });
      // An owner's own lines show no channel.
      if (field === 'channel') continue;
      expect((await ann.get(`/api/log/self/export?${field}=${value}`)).body.success).toBe(false);
    }
    // An owner sees no lines of others, whatever the filter.
    expect((await download(ann, '/api/log/self/export?username=bob&model_name=fx-none')).rows).toHaveLength(
      1,
    );
    // Query of consoles without a chosen filter.
    const none =
      'type=0&username=&channel=0&start_timestamp=&end_timestamp=0&group=&token_name=&model_name=bought';
    expect((await download(root, `/api/log/export?${none}`)).rows).toHaveLength(1);
  });

  it("exports top-ups and administrators' adjustments with their signs", async () => {
    const acts = [
      { type: 3, quota: 0, content: 'taken', other: '{"event":{"code":"user.add_quota","quota":-250}}' },
      { type: 3, quota: 0, content: 'given', other: '{"event":{"code":"user.add_quota","quota":70}}' },
      { type: 1, quota: 500, content: 'redeemed', other: '{"event":{"code":"redeemed","redemption_id":1}}' },
      { type: 4, quota: 30, content: 'older than events', other: '' },
      { type: 2, quota: 12, content: 'a call', other: '{"event":{"quota":9}}' },
    ];
    await app.app.get(LogsRepository).insertMany(acts.map((act) => line({ ...act, modelName: 'bought' })));
    const amounts = async (client: ApiClient, path: string) =>
      (await download(client, path)).rows.slice(1).map((row) => row.split(',')[10]);
    const expected = ['12', '30', '500', '70', '-250'];
    expect(await amounts(root, '/api/log/export?model_name=bought')).toEqual(expected);
    expect(await amounts(ann, '/api/log/self/export?model_name=bought')).toEqual(expected);
  });

  it('stops reading the log when its reader leaves', async () => {
    const logs = app.app.get(LogsRepository);
    const read = logs.exportPage.bind(logs);
    let pages = 0;
    const endless = Array.from({ length: 1_000 }, (_, index) => ({
      ...line({ content: 'x'.repeat(1_000) }),
      tags: '',
      endUser: '',
      id: index + 1,
    }));
    logs.exportPage = async () => {
      pages += 1;
      return endless;
    };
    try {
      await new Promise<void>((left) => {
        const request = get(`${app.url}/api/log/self/export`, { headers: ann.headers }, (response) => {
          response.once('data', () => {
            response.destroy();
            request.destroy();
            left();
          });
        });
      });
      const before = pages;
      // The server notices the closed connection within a few turns; another request passes through the same loop.
      for (let turn = 0; turn < 20; turn += 1) await ann.get('/api/user/self');
      const settled = pages;
      for (let turn = 0; turn < 20; turn += 1) await ann.get('/api/user/self');
      expect(pages).toBe(settled);
      expect(settled - before).toBeLessThan(50);
    } finally {
      logs.exportPage = read;
    }
  });

  it('removes calls and failures after LogRetentionDays; keeps top-ups and acts of administrators [LOG-04]', async () => {
    const logs = app.app.get(LogsRepository);
    const old = thisHour - 31 * DAY;
    await logs.insertMany(
      [1, 2, 3, 4, 5].map((type) => line({ type, createdAt: old, content: `old ${type}` })),
    );
    const oldLines = async () =>
      (await app.dataSource.getRepository(LogEntity).findBy({ createdAt: old }))
        .map(({ type }) => type)
        .toSorted();
    const retention = app.app.get(LogRetention);
    expect(await retention.turn()).toBe(0);
    expect(await oldLines()).toEqual([1, 2, 3, 4, 5]);
    await root.expectSuccess('PUT', '/api/option/', { key: 'LogRetentionDays', value: 30 });
    expect(await retention.turn()).toBe(2);
    expect(await oldLines()).toEqual([1, 3, 4]);
    expect(await retention.turn()).toBe(0);
  });
});

import { type Moment, momentOf } from '../../../../server/common/moment.js';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { openDatabase } from '../../../../server/infra/database/open-named-database.js';
import { ChannelHealthReporter } from '../../../../server/console/logs/channel-health-report.js';
import type { NewLogLine } from '../../../../server/base/logs/insert-lines.js';
import { type LogFilter, LogsRepository } from '../../../../server/base/logs/logs.repository.js';
import { Clock } from '../../../../server/common/clock.js';
import { loadAllEntities } from '../../../support/all-entities.js';
import { createTestDatabase, DATABASE_KINDS, type TestDatabase } from '../../../support/database.js';
import { LogEntity } from '../../../../server/base/logs/log.entity.js';

/** 2026-11-21 12:00:00 UTC, the start of an hour. */
const NOON = 1_795_262_400;

class FixedClock extends Clock {
  nowSeconds = NOON + 1_800;

  override nowMs(): Moment {
    return momentOf(this.nowSeconds * 1000);
  }

  override monotonicMs(): number {
    return this.nowSeconds * 1000;
  }

  override after(): () => void {
    return () => undefined;
  }
}

const everything: LogFilter = {
  type: 0,
  username: '',
  tokenName: '',
  modelName: '',
  channelId: 0,
  group: '',
  requestId: '',
  fromSeconds: 0,
  toSeconds: undefined,
};

const line = (part: Partial<NewLogLine>): NewLogLine => ({
  userId: 1,
  createdAt: NOON,
  type: 2,
  content: '',
  username: 'ann',
  tokenName: '',
  modelName: 'gpt-4o',
  quota: 10,
  promptTokens: 3,
  completionTokens: 2,
  useTime: 1,
  isStream: false,
  channelId: 1,
  tokenId: 0,
  group: 'default',
  other: '',
  requestId: null,
  ...part,
});

describe.each(DATABASE_KINDS)('the log on %s', (kind) => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let logs: LogsRepository;

  beforeAll(async () => {
    await loadAllEntities();
    database = await createTestDatabase(kind);
    dataSource = await openDatabase(database.url);
    logs = new LogsRepository(dataSource.getRepository(LogEntity));
  });

  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  const modelsOf = async (filter: Partial<LogFilter>): Promise<string[]> =>
    (await logs.list({ ...everything, ...filter }, 0, 100)).map((row) => row.modelName).toSorted();

  it('takes % and * as wildcards, underscores and exclamation marks literally [DB-03]', async () => {
    const models = ['gpt-4o', 'gpt-4o-mini', 'a%b', 'a_b', 'axb', 'a!b', 'a\\b'];
    await logs.insertMany(models.map((modelName) => line({ modelName, userId: 50 })));
    const own = (modelName: string) => modelsOf({ userId: 50, modelName });
    expect(await own('gpt-4o')).toEqual(['gpt-4o']);
    expect(await own('gpt-4o*')).toEqual(['gpt-4o', 'gpt-4o-mini']);
    expect(await own('*mini')).toEqual(['gpt-4o-mini']);
    expect(await own('a_b')).toEqual(['a_b']);
    expect(await own('a_*')).toEqual(['a_b']);
    expect(await own('a%b')).toEqual(['a!b', 'a%b', 'a\\b', 'a_b', 'axb']);
    expect(await own('%mini')).toEqual(['gpt-4o-mini']);
    expect(await own('gpt%o*')).toEqual(['gpt-4o', 'gpt-4o-mini']);
    expect(await own('a!*')).toEqual(['a!b']);
    expect(await own('a\\*')).toEqual(['a\\b']);
    for (const all of ['%', '%%%%%%%%', '%*%']) expect(await own(all)).toHaveLength(models.length);
    expect(await own('*****')).toHaveLength(models.length);
  });

  it('treats injection payloads as text [DB-01]', async () => {
    for (const payload of [
      `' OR 1=1 --`,
      `") OR ("1"="1`,
      `'; DROP TABLE logs; --`,
      `\\' OR 1=1 #`,
      `%27 OR 1=1`,
    ]) {
      expect(await modelsOf({ modelName: payload })).toEqual([]);
      expect(await modelsOf({ modelName: `${payload}*` })).toEqual([]);
      expect(await modelsOf({ username: payload })).toEqual([]);
      expect(await modelsOf({ tokenName: payload })).toEqual([]);
      expect(await modelsOf({ group: payload })).toEqual([]);
      expect(await logs.search({ contentStart: payload })).toEqual([]);
    }
    expect(await logs.count(everything)).toBeGreaterThan(0);
  });

  it('counts, sums and narrows by everything a filter can say', async () => {
    await logs.insertMany([
      line({ userId: 60, quota: 5, channelId: 9, tokenName: 't', group: 'vip', username: 'bob' }),
      line({ userId: 60, quota: 7, createdAt: NOON - 100 }),
      line({ userId: 60, quota: 100, type: 3, modelName: '' }),
    ]);
    const own = { ...everything, userId: 60 };
    expect(await logs.count(own)).toBe(3);
    expect(await logs.sumQuota({ ...own, type: 3 })).toBe(12);
    expect(await logs.sumQuota({ ...own, fromSeconds: NOON, toSeconds: NOON })).toBe(5);
    expect(await logs.sumQuota({ ...own, userId: 61 })).toBe(0);
    expect(await logs.sumRecent(own, NOON - 50)).toEqual({ calls: 1, tokens: 5 });
    const narrowed = { ...own, channelId: 9, tokenName: 't', group: 'vip', username: 'bob', type: 2 };
    expect(await logs.count(narrowed)).toBe(1);
    expect((await logs.list(own, 1, 1)).map((row) => row.quota)).toEqual([7]);
  });

  it('writes a line of a call once', async () => {
    const requestId = '0199a000-0000-7000-8000-000000000001';
    await logs.insertMany([line({ userId: 70, requestId })]);
    await logs.insertMany([line({ userId: 70, requestId }), line({ userId: 70, requestId: null })]);
    expect(await logs.count({ ...everything, userId: 70 })).toBe(2);
    expect((await logs.findOne({ requestId: requestId }))?.userId).toBe(70);
  });

  it('keeps texts as they are, whatever they look like', async () => {
    const texts = [
      `'); DROP TABLE logs; --`,
      `\\' OR 1=1 /*`,
      'a"b`c$1?',
      '線 é 😀',
      'two\nlines\tand a tab',
      '%s :name',
    ];
    await logs.insertMany(
      texts.map((content) => line({ userId: 71, content, other: JSON.stringify({ content }) })),
    );
    const found = await logs.list({ ...everything, userId: 71 }, 0, 20);
    expect(found.map(({ content }) => content).toSorted()).toEqual(texts.toSorted());
    expect(found.every(({ content, other }) => other === JSON.stringify({ content }))).toBe(true);
    expect(found.every(({ isStream }) => typeof isStream === 'boolean')).toBe(true);
  });

  it('deletes in portions, and only the types it is told [LOG-107]', async () => {
    await logs.insertMany(Array.from({ length: 700 }, () => line({ userId: 80, createdAt: 1_000 })));
    await logs.insertMany([line({ userId: 80, type: 3, createdAt: 1_000 })]);
    expect(await logs.deletePortion([2, 5], 2_000)).toBe(500);
    expect(await logs.deletePortion([2, 5], 2_000)).toBe(200);
    expect(await logs.deletePortion([2, 5], 2_000)).toBe(0);
    expect(await logs.count({ ...everything, userId: 80 })).toBe(1);
  });

  it('makes the 24 hour health line of a channel', async () => {
    await logs.insertMany([
      ...[1, 3, 900].map((useTime) => line({ channelId: 500, useTime, createdAt: NOON - 3_600 })),
      line({ channelId: 500, type: 5, useTime: 30, createdAt: NOON - 3_000 }),
      line({ channelId: 500, useTime: 2, createdAt: NOON + 60 }),
      line({ channelId: 500, useTime: 4, createdAt: NOON + 60 }),
      line({ channelId: 500, createdAt: NOON - 90_000 }),
    ]);
    const clock = new FixedClock();
    const reporter = new ChannelHealthReporter(logs, clock);
    const first = await reporter.last24Hours();
    expect(first.since).toBe(NOON - 23 * 3_600);
    const own = first.lines.find((one) => one.channelId === 500);
    expect(own?.success.slice(-2)).toEqual([3, 2]);
    expect(own?.errors.slice(-2)).toEqual([1, 0]);
    // Median of 1, 3 and 900 is 3; of 2 and 4 it is 3.
    expect(own?.medianSeconds.slice(-3)).toEqual([null, 3, 3]);
    expect(own?.success.slice(0, 22).every((count) => count === 0)).toBe(true);

    // A finished hour is kept; the running one is counted again.
    await logs.insertMany([line({ channelId: 500, createdAt: NOON + 1_900, useTime: 2 })]);
    clock.nowSeconds += 120;
    const second = (await reporter.last24Hours()).lines.find((one) => one.channelId === 500);
    expect(second?.success.slice(-2)).toEqual([3, 3]);
  });
});

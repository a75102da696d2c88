import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { openDatabase } from '../../../../server/infra/database/open-named-database.js';
import type { NewLogLine } from '../../../../server/base/logs/insert-lines.js';
import { type LogFilter, LogsRepository } from '../../../../server/base/logs/logs.repository.js';
import { loadAllEntities } from '../../../support/all-entities.js';
import { createTestDatabase, DATABASE_KINDS, type TestDatabase } from '../../../support/database.js';
import { LogEntity } from '../../../../server/base/logs/log.entity.js';

/** 2026-11-21 12:00:00 UTC, the start of an hour. */
const NOON = 1_795_262_400;

const everything: LogFilter = {
  type: 0,
  username: '',
  tokenName: '',
  modelName: '',
  channelId: 0,
  group: '',
  requestId: '',
  hadFailedAttempt: false,
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
  hadFailedAttempt: 0,
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

  it('counts, sums and narrows by every filter', async () => {
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

  it('deletes in portions, and only the given types [LOG-107]', async () => {
    await logs.insertMany(Array.from({ length: 700 }, () => line({ userId: 80, createdAt: 1_000 })));
    await logs.insertMany([line({ userId: 80, type: 3, createdAt: 1_000 })]);
    expect(await logs.deletePortion([2, 5], 2_000)).toBe(500);
    expect(await logs.deletePortion([2, 5], 2_000)).toBe(200);
    expect(await logs.deletePortion([2, 5], 2_000)).toBe(0);
    expect(await logs.count({ ...everything, userId: 80 })).toBe(1);
  });

  it('lists calls with a failed attempt, newest first, and no other line', async () => {
    await logs.insertMany([
      line({ userId: 90, hadFailedAttempt: 1, content: 'first' }),
      line({ userId: 90, content: 'answered at once' }),
      line({ userId: 90, hadFailedAttempt: 1, type: 5, createdAt: NOON + 5, content: 'second' }),
    ]);
    const failed = { ...everything, userId: 90, hadFailedAttempt: true };
    expect((await logs.list(failed, 0, 20)).map(({ content }) => content)).toEqual(['second', 'first']);
    expect(await logs.count(failed)).toBe(2);
    expect(await logs.count({ ...failed, fromSeconds: NOON + 1 })).toBe(1);
  });
});

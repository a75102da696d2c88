import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ZonedTime } from '../../../../server/common/time-zone.js';
import { runInTransaction } from '../../../../server/infra/database/run-in-transaction.js';
import { addUsageTotals, insertLogs } from '../../../../server/base/billing/booking/book-logs.js';
import { UsageTotalEntity } from '../../../../server/base/billing/ledger/usage-total.entity.js';
import type { ApiClient } from '../../../support/api-client.ts';
import { setUpRoot, signUp, startTestApp, type TestApp } from '../../../support/build-test-app.ts';
import { createTestDatabase, DATABASE_KINDS, type TestDatabase } from '../../../support/database.ts';
import { callIdAt } from '../pricing/stored-calls.ts';
import { Dice } from '../pricing/random-calls.ts';

const DAY = 86_400;
const MODELS = ['fx-a', 'fx-b'] as const;
/** Zones of every kind of offset, and for each a day in whose middle, or beside which, its clocks change. */
const ZONES = [
  ['Asia/Kolkata', '2026-02-15'],
  ['Asia/Kathmandu', '2026-02-15'],
  ['Australia/Lord_Howe', '2026-04-05'],
  ['Australia/Lord_Howe', '2026-10-04'],
  ['America/St_Johns', '2026-03-08'],
  ['America/St_Johns', '2026-11-01'],
  ['Australia/Eucla', '2026-05-01'],
  ['Pacific/Chatham', '2026-04-05'],
  ['Europe/Berlin', '2026-03-29'],
  ['America/New_York', '2026-11-01'],
  ['Africa/Cairo', '2026-04-24'],
  ['UTC', '2026-06-30'],
] as const;

interface UseRow {
  readonly model_name: string;
  readonly created_at: number;
  readonly quota: number;
  readonly count: number;
  readonly token_used: number;
}

interface Made {
  readonly seconds: number;
  readonly model: string;
  readonly quota: number;
}

describe.each(DATABASE_KINDS)('days by time zone on %s', (kind) => {
  let database: TestDatabase;
  let app: TestApp;
  let root: ApiClient;
  let accounts = 0;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    app = await startTestApp({ env: { DATABASE_URL: database.url } });
    root = await setUpRoot(app);
  });
  afterAll(async () => {
    await app.close();
    await database.drop();
  });

  const person = (): Promise<ApiClient> => signUp(root, { username: `person${++accounts}` });

  /** Books calls as settlements are booked: their log lines, and the figures of the dashboard. */
  const book = (userId: number, calls: readonly Made[]): Promise<void> =>
    runInTransaction(app.dataSource, async (manager) => {
      const booked = calls.map(({ seconds, model, quota }, index) => ({
        charged: quota,
        document: {
          request_id: callIdAt(seconds * 1000 + 999, userId * 10_000 + index),
          user_id: userId,
          token_id: null,
          token_limited: 0 as const,
          channel_id: 1,
          model,
          usage: '{}',
          evidence: 'reported',
          outcome: 'ok',
          price_snapshot: '',
          priced: quota,
          created_at_ms: seconds * 1000 + 999,
          username: `person${userId}`,
          token_name: 't',
          group: 'default',
          prompt_tokens: 3,
          completion_tokens: 2,
          use_time: 1,
          is_stream: 0 as const,
          content: 'x',
          other: '{}',
          hold: { kind: 'call' as const, userReservationId: '', tokenReservationId: null, amount: 0 },
        },
      }));
      await insertLogs(manager, booked);
      await addUsageTotals(manager, booked);
    });

  const figuresOf = (client: ApiClient, query: string): Promise<UseRow[]> =>
    client.expectSuccess<UseRow[]>('GET', `/api/data/self?${query}`);

  const exported = async (client: ApiClient, query: string): Promise<{ time: string; quota: number }[]> => {
    const response = await fetch(`${app.url}/api/log/self/export?type=2&${query}`, {
      headers: client.headers,
    });
    expect(response.status).toBe(200);
    const lines = (await response.text()).replace('\uFEFF', '').split('\r\n').filter(Boolean).slice(1);
    return lines
      .map((line) => line.split(','))
      .map((cells) => ({ time: cells[0] ?? '', quota: Number(cells[10]) }));
  };

  const sum = (rows: readonly { readonly quota: number }[]): number =>
    rows.reduce((total, { quota }) => total + quota, 0);

  it.each(ZONES)('dashboard, sums and export of %s agree on the days around %s', async (zone, day) => {
    const client = await person();
    const time = ZonedTime.of(zone);
    const midnight = Date.parse(`${day}T00:00:00Z`) / 1000;
    // The start of each local day from two before to three after, the last one as the end.
    const starts = [-2, -1, 0, 1, 2, 3].map((shift) => time.startOfDay(midnight + shift * DAY));
    const [first = 0] = starts;
    const end = starts.at(-1) ?? 0;
    const dice = new Dice(midnight + zone.length);
    const edges = starts.flatMap((start) => [start - 1, start, start + 899, start + 900]);
    const scattered = Array.from({ length: 300 }, () => first - 3_600 + dice.below(end - first + 7_200));
    const calls = [...edges, ...scattered].map((seconds) => ({
      seconds,
      model: dice.pick(MODELS),
      quota: 1 + dice.below(1_000_000),
    }));
    await book(client.userId, calls);
    const span = `start_timestamp=${first}&end_timestamp=${end - 1}&time_zone=${encodeURIComponent(zone)}`;
    const [days, hours, quarters] = await Promise.all([
      figuresOf(client, `${span}&grain=day`),
      figuresOf(client, `${span}&grain=hour`),
      figuresOf(client, span),
    ]);
    const lines = await exported(client, span);
    for (const [index, start] of starts.slice(0, -1).entries()) {
      const next = starts[index + 1] ?? 0;
      const isOfDay = (seconds: number): boolean => seconds >= start && seconds < next;
      const expected = sum(calls.filter(({ seconds }) => isOfDay(seconds)));
      const { quota: summed } = await client.expectSuccess<{ quota: number }>(
        'GET',
        `/api/log/self/stat?start_timestamp=${start}&end_timestamp=${next - 1}`,
      );
      const local = time.format(start).slice(0, 10);
      expect({
        local,
        summed,
        day: sum(days.filter(({ created_at: at }) => at === start)),
        hours: sum(hours.filter(({ created_at: at }) => isOfDay(at))),
        quarters: sum(quarters.filter(({ created_at: at }) => isOfDay(at))),
        exported: sum(lines.filter(({ time: text }) => text.startsWith(local))),
      }).toEqual({
        local: new Date((midnight + (index - 2) * DAY) * 1000).toISOString().slice(0, 10),
        summed: expected,
        day: expected,
        hours: expected,
        quarters: expected,
        exported: expected,
      });
    }
    expect(new Set(days.map(({ created_at: at }) => at))).toEqual(new Set(starts.slice(0, -1)));
    const expectedLines = calls.filter(({ seconds }) => seconds >= first && seconds < end).length;
    for (const rows of [days, hours, quarters])
      expect(rows.reduce((total, { count }) => total + count, 0)).toBe(expectedLines);
    // Hours begin with the wall clock's hour, or with a clock change.
    for (const { created_at: at } of hours)
      expect(time.offsetAt(at) !== time.offsetAt(at - 1) || (at + time.offsetAt(at)) % 3_600 === 0).toBe(
        true,
      );
  });

  it('rows of earlier releases count in the hour they hold', async () => {
    const client = await person();
    const hour = Date.parse('2026-02-15T12:00:00Z') / 1000;
    await app.dataSource.getRepository(UsageTotalEntity).insert({
      userId: client.userId,
      modelName: 'fx-a',
      createdAt: hour,
      tokenUsed: 50,
      count: 10,
      quota: 1_000,
    });
    await book(client.userId, [
      { seconds: hour + 10, model: 'fx-a', quota: 1 },
      { seconds: hour + 3_599, model: 'fx-a', quota: 2 },
      { seconds: hour + 3_600, model: 'fx-a', quota: 4 },
    ]);
    const span = `start_timestamp=${hour - DAY}&end_timestamp=${hour + DAY}`;
    const figures = (rows: readonly UseRow[]) =>
      rows.map((row) => [row.created_at - hour, row.quota, row.count]);
    expect(figures(await figuresOf(client, `${span}&grain=hour&time_zone=Europe/Berlin`))).toEqual([
      [0, 1_003, 12],
      [3_600, 4, 1],
    ]);
    expect(figures(await figuresOf(client, span))).toEqual([
      [0, 1_001, 11],
      [2_700, 2, 1],
      [3_600, 4, 1],
    ]);
    expect(sum(await figuresOf(client, `${span}&grain=day&time_zone=UTC`))).toBe(1_007);
  });

  it('follows the zone the account has set, unless a request names another', async () => {
    const client = await person();
    const seconds = Date.parse('2026-02-15T18:20:00Z') / 1000;
    await book(client.userId, [{ seconds, model: 'fx-a', quota: 7 }]);
    const span = `start_timestamp=${seconds - DAY}&end_timestamp=${seconds + DAY}`;
    const read = async (zone: string) => {
      const [day] = await figuresOf(client, `${span}&grain=day${zone}`);
      const [line] = await exported(client, `${span}${zone}`);
      return [new Date((day?.created_at ?? 0) * 1000).toISOString(), line?.time];
    };
    expect(await read('')).toEqual(['2026-02-15T00:00:00.000Z', '2026-02-15T18:20:00.000Z']);
    await client.expectSuccess('PUT', '/api/user/setting', { time_zone: 'Asia/Kathmandu' });
    expect(await read('')).toEqual(['2026-02-15T18:15:00.000Z', '2026-02-16T00:05:00+05:45']);
    expect(await read('&time_zone=America/St_Johns')).toEqual([
      '2026-02-15T03:30:00.000Z',
      '2026-02-15T14:50:00-03:30',
    ]);
    const { setting } = await client.expectSuccess<{ setting: string }>('GET', '/api/user/self');
    expect(JSON.parse(setting)).toMatchObject({ time_zone: 'Asia/Kathmandu' });
    await client.expectSuccess('PUT', '/api/user/setting', { time_zone: '' });
    expect((await read(''))[0]).toBe('2026-02-15T00:00:00.000Z');
  });

  it.each(['+05:30', 'Asia/Nowhere', "UTC'; DROP TABLE users", 'a'.repeat(100)])(
    'refuses an unknown time zone: %s',
    async (zone) => {
      const client = await person();
      const query = `time_zone=${encodeURIComponent(zone)}`;
      for (const path of ['/api/data/self', '/api/log/self/export'])
        expect((await client.get(`${path}?grain=day&${query}`)).body).toMatchObject({ success: false });
      expect((await root.get(`/api/data/?${query}`)).body).toMatchObject({ success: false });
      expect((await root.get(`/api/log/export?${query}`)).body).toMatchObject({ success: false });
      expect((await client.send('PUT', '/api/user/setting', { time_zone: zone })).body).toMatchObject({
        success: false,
      });
    },
  );
});

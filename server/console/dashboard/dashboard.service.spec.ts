import { beforeEach, describe, expect, it } from '@jest/globals';
import { FakeClock } from '../../../test/support/fake-clock.js';
import { memoryRateLimiter } from '../../../test/support/memory-rate-limiter.js';
import type { Actor } from '../../base/access/current-actor.js';
import type { AccountZones } from '../../base/users/account-zones.js';
import { ALL_USERS } from '../../base/billing/ledger/all-users.js';
import type { UsageTotal, UsageTotals, UsageQuery } from '../../base/billing/ledger/usage-totals.js';
import { AskedSpans } from './asked-spans.js';
import { DashboardService } from './dashboard.service.js';
import type { UseQuery } from './dto/use.dto.js';

const DAY = 86_400;
const NOW = 1_700_000_000;
const ADA: Actor = {
  id: 7,
  username: 'ada',
  role: 1,
  group: 'default',
  way: 'session',
  sessionDigest: 'digest',
};
const ROW: UsageTotal = {
  userId: 7,
  username: 'ada',
  modelName: 'gpt-x',
  start: 900,
  tokens: 5,
  calls: 2,
  quota: 11,
};

let clock: FakeClock;
let asked: { who: number | 'users'; question: UsageQuery }[];
let dashboard: DashboardService;

beforeEach(() => {
  clock = new FakeClock(NOW * 1_000);
  asked = [];
  const note = (who: number | 'users', question: UsageQuery): UsageTotal[] => {
    asked.push({ who, question });
    return [ROW, { ...ROW, modelName: '' }];
  };
  const figures: Pick<UsageTotals, 'byModel' | 'byUser' | 'findUserId'> = {
    byModel: async (userId, question) => note(userId, question),
    byUser: async (question) => note('users', question),
    findUserId: async (username) => (username === 'ada' ? 7 : null),
  };
  const zones = { zoneFor: async (_id: number, zone: string) => zone || 'Asia/Kathmandu' };
  dashboard = new DashboardService(
    figures as UsageTotals,
    new AskedSpans(zones as unknown as AccountZones, memoryRateLimiter(clock), clock),
    clock,
  );
});

const query = (changes: Partial<UseQuery> = {}): UseQuery => ({
  start_timestamp: undefined,
  end_timestamp: undefined,
  grain: 'quarter',
  time_zone: '',
  ...changes,
});

describe('DashboardService', () => {
  it('shows the day before now unless a span is given', async () => {
    await dashboard.own(ADA, query());
    await dashboard.own(ADA, query({ end_timestamp: 3 * DAY }));
    await dashboard.own(ADA, query({ end_timestamp: DAY / 2 }));
    expect(asked.map(({ question }) => question.span)).toEqual([
      { from: NOW - DAY, to: NOW },
      { from: 2 * DAY, to: 3 * DAY },
      { from: 0, to: DAY / 2 },
    ]);
  });

  it.each([
    ['own', 31],
    ['all', 366],
    ['byUser', 366],
  ] as const)('%s covers %i days and not a second more', async (view, days) => {
    const of = (seconds: number) =>
      dashboard[view](ADA, { ...query({ start_timestamp: NOW - seconds }), username: '' });
    await of(days * DAY);
    await expect(of(days * DAY + 1)).rejects.toMatchObject({ code: 'span_too_long', values: { days } });
    expect(asked).toHaveLength(1);
  });

  it('numbers the rows and names them as clients of this API read them', async () => {
    expect(await dashboard.own(ADA, query())).toEqual([
      {
        id: 1,
        user_id: 7,
        username: 'ada',
        model_name: 'gpt-x',
        created_at: 900,
        token_used: 5,
        count: 2,
        quota: 11,
      },
      expect.objectContaining({ id: 2, model_name: '' }),
    ]);
  });

  it('shows an administrator all accounts, one account, or nothing of an unknown account', async () => {
    await dashboard.all(ADA, { ...query(), username: '' });
    await dashboard.all(ADA, { ...query(), username: 'ada' });
    expect(await dashboard.all(ADA, { ...query(), username: 'nobody' })).toEqual([]);
    expect(asked.map(({ who }) => who)).toEqual([ALL_USERS, 7]);
  });

  it('reads hours and days in the zone of the account, quarters in none', async () => {
    await dashboard.own(ADA, query({ grain: 'day' }));
    const [{ question } = { question: undefined }] = asked;
    // Kathmandu is 5 h 45 min ahead: its day begins at 18:15 UTC.
    expect(question?.buckets.startOf(Math.floor((NOW + 20_700) / DAY) * DAY)).toBe(
      Math.floor((NOW + 20_700) / DAY) * DAY - 20_700,
    );
  });

  it('answers the same question from memory for ten seconds, which counts for nothing', async () => {
    const span = { start_timestamp: 0, end_timestamp: DAY };
    for (let time = 0; time < 100; time += 1) await dashboard.own(ADA, query(span));
    expect(asked).toHaveLength(1);
    clock.advance(10_001);
    await dashboard.own(ADA, query(span));
    expect(asked).toHaveLength(2);
    await dashboard.own({ ...ADA, id: 8 }, query(span));
    expect(asked.map(({ who }) => who)).toEqual([7, 7, 8]);
  });

  it('answers an account thirty new questions a minute', async () => {
    for (let end = 1; end <= 30; end += 1) await dashboard.own(ADA, query({ end_timestamp: end * DAY }));
    await expect(dashboard.own(ADA, query({ end_timestamp: 31 * DAY }))).rejects.toMatchObject({
      code: 'too_many_requests',
    });
    await dashboard.own({ ...ADA, id: 8 }, query({ end_timestamp: 31 * DAY }));
    expect(asked).toHaveLength(31);
  });
});

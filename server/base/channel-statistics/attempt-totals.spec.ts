import { describe, expect, it } from '@jest/globals';
import { AttemptTotals } from './attempt-totals.js';

const attempt = (parts: object = {}) => ({ channelId: 1, reason: '', status: 0, endedAtMs: 0, ...parts });

describe('sums of attempts', () => {
  it('keeps quarters of an hour, channels, models and reasons apart, in one order', () => {
    const totals = new AttemptTotals();
    totals.add('b', 1_800_000, [
      attempt({ channelId: 2 }),
      attempt(),
      attempt({ reason: 'upstream-timeout' }),
    ]);
    totals.add('a', 1_799_999, [attempt(), attempt()]);
    expect(
      totals.rows().map((row) => [row.channelId, row.start, row.model, row.reason, row.attempts]),
    ).toEqual([
      [1, 900, 'a', '', 2],
      [1, 1_800, 'b', '', 1],
      [1, 1_800, 'b', 'upstream-timeout', 1],
      [2, 1_800, 'b', '', 1],
    ]);
  });

  it('keeps the newest failure of each channel', () => {
    const totals = new AttemptTotals();
    const failed = { reason: 'upstream-broken', status: 500 };
    totals.add('m', 0, [
      attempt({ ...failed, endedAtMs: 9, message: 'newest' }),
      attempt({ ...failed, endedAtMs: 3, message: 'older' }),
      attempt({ endedAtMs: 20 }),
    ]);
    expect(totals.failures()).toEqual([
      { channelId: 1, failedAtMs: 9, model: 'm', reason: 'upstream-broken', status: 500, message: 'newest' },
    ]);
  });

  it('counts nothing without a channel', () => {
    const totals = new AttemptTotals();
    totals.add('m', 0, [attempt({ channelId: 0 })]);
    expect(totals.isEmpty).toBe(true);
  });
});

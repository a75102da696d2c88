import { describe, expect, it } from '@jest/globals';
import { sumMinutes } from './fleet-history.js';
import type { ReportedMinute } from '../model/worker-report.js';

const part = (parts: Partial<ReportedMinute>): ReportedMinute => ({
  minute: 5,
  calls: 0,
  errors: 0,
  firstTokens: {},
  settlementLagMs: 0,
  writeoffQuota: 0,
  overrunCalls: 0,
  overrunQuota: 0,
  ...parts,
});

describe('a minute of all workers', () => {
  it('sums calls and takes the longest wait', () => {
    const minute = sumMinutes(5, [
      part({ calls: 10, errors: 1, settlementLagMs: 90 }),
      part({ calls: 5, overrunCalls: 1, overrunQuota: 4, writeoffQuota: 7, settlementLagMs: 120 }),
    ]);
    expect(minute).toEqual({
      minute: 5,
      calls: 15,
      errors: 1,
      firstTokenP95Ms: null,
      settlementLagMs: 120,
      writeoffQuota: 7,
      overrunCalls: 1,
      overrunQuota: 4,
    });
  });

  it('reads the 95th of 100 first tokens from the buckets of two workers', () => {
    // 90 within 0.1 s, 10 between 0.2 and 0.4 s: the 95th is the fifth of those ten.
    const minute = sumMinutes(5, [
      part({ firstTokens: { '0.1': 50, '0.2': 0, '0.4': 10 } }),
      part({ firstTokens: { '0.1': 40 } }),
    ]);
    // After an empty bucket the distribution begins at the bound below: 0.2 + 0.2 × 5 ÷ 10.
    expect(minute.firstTokenP95Ms).toBe(300);
  });

  it('returns the last bound for values above it', () => {
    expect(sumMinutes(5, [part({ firstTokens: { '10': 1, '+Inf': 99 } })]).firstTokenP95Ms).toBe(10_000);
  });
});

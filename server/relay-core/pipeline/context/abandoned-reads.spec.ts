import { describe, expect, it } from '@jest/globals';
import { AbandonedReads, MAX_ABANDONED_READS } from './abandoned-reads.js';

describe('AbandonedReads', () => {
  const fill = (reads: AbandonedReads, count: number): number[] => {
    const ended: number[] = [];
    for (let index = 0; index < count; index += 1) reads.begin({ end: () => ended.push(index) });
    return ended;
  };

  it('ends the oldest read when one more begins than there is room for', () => {
    const reads = new AbandonedReads();
    const ended = fill(reads, MAX_ABANDONED_READS + 2);
    expect(ended).toEqual([0, 1]);
    expect(reads.count).toBe(MAX_ABANDONED_READS);
  });

  it('has room again when a read ended by itself', () => {
    const reads = new AbandonedReads();
    const first = { end: () => undefined };
    reads.begin(first);
    const ended = fill(reads, MAX_ABANDONED_READS - 1);
    reads.leave(first);
    expect(reads.begin({ end: () => undefined })).toBe(true);
    expect(ended).toEqual([]);
  });

  it('takes twenty stops of an account in an hour for Stop', () => {
    const reads = new AbandonedReads();
    const stops = (userId: number, nowMs: number) =>
      Array.from({ length: 22 }, () => reads.spendStop(userId, nowMs)).filter(Boolean).length;
    expect([stops(1, 5_000_000), stops(1, 5_100_000), stops(2, 5_100_000)]).toEqual([20, 0, 20]);
    expect(stops(1, 8_700_000)).toBe(20);
  });

  it('ends all reads when the process stops, and begins none any more', () => {
    const reads = new AbandonedReads();
    const ended = fill(reads, 3);
    reads.close();
    expect(ended).toEqual([0, 1, 2]);
    expect(reads.begin({ end: () => undefined })).toBe(false);
  });
});

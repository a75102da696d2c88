import { describe, expect, it } from '@jest/globals';
import { DatabaseSync } from 'node:sqlite';
import { UsageBuckets } from './usage-buckets.js';

const seconds = (text: string): number => Date.parse(text) / 1_000;
const BERLIN = 'Europe/Berlin';
/** Clocks in Berlin are put forward on 29 March 2026 at 01:00 UTC. */
const SPRING = { from: seconds('2026-03-28T00:00Z'), to: seconds('2026-03-30T00:00Z') };

const database = new DatabaseSync(':memory:');

/** Bucket the database puts a moment into, as the start of the bucket. */
const bucketOf = (buckets: UsageBuckets, moment: string, span = SPRING): string => {
  const row = database
    .prepare(
      `SELECT ${buckets.sqlFor(span)} AS "bucket" FROM (SELECT ${seconds(moment)} AS "created_at") AS "q"`,
    )
    .get() as { bucket: number };
  return new Date(buckets.startOf(row.bucket) * 1_000).toISOString().slice(0, 16);
};

describe('UsageBuckets', () => {
  it.each([
    ['quarter', 'UTC', '2026-03-28T10:15Z', '2026-03-28T10:15'],
    ['hour', 'UTC', '2026-03-28T10:45Z', '2026-03-28T10:00'],
    ['day', 'UTC', '2026-03-28T10:45Z', '2026-03-28T00:00'],
    ['day', BERLIN, '2026-03-28T22:45Z', '2026-03-27T23:00'],
    ['day', BERLIN, '2026-03-28T23:00Z', '2026-03-28T23:00'],
    ['day', BERLIN, '2026-03-29T21:45Z', '2026-03-28T23:00'],
    ['day', BERLIN, '2026-03-29T22:00Z', '2026-03-29T22:00'],
    ['hour', BERLIN, '2026-03-29T00:45Z', '2026-03-29T00:00'],
    ['hour', BERLIN, '2026-03-29T01:15Z', '2026-03-29T01:00'],
    ['hour', 'Asia/Kolkata', '2026-03-28T10:45Z', '2026-03-28T10:30'],
    ['day', 'America/New_York', '2026-03-28T03:45Z', '2026-03-27T04:00'],
  ] as const)('puts by %s in %s what happened at %s into the bucket of %s', (grain, zone, moment, start) => {
    expect(bucketOf(new UsageBuckets(grain, zone), moment)).toBe(start);
  });

  it('begins an hour with the change of clocks where that is by half an hour', () => {
    // Lord Howe Island puts its clocks back by half an hour on 4 April 2026 at 15:00 UTC.
    const span = { from: seconds('2026-04-04T00:00Z'), to: seconds('2026-04-05T00:00Z') };
    const buckets = new UsageBuckets('hour', 'Australia/Lord_Howe');
    expect(bucketOf(buckets, '2026-04-04T15:15Z', span)).toBe('2026-04-04T15:00');
    expect(bucketOf(buckets, '2026-04-04T15:45Z', span)).toBe('2026-04-04T15:30');
  });

  it('leaves one row of each bucket to all others, and shows one line at least', () => {
    const day = { from: 0, to: 86_399 };
    // 23 hours after the first, two for the ends: 25 rows a line.
    expect(new UsageBuckets('hour').linesWithin(250, day)).toBe(9);
    expect(new UsageBuckets('quarter').linesWithin(10, day)).toBe(1);
  });

  it('returns hours of the same zone for quarters, and nothing coarser than hours', () => {
    const hours = new UsageBuckets('quarter', 'Asia/Kolkata').coarser();
    expect(hours?.grain).toBe('hour');
    expect(bucketOf(hours as UsageBuckets, '2026-03-28T10:45Z')).toBe('2026-03-28T10:30');
    expect(hours?.coarser()).toBeUndefined();
  });
});

import { describe, expect, it } from '@jest/globals';
import { FakeClock } from '../../../test/support/fake-clock.js';
import { clearInBatches } from './clear-in-batches.js';
import type { JobLeases } from './job-leases.js';
import { JobOvertakenError, JobRun } from './job-run.js';

const BATCH = 500;

/** Every wait ends at once. */
class PassingClock extends FakeClock {
  readonly pauses: number[] = [];

  override after(delayMs: number, action: () => void): () => void {
    this.pauses.push(delayMs);
    this.advance(delayMs);
    action();
    return () => undefined;
  }
}

function setUp({
  due,
  batchMs,
  ownedBatches = Infinity,
}: {
  due: number;
  batchMs: number;
  ownedBatches?: number;
}) {
  const clock = new PassingClock();
  let left = due;
  let renewals = 0;
  const leases = { renew: async () => (renewals += 1) <= ownedBatches } as unknown as JobLeases;
  const run = new JobRun('clearing', 1, { leases, clock: new FakeClock(), renewEveryMs: 5_000 });
  const batch = async (): Promise<number> => {
    const count = Math.min(left, BATCH);
    if (count === 0) return 0;
    clock.advance(batchMs);
    left -= count;
    return count;
  };
  return { clock, run, clear: () => clearInBatches(clock, run, batch), left: () => left };
}

describe('clearing in batches', () => {
  it('clears in one run what a thousand calls a second leave in an hour, ten times the example of the backup', async () => {
    const { clear, left, run } = setUp({ due: 3_600_000, batchMs: 200 });
    expect(await clear()).toBe(3_600_000);
    expect(left()).toBe(0);
    expect(run.message).toBe('');
  });

  it('pauses after each batch as long as it took, a second at most', async () => {
    const quick = setUp({ due: 2 * BATCH, batchMs: 30 });
    await quick.clear();
    expect(quick.clock.pauses).toEqual([30, 30]);
    const slow = setUp({ due: BATCH, batchMs: 7_000 });
    await slow.clear();
    expect(slow.clock.pauses).toEqual([1_000]);
  });

  it('ends after 50 minutes and reports that more is due', async () => {
    const { clear, clock, left, run } = setUp({ due: 10_000_000, batchMs: 500 });
    const beganMs = clock.monotonicMs();
    const done = await clear();
    expect(clock.monotonicMs() - beganMs).toBe(3_000_500);
    expect([done, left()]).toEqual([1_500_500, 8_499_500]);
    expect(run.message).toBe(
      '1500500 rows were cleared in the time of one run; more are due, the next run goes on',
    );
  });

  it('clears nothing more once another worker has the job', async () => {
    const { clear, left } = setUp({ due: 5 * BATCH, batchMs: 10, ownedBatches: 2 });
    await expect(clear()).rejects.toThrow(JobOvertakenError);
    expect(left()).toBe(3 * BATCH);
  });
});

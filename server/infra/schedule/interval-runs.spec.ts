import { describe, expect, it } from '@jest/globals';
import { FakeClock } from '../../../test/support/fake-clock.js';
import { IntervalRuns } from './interval-runs.js';

function opened() {
  const clock = new FakeClock(1_000_000);
  return { clock, runs: new IntervalRuns('sweep', 60_000, clock) };
}

describe('IntervalRuns', () => {
  it('plans the first run one period after the timer began', () => {
    const { clock, runs } = opened();
    clock.advance(20_000);
    expect(runs.state).toEqual({
      name: 'sweep',
      periodMs: 60_000,
      outcome: '',
      message: '',
      startedAtMs: 0,
      endedAtMs: 0,
      nextAtMs: 1_060_000,
    });
    clock.advance(100_000);
    expect(runs.state.nextAtMs).toBe(1_120_000);
  });

  it('fails as the run does, at once or later, and remembers why in at most 500 characters', async () => {
    const { clock, runs } = opened();
    expect(() =>
      runs.note(() => {
        throw new Error('x'.repeat(600));
      }),
    ).toThrow(/^x{600}$/);
    expect(runs.state).toMatchObject({ outcome: 'failed', message: 'x'.repeat(500), endedAtMs: 1_000_000 });
    const run = runs.note(() => Promise.reject(new Error('away')));
    expect(runs.state.outcome).toBe('running');
    clock.advance(5_000);
    await expect(run).rejects.toThrow('away');
    expect(runs.state).toMatchObject({ outcome: 'failed', message: 'away', endedAtMs: 1_005_000 });
  });

  it('forgets a failure with the next run that ends well', async () => {
    const { clock, runs } = opened();
    await Promise.resolve(runs.note(() => Promise.reject(new Error('away')))).catch(() => undefined);
    clock.advance(60_000);
    expect(runs.note(() => undefined)).toBeUndefined();
    expect(runs.state).toMatchObject({
      outcome: 'done',
      message: '',
      startedAtMs: 1_060_000,
      nextAtMs: 1_120_000,
    });
  });
});

import { describe, expect, it } from '@jest/globals';
import { FakeClock } from '../../../test/support/fake-clock.js';
import { IntervalTurns } from './interval-turns.js';

function opened() {
  const clock = new FakeClock(1_000_000);
  return { clock, turns: new IntervalTurns('sweep', 60_000, clock) };
}

describe('IntervalTurns', () => {
  it('plans the first turn one period after the timer began', () => {
    const { clock, turns } = opened();
    clock.advance(20_000);
    expect(turns.state).toEqual({
      name: 'sweep',
      periodMs: 60_000,
      outcome: '',
      message: '',
      startedAtMs: 0,
      endedAtMs: 0,
      nextAtMs: 1_060_000,
    });
    clock.advance(100_000);
    expect(turns.state.nextAtMs).toBe(1_120_000);
  });

  it('fails as the turn does, at once or later, and remembers why in at most 500 characters', async () => {
    const { clock, turns } = opened();
    expect(() =>
      turns.note(() => {
        throw new Error('x'.repeat(600));
      }),
    ).toThrow(/^x{600}$/);
    expect(turns.state).toMatchObject({ outcome: 'failed', message: 'x'.repeat(500), endedAtMs: 1_000_000 });
    const turn = turns.note(() => Promise.reject(new Error('away')));
    expect(turns.state.outcome).toBe('running');
    clock.advance(5_000);
    await expect(turn).rejects.toThrow('away');
    expect(turns.state).toMatchObject({ outcome: 'failed', message: 'away', endedAtMs: 1_005_000 });
  });

  it('forgets a failure with the next turn that ends well', async () => {
    const { clock, turns } = opened();
    await Promise.resolve(turns.note(() => Promise.reject(new Error('away')))).catch(() => undefined);
    clock.advance(60_000);
    expect(turns.note(() => undefined)).toBeUndefined();
    expect(turns.state).toMatchObject({
      outcome: 'done',
      message: '',
      startedAtMs: 1_060_000,
      nextAtMs: 1_120_000,
    });
  });
});

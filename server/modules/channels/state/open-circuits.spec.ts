import { describe, expect, it } from '@jest/globals';
import { FakeClock } from '../../../../test/support/fake-clock.js';
import { ChannelCircuitBreaker } from './channel-circuit-breaker.js';
import { OpenCircuits } from './open-circuits.js';

describe('OpenCircuits', () => {
  it('lists what rests now, since when, and no longer than it rests', () => {
    const clock = new FakeClock();
    const breaker = new ChannelCircuitBreaker(clock);
    const circuits = new OpenCircuits(breaker, clock);
    const beganMs = clock.nowMs();
    breaker.restAtOnce({ channelId: 3, model: '' });
    clock.advance(1_000);
    breaker.restAsAsked({ channelId: 4, model: 'gpt 4o' }, 5_000);
    expect(circuits.list()).toEqual([
      { channelId: 3, model: '', sinceMs: beganMs },
      { channelId: 4, model: 'gpt 4o', sinceMs: beganMs + 1_000 },
    ]);
    clock.advance(5_000);
    expect(circuits.list()).toEqual([{ channelId: 3, model: '', sinceMs: beganMs }]);
    breaker.forget(3);
    expect(circuits.list()).toEqual([]);
  });

  it('lists a channel once, by the key that rests longest', () => {
    const clock = new FakeClock();
    const breaker = new ChannelCircuitBreaker(clock);
    const beganMs = clock.nowMs();
    breaker.restAtOnce({ channelId: 3, keyIndex: 0, model: '' });
    clock.advance(1_000);
    breaker.restAtOnce({ channelId: 3, keyIndex: 1, model: '' });
    expect(new OpenCircuits(breaker, clock).list()).toEqual([{ channelId: 3, model: '', sinceMs: beganMs }]);
  });
});

import { describe, expect, it } from '@jest/globals';
import { FakeClock } from '../../../test/support/fake-clock.js';
import type { RedisConnection } from './redis-connection.js';
import type { RedisPools } from './redis-pools.js';
import { RedisWindows } from './redis-windows.js';

function windows(answer: unknown = 0) {
  const clock = new FakeClock();
  const asked: unknown[] = [];
  const gate = {
    client: {},
    script: async (_script: unknown, keys: readonly string[], args: readonly unknown[]) => {
      asked.push([keys, args]);
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
  const pools = { windowKey: (key: string) => `w:${key}` };
  return {
    clock,
    asked,
    windows: new RedisWindows(gate as unknown as RedisConnection, pools as unknown as RedisPools, clock),
  };
}

describe('RedisWindows', () => {
  it('admits, or returns the milliseconds to wait', async () => {
    expect(await windows(0).windows.admit('k', 5, 1_000)).toEqual({ admitted: true });
    expect(await windows('250').windows.admit('k', 5, 1_000)).toEqual({ admitted: false, retryAfterMs: 250 });
  });

  it('records what comes within 20 ms in one go, counted per key', async () => {
    const { clock, asked, windows: counted } = windows();
    const sent = [counted.record('a', 1_000), counted.record('b', 2_000), counted.record('a', 1_000)];
    clock.advance(19);
    expect(asked).toEqual([]);
    clock.advance(1);
    await Promise.all(sent);
    expect(asked).toEqual([
      [
        ['w:a', 'w:b'],
        [1_000, 2, 2_000, 1],
      ],
    ]);
    const next = counted.record('a', 1_000);
    clock.advance(20);
    await next;
    expect(asked).toHaveLength(2);
  });

  it('rejects all callers whose record could not be kept, and continues', async () => {
    const { clock, windows: counted } = windows(new Error('away'));
    const sent = [counted.record('a', 1_000), counted.record('b', 1_000)];
    clock.advance(20);
    expect(await Promise.allSettled(sent)).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }]);
    const next = counted.record('a', 1_000);
    clock.advance(20);
    await expect(next).rejects.toThrow('away');
  });
});

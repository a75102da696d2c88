import { describe, expect, it } from '@jest/globals';
import { FakeClock } from '../../../test/support/fake-clock.js';
import { MemoryWindows } from './memory-windows.js';

const MINUTE_MS = 60_000;

function opened() {
  const clock = new FakeClock();
  return { clock, windows: new MemoryWindows(clock) };
}

describe('MemoryWindows', () => {
  it('refuses everything at a limit of zero, for the whole window, and counts none of it', async () => {
    const { windows } = opened();
    const refused = { admitted: false, retryAfterMs: MINUTE_MS };
    expect(await windows.admit('key', 0, MINUTE_MS)).toEqual(refused);
    expect(await windows.admit('key', 0, MINUTE_MS)).toEqual(refused);
    expect(await windows.count('key', MINUTE_MS)).toBe(0);
  });

  it('returns when the blocking place becomes free, which with a lowered limit is not the oldest', async () => {
    const { clock, windows } = opened();
    for (let call = 0; call < 3; call += 1) {
      expect(await windows.admit('key', 3, MINUTE_MS)).toEqual({ admitted: true });
      clock.advance(10_000);
    }
    expect(windows.look('key', 3, MINUTE_MS)).toEqual({ admitted: false, retryAfterMs: 30_000 });
    expect(windows.look('key', 1, MINUTE_MS)).toEqual({ admitted: false, retryAfterMs: 50_000 });
    clock.advance(30_000);
    expect(windows.look('key', 3, MINUTE_MS)).toEqual({ admitted: true });
    expect(windows.look('key', 1, MINUTE_MS)).toEqual({ admitted: false, retryAfterMs: 20_000 });
  });

  it('frees a place at the very millisecond its entry is as old as the window', async () => {
    const { clock, windows } = opened();
    await windows.admit('key', 1, MINUTE_MS);
    clock.advance(MINUTE_MS - 1);
    expect(windows.look('key', 1, MINUTE_MS)).toEqual({ admitted: false, retryAfterMs: 1 });
    clock.advance(1);
    expect(windows.look('key', 1, MINUTE_MS)).toEqual({ admitted: true });
  });

  it('keeps what a longer window of the same key still counts', async () => {
    const { clock, windows } = opened();
    await windows.record('key', 10 * MINUTE_MS);
    clock.advance(2 * MINUTE_MS);
    expect(await windows.count('key', MINUTE_MS)).toBe(0);
    expect(await windows.count('key', 10 * MINUTE_MS)).toBe(1);
  });

  it('counts entries as of the latest one when the clock was set back', async () => {
    const { clock, windows } = opened();
    await windows.record('key', MINUTE_MS);
    clock.advance(-30_000);
    await windows.record('key', MINUTE_MS);
    clock.advance(MINUTE_MS);
    expect(await windows.count('key', MINUTE_MS)).toBe(2);
    clock.advance(30_000);
    expect(await windows.count('key', MINUTE_MS)).toBe(0);
  });

  it('forgets a key that is reset, and no other', async () => {
    const { windows } = opened();
    await windows.record('one', MINUTE_MS);
    await windows.record('other', MINUTE_MS);
    await windows.reset('one');
    expect(await windows.count('one', MINUTE_MS)).toBe(0);
    expect(await windows.count('other', MINUTE_MS)).toBe(1);
  });
});

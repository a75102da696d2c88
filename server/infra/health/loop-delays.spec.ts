import { describe, expect, it } from '@jest/globals';
import { LoopDelays, WINDOW_MS } from './event-loop-watch.js';

function recorded(...delays: readonly number[]): LoopDelays {
  const loop = new LoopDelays(10);
  delays.forEach((delayMs, index) => loop.record(delayMs, index * 10));
  return loop;
}

describe('LoopDelays', () => {
  it('returns no delay before one was recorded', () => {
    const loop = recorded();
    expect([loop.p99Ms(0), loop.lostMs(0, 0), loop.longestMs(0)]).toEqual([0, 0, 0]);
  });

  it('takes one long turn for no overload, and two for one', () => {
    expect([recorded(900).p99Ms(0), recorded(900).longestMs(0)]).toEqual([0, 900]);
    expect(recorded(1, 900, 2).p99Ms(20)).toBe(2);
    expect(recorded(800, 1, 900).p99Ms(20)).toBe(800);
  });

  it('leaves out the latest of each hundred turns', () => {
    const loop = new LoopDelays(10);
    for (let turn = 0; turn < 300; turn += 1) loop.record(turn, turn * 10);
    // 299, 298 and 297 are left out.
    expect(loop.p99Ms(2_990)).toBe(296);
  });

  it('adds up delays above the limit, and counts an early turn as on time', () => {
    const loop = recorded(-5, 20, 50, 21);
    expect([loop.lostMs(20, 30), loop.lostMs(-1, 30), loop.longestMs(30)]).toEqual([71, 91, 50]);
  });

  it('forgets after ten seconds', () => {
    const loop = recorded(70, 60);
    expect(loop.longestMs(WINDOW_MS - 1)).toBe(70);
    expect(loop.longestMs(WINDOW_MS)).toBe(60);
    expect(loop.longestMs(WINDOW_MS + 10)).toBe(0);
  });
});

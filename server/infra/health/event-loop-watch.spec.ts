import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { FakeClock } from '../../../test/support/fake-clock.js';
import { DegradedModes } from '../observability/degraded-modes.js';
import { EventLoopWatch } from './event-loop-watch.js';
import { MetricsRegistry } from '../observability/metrics-registry.js';

const TURN_MS = 50;

/** A loop that turns; the test says how late. */
function loop() {
  const modes = new DegradedModes(new FakeClock());
  const watch = new EventLoopWatch(modes, new MetricsRegistry());
  const sheds: boolean[] = [];
  watch.onOverload((isOverloaded) => sheds.push(isOverloaded));
  let nowMs = 50_000;
  let cpuMs = 0;
  /** @param busy  how much of that time it worked itself */
  const turns = (count: number, delayMs: number, busy = 0.9): void => {
    for (let done = 0; done < count; done += 1) {
      nowMs += TURN_MS + delayMs;
      cpuMs += (TURN_MS + delayMs) * busy;
      watch.observe(delayMs, nowMs, () => cpuMs);
    }
  };
  return { modes, watch, sheds, turns };
}

beforeAll(() => Logger.overrideLogger(false));
afterAll(() => Logger.overrideLogger(['log', 'warn', 'error', 'fatal']));

describe('the watch over the event loop', () => {
  it('leaves a loop alone that was late once or by little', () => {
    const { watch, sheds, modes, turns } = loop();
    turns(160, 5);
    turns(1, 1_500);
    turns(160, 150);
    expect(sheds).toEqual([]);
    expect(watch.isBlocked).toBe(false);
    expect(modes.list()).toEqual([]);
  });

  it('sheds new calls while more than one turn in a hundred is later than 200 ms, and takes them again afterwards', () => {
    const { sheds, modes, turns } = loop();
    turns(120, 2);
    turns(12, 250);
    expect(sheds).toEqual([true]);
    expect(modes.has('event-loop-slow')).toBe(true);
    turns(240, 2);
    expect(sheds).toEqual([true, false]);
    expect(modes.list()).toEqual([]);
  });

  it('does not shed what other programs on the machine are to blame for', () => {
    const { sheds, turns } = loop();
    turns(120, 2, 0.05);
    turns(60, 400, 0.05);
    expect(sheds).toEqual([]);
  });

  it('reports not ready after one turn of three seconds, until ten seconds have gone by [F-73]', () => {
    const { watch, turns } = loop();
    turns(120, 2);
    turns(1, 3_000);
    expect(watch.isBlocked).toBe(true);
    turns(160, 2);
    expect(watch.isBlocked).toBe(true);
    turns(40, 2);
    expect(watch.isBlocked).toBe(false);
  });
});

import { describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { FakeClock } from '../../../test/support/fake-clock.ts';
import { CorrectedClock } from '../clock/system-clock.js';
import { MemorySharedStore } from '../shared-store/memory-shared-store.js';
import { ClockWatch, ReferenceClocks } from './clock-watch.js';
import { DegradedModes } from '../observability/degraded-modes.js';
import type { EventLoopWatch } from './event-loop-watch.js';
import { MetricsRegistry } from '../observability/metrics-registry.js';
import { Readiness } from './readiness.js';

const NOON_MS = Date.UTC(2026, 0, 1, 12);

/** A machine, a database server with a clock of its own, and a watch that compares them. */
function twoClocks(aheadMs: number) {
  const machine = new FakeClock(NOON_MS + aheadMs);
  const clock = new CorrectedClock(machine);
  const modes = new DegradedModes(clock);
  const server = { nowMs: NOON_MS, isAway: false };
  const dataSource = {
    options: { type: 'postgres' },
    query: () =>
      server.isAway
        ? Promise.reject(new Error('connection refused'))
        : Promise.resolve([{ moment: String(server.nowMs) }]),
  } as unknown as DataSource;
  const readiness = new Readiness(dataSource, { isBlocked: false } as EventLoopWatch, modes);
  const store = new MemorySharedStore(clock, 'memory:1');
  const watch = new ClockWatch(
    new ReferenceClocks(dataSource, store),
    modes,
    new MetricsRegistry(),
    clock,
    readiness,
  );
  return { machine, clock, modes, server, watch, readiness };
}

describe('the time of the application', () => {
  it.each([3_600_000, -3_600_000, 31_000, -29_000])(
    'follows the database, %d ms away from the machine',
    async (aheadMs) => {
      const { clock, watch } = twoClocks(aheadMs);
      await watch.look();
      expect(Math.abs(clock.nowMs() - NOON_MS)).toBeLessThanOrEqual(50);
      expect(clock.machineMs()).toBe(NOON_MS + aheadMs);
    },
  );

  it('stays corrected as it was last measured while the database does not answer', async () => {
    const { machine, clock, modes, server, watch } = twoClocks(3_600_000);
    await watch.look();
    server.isAway = true;
    machine.advance(120_000);
    await expect(watch.look()).rejects.toThrow('connection refused');
    expect(Math.abs(clock.nowMs() - (NOON_MS + 120_000))).toBeLessThanOrEqual(50);
    expect(modes.has('clock-skewed')).toBe(true);
  });

  it('ignores differences below the precision of the measurement, and follows larger ones', async () => {
    const { clock, server, watch } = twoClocks(200);
    await watch.look();
    expect(clock.correctionMs).toBe(0);
    server.nowMs -= 10_000;
    await watch.look();
    expect(Math.abs(clock.correctionMs - 10_200)).toBeLessThanOrEqual(50);
  });
});

describe('an instance whose clock is off', () => {
  it.each([
    [31_000, false],
    [-31_000, false],
    [29_000, true],
    [-29_000, true],
    [0, true],
  ])('decides about readiness when its clock is off by %d ms: %s', async (aheadMs, isReady) => {
    const { modes, watch, readiness } = twoClocks(aheadMs);
    await watch.look();
    expect(readiness.reasons).toEqual(isReady ? [] : ['clock-skewed']);
    expect(await readiness.isReady()).toBe(isReady);
    expect(modes.has('clock-skewed')).toBe(!isReady);
  });

  it('becomes ready again when its clock is right', async () => {
    const { machine, modes, server, watch, readiness } = twoClocks(-60_000);
    await watch.look();
    expect(await readiness.isReady()).toBe(false);
    machine.advance(60_000);
    await watch.look();
    expect([await readiness.isReady(), modes.list(), server.isAway]).toEqual([true, [], false]);
  });
});

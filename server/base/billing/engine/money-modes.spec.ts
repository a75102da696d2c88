import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { FakeClock } from '../../../../test/support/fake-clock.js';
import { DegradedModes } from '../../../infra/observability/degraded-modes.js';
import type { Readiness } from '../../../infra/health/readiness.js';
import { MoneyModes } from './money-modes.js';
import type { MoneyService } from './money.service.js';

function moneyWithDisk() {
  const spool = { isAccepting: true };
  const flusher = { isBacklogged: false, pauseMs: 0, oldestSettledAtMs: undefined };
  const clock = new FakeClock();
  const modes = new DegradedModes(clock);
  const conditions: (() => boolean)[] = [];
  const readiness: Pick<Readiness, 'require'> = { require: (condition) => void conditions.push(condition) };
  const watch = new MoneyModes(
    { spool, flusher } as unknown as MoneyService,
    modes,
    clock,
    readiness as Readiness,
  );
  watch.onApplicationBootstrap();
  return { spool, flusher, modes, watch, isReady: () => conditions.every((condition) => condition()) };
}

describe('money that cannot be written down', () => {
  beforeAll(() => Logger.overrideLogger(false));
  afterAll(() => Logger.overrideLogger(['log', 'warn', 'error', 'fatal']));

  it('reports a full disk, and takes the instance out of the balancer until there is room again [F-67]', () => {
    const { spool, modes, watch, isReady } = moneyWithDisk();
    expect(isReady()).toBe(true);
    spool.isAccepting = false;
    expect(isReady()).toBe(false);
    watch.look();
    expect(modes.has('spool-full')).toBe(true);
    spool.isAccepting = true;
    watch.look();
    expect(isReady()).toBe(true);
    expect(modes.has('spool-full')).toBe(false);
    watch.beforeApplicationShutdown();
  });

  it('reports calls slowed down to the pace of booking, and keeps the instance in the balancer [F-64]', () => {
    const { flusher, modes, watch, isReady } = moneyWithDisk();
    flusher.pauseMs = 7;
    watch.look();
    expect(modes.has('settlements-waiting')).toBe(true);
    expect(modes.list()[0]?.cause).toMatch(/slowed down/);
    expect(isReady()).toBe(true);
    flusher.pauseMs = 0;
    watch.look();
    expect(modes.list()).toEqual([]);
    watch.beforeApplicationShutdown();
  });
});

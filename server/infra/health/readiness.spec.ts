import { beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { FakeClock } from '../../../test/support/fake-clock.js';
import { type DegradedMode, DegradedModes } from '../observability/degraded-modes.js';
import type { EventLoopWatch } from './event-loop-watch.js';
import { Readiness } from './readiness.js';

describe('Readiness', () => {
  let modes: DegradedModes;
  let loop: { isBlocked: boolean };
  let database: () => Promise<unknown>;
  let asked: number;
  let readiness: Readiness;

  beforeEach(() => {
    Logger.overrideLogger(false);
    modes = new DegradedModes(new FakeClock());
    loop = { isBlocked: false };
    asked = 0;
    database = async () => [];
    const query = () => {
      asked += 1;
      return database();
    };
    readiness = new Readiness({ query } as unknown as DataSource, loop as unknown as EventLoopWatch, modes);
  });

  it('receives traffic while its database answers', async () => {
    expect(await readiness.isReady()).toBe(true);
    database = () => Promise.reject(new Error('away'));
    expect(await readiness.isReady()).toBe(false);
  });

  it.each<[DegradedMode, boolean]>([
    ['database-away', false],
    ['database-behind', false],
    ['database-read-only', true],
    ['shared-store-away', true],
    ['database-slow', true],
  ])(
    'receives traffic in the mode %s: %s, and queries the database only if it may',
    async (mode, isReady) => {
      modes.set(mode, 'seen');
      expect(await readiness.isReady()).toBe(isReady);
      expect(asked).toBe(isReady ? 1 : 0);
      expect(readiness.reasons).toEqual(isReady ? [] : [mode]);
    },
  );

  it('receives none while it stands still, or a condition of a module is not met', async () => {
    loop.isBlocked = true;
    expect(await readiness.isReady()).toBe(false);
    loop.isBlocked = false;
    let hasRoom = false;
    readiness.require(() => hasRoom, 'spool-full');
    expect([await readiness.isReady(), readiness.reasons]).toEqual([false, ['spool-full']]);
    hasRoom = true;
    expect(await readiness.isReady()).toBe(true);
  });

  it('receives none from the moment it begins to stop, and refuses what comes once it closes', async () => {
    readiness.beginStopping();
    expect([readiness.stopping, readiness.closing, await readiness.isReady()]).toEqual([true, false, false]);
    readiness.beginClosing();
    readiness.beginStopping();
    expect([readiness.stopping, readiness.closing]).toEqual([true, true]);
  });
});

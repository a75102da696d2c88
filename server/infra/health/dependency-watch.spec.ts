import { beforeEach, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { FakeClock } from '../../../test/support/fake-clock.js';
import { DatabaseBusyError } from '../database/connection-acquire-limit.js';
import type { SharedStore } from '../shared-store/shared-store.js';
import { DegradedModes } from '../observability/degraded-modes.js';
import { DependencyWatch } from './dependency-watch.js';

/** Behaviour of the database on a query. */
type Behaviour = 'answers' | 'hangs' | 'refuses' | 'no connection is free';

describe('whether the database is there', () => {
  let clock: FakeClock;
  let modes: DegradedModes;
  let watch: DependencyWatch;
  let behaviour: Behaviour;

  beforeEach(() => {
    clock = new FakeClock();
    modes = new DegradedModes(clock);
    const dataSource = {
      options: { type: 'mysql' },
      query: (): Promise<unknown> => {
        if (behaviour === 'answers') return Promise.resolve([]);
        if (behaviour === 'refuses') return Promise.reject(new Error('connect ECONNREFUSED'));
        if (behaviour === 'hangs') return new Promise(() => undefined);
        return Promise.reject(new DatabaseBusyError('no connection was free in time'));
      },
    } as unknown as DataSource;
    watch = new DependencyWatch(
      dataSource,
      { fault: null, concern: null } as unknown as SharedStore,
      clock,
      modes,
    );
  });

  async function look(next: Behaviour): Promise<boolean> {
    behaviour = next;
    const looking = watch.look();
    if (next === 'hangs') clock.advance(3_000);
    await looking;
    return modes.has('database-away');
  }

  it('stays away after a hang when all connections wait for it and it is not even queried [F-66]', async () => {
    expect(await look('answers')).toBe(false);
    expect(await look('hangs')).toBe(true);
    for (let turn = 0; turn < 5; turn += 1) expect(await look('no connection is free')).toBe(true);
    expect(await look('refuses')).toBe(true);
    expect(await look('answers')).toBe(false);
  });

  it('there, it is slow and not away when no connection is free [F-64]', async () => {
    await look('answers');
    for (let turn = 0; turn < 3; turn += 1) expect(await look('no connection is free')).toBe(false);
    expect(modes.has('database-slow')).toBe(true);
    for (let turn = 0; turn < 2; turn += 1) await look('answers');
    expect(modes.has('database-slow')).toBe(false);
  });
});

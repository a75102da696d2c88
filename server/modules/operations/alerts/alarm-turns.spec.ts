import { describe, expect, it } from '@jest/globals';
import { FakeClock } from '../../../../test/support/fake-clock.js';
import type { Env } from '../../../config/env.js';
import { MemorySharedStore } from '../../../infra/shared-store/memory-shared-store.js';
import type { SharedStore } from '../../../infra/shared-store/shared-store.js';
import { AlarmTurns } from './alarm-turns.js';

const turnsOf = (workerIndex: number, store: SharedStore): AlarmTurns =>
  new AlarmTurns(store, { workerIndex } as unknown as Env);

const failing = (leases: object): SharedStore => ({ leases }) as unknown as SharedStore;

describe('AlarmTurns', () => {
  it('goes to whoever gets the lease, for each alarm', async () => {
    const store = new MemorySharedStore(new FakeClock(), 'epoch');
    const [one, other] = [turnsOf(3, store), turnsOf(0, store)];
    expect(await one.isOurs('database-away')).toBe(true);
    expect(await other.isOurs('database-away')).toBe(false);
    expect(await other.isOurs('alerts')).toBe(true);
  });

  it('is anybody’s again as soon as what was wrong is over', async () => {
    const store = new MemorySharedStore(new FakeClock(), 'epoch');
    const [one, other] = [turnsOf(0, store), turnsOf(1, store)];
    await one.isOurs('database-away');
    await other.end('database-away');
    expect(await other.isOurs('database-away')).toBe(false);
    await one.end('database-away');
    expect(await other.isOurs('database-away')).toBe(true);
  });

  it('goes to the first worker while there are no leases', async () => {
    const away = () => Promise.reject(new Error('away'));
    expect(await turnsOf(0, failing({ acquire: away })).isOurs('database-away')).toBe(true);
    expect(await turnsOf(1, failing({ acquire: away })).isOurs('database-away')).toBe(false);
  });

  it('ends though the store is away by then', async () => {
    const release = () => Promise.reject(new Error('away'));
    const turns = turnsOf(0, failing({ acquire: async () => ({ release }) }));
    await turns.isOurs('database-away');
    await expect(turns.end('database-away')).resolves.toBeUndefined();
  });
});

import { describe, expect, it } from '@jest/globals';
import { FakeClock } from '../../../../test/support/fake-clock.js';
import type { Env } from '../../../config/env.js';
import { MemorySharedStore } from '../../../infra/shared-store/memory-shared-store.js';
import type { SharedStore } from '../../../infra/shared-store/shared-store.js';
import { AlarmLeases } from './alarm-leases.js';

const leasesOf = (workerIndex: number, store: SharedStore): AlarmLeases =>
  new AlarmLeases(store, { workerIndex } as unknown as Env);

const failing = (leases: object): SharedStore => ({ leases }) as unknown as SharedStore;

describe('AlarmLeases', () => {
  it('grants each alarm to the worker with its lease', async () => {
    const store = new MemorySharedStore(new FakeClock(), 'epoch');
    const [one, other] = [leasesOf(3, store), leasesOf(0, store)];
    expect(await one.acquire('database-away')).toBe(true);
    expect(await other.acquire('database-away')).toBe(false);
    expect(await other.acquire('alerts')).toBe(true);
  });

  it('grants the lease again after the alert is resolved', async () => {
    const store = new MemorySharedStore(new FakeClock(), 'epoch');
    const [one, other] = [leasesOf(0, store), leasesOf(1, store)];
    await one.acquire('database-away');
    await other.release('database-away');
    expect(await other.acquire('database-away')).toBe(false);
    await one.release('database-away');
    expect(await other.acquire('database-away')).toBe(true);
  });

  it('grants an alarm to the first worker while there are no leases', async () => {
    const away = () => Promise.reject(new Error('away'));
    expect(await leasesOf(0, failing({ acquire: away })).acquire('database-away')).toBe(true);
    expect(await leasesOf(1, failing({ acquire: away })).acquire('database-away')).toBe(false);
  });

  it('ends though the store is away by then', async () => {
    const release = () => Promise.reject(new Error('away'));
    const leases = leasesOf(0, failing({ acquire: async () => ({ release }) }));
    await leases.acquire('database-away');
    await expect(leases.release('database-away')).resolves.toBeUndefined();
  });
});

import { describe, expect, it } from '@jest/globals';
import type { Env } from '../../../config/env.js';
import type { SharedStore } from '../../../infra/shared-store/shared-store.js';
import { AlarmTurns } from './alarm-turns.js';

function turnsOf(workerIndex: number, acquire: () => Promise<object | null>): AlarmTurns {
  return new AlarmTurns({ leases: { acquire } } as unknown as SharedStore, { workerIndex } as unknown as Env);
}

describe('AlarmTurns', () => {
  it('goes to whoever gets the lease', async () => {
    expect(await turnsOf(3, async () => ({})).isOurs('database-away')).toBe(true);
    expect(await turnsOf(0, async () => null).isOurs('database-away')).toBe(false);
  });

  it('goes to the first worker while there are no leases', async () => {
    const away = () => Promise.reject(new Error('away'));
    expect(await turnsOf(0, away).isOurs('database-away')).toBe(true);
    expect(await turnsOf(1, away).isOurs('database-away')).toBe(false);
  });
});

import { describe, expect, it } from '@jest/globals';
import { FakeClock } from '../../../../test/support/fake-clock.js';
import { StoreUnavailableError } from '../../../infra/shared-store/shared-store.js';
import { LedgerMaintenance } from './ledger-maintenance.js';

type Ports = ConstructorParameters<typeof LedgerMaintenance>[0];

function upkeep() {
  const clock = new FakeClock();
  const done: string[] = [];
  const faults: string[] = [];
  const state = {
    isAgreed: true,
    isFirst: false,
    isAvailable: true,
    isLeader: true,
    storeAway: false,
    beatFails: false,
  };
  const act = (name: string) => async () => void done.push(name);
  const ports = {
    clock,
    dataSource: { transaction: async () => undefined },
    store: {
      get isAvailable() {
        return state.isAvailable;
      },
      leases: {
        acquire: async (name: string) => {
          if (state.storeAway) throw new StoreUnavailableError('away');
          return state.isLeader ? { release: act(`released ${name}`) } : null;
        },
      },
      pools: {
        list: async function* () {
          yield { userId: 7, tokenId: null };
        },
        discard: act('discarded'),
      },
    },
    recovery: {
      adoptDeadSpools: act('adopted'),
      reapLostWorkers: act('reaped'),
      reclaimLostEpochs: act('lost epochs'),
      reclaimStranded: act('stranded'),
      discardUncovered: act('uncovered'),
      releaseUnheld: act('unheld'),
    },
    instances: {
      heartbeat: async () => {
        if (state.beatFails) throw new Error('database away');
      },
      look: async () => undefined,
      isFirst: async () => state.isFirst,
    },
    storeAgreement: {
      watch: async () => undefined,
      get isAgreed() {
        return state.isAgreed;
      },
    },
    inFlight: { reservations: () => [] },
    poolReturns: { returnPool: async (_pool: unknown, idleMs: number) => (idleMs === 60_000 ? 5 : 1) },
    callReservations: { takeVoided: () => [{}] },
    numbers: { note: async () => undefined },
    onFault: (message: string) => faults.push(message),
  };
  const maintenance = new LedgerMaintenance(ports as unknown as Ports);
  maintenance.start();
  /** Second by second, so that work that ended is planned again. */
  const pass = async (seconds: number): Promise<void> => {
    for (let second = 0; second < seconds; second += 1) {
      clock.advance(1_000);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { maintenance, state, done, faults, pass };
}

describe('LedgerMaintenance', () => {
  it('takes workers for dead or lost only after this worker was well for a minute', async () => {
    const { done, pass } = upkeep();
    await pass(59);
    expect(done).toEqual(expect.arrayContaining(['adopted', 'unheld', 'lost epochs', 'uncovered']));
    expect(done).not.toContain('reaped');
    expect(done).not.toContain('stranded');
    await pass(32);
    expect(done).toEqual(expect.arrayContaining(['reaped', 'stranded']));
  });

  it('waits as long again after a fault of the database', async () => {
    const { state, done, faults, pass } = upkeep();
    state.beatFails = true;
    await pass(45);
    state.beatFails = false;
    await pass(50);
    expect(faults).toEqual(['the heartbeat failed', 'the heartbeat failed']);
    expect(done).not.toContain('reaped');
    await pass(30);
    expect(done).toContain('reaped');
  });

  it('takes no pool for lost while another store is in use', async () => {
    const { state, done, pass } = upkeep();
    state.isAgreed = false;
    await pass(120);
    expect(done).toContain('uncovered');
    expect(done).not.toContain('lost epochs');
    expect(done).not.toContain('stranded');
  });

  it('leaves to the leader what one worker does for all', async () => {
    const { state, done, pass } = upkeep();
    state.isLeader = false;
    await pass(120);
    expect(new Set(done)).toEqual(new Set(['unheld', 'discarded']));
  });

  it('gives leadership back after each turn', async () => {
    const { done, pass } = upkeep();
    await pass(30);
    expect(done.filter((act) => act === 'released money-sweep')).toHaveLength(3);
    expect(done.filter((act) => act === 'released money-reaper')).toHaveLength(1);
  });

  it('lets the first of the living recover the dead while the store is away, and sweeps nothing', async () => {
    const { state, done, faults, pass } = upkeep();
    Object.assign(state, { storeAway: true, isAvailable: false });
    await pass(90);
    expect(new Set(done)).toEqual(new Set(['unheld']));
    state.isFirst = true;
    await pass(60);
    expect(new Set(done)).toEqual(new Set(['unheld', 'adopted', 'reaped']));
    expect(faults).toEqual([]);
  });

  it('discards pools that were voided while the store was away, once it is back', async () => {
    const { state, done, pass } = upkeep();
    state.isAvailable = false;
    await pass(10);
    expect(done).not.toContain('discarded');
    state.isAvailable = true;
    await pass(3);
    expect(done).toContain('discarded');
  });

  it('returns pools that were idle for a minute', async () => {
    expect(await upkeep().maintenance.returnIdlePools(60_000)).toBe(5);
  });

  it('does nothing more once it is stopped', async () => {
    const { maintenance, done, pass } = upkeep();
    maintenance.stop();
    await pass(120);
    expect(done).toEqual([]);
  });
});

import { describe, expect, it, jest } from '@jest/globals';
import 'reflect-metadata';
import type { PoolReturn } from '../../server/infra/shared-store/shared-store.js';
import { simulate } from './simulation.js';

jest.setTimeout(180_000);

const STEPS = 20_000;

describe('the money module in a world where workers die at any step', () => {
  it.each([11, 12, 13])('seed %i: nothing is lost and nothing is doubled', async (seed) => {
    const report = await simulate({ seed, steps: STEPS });
    expect(report.faults).toEqual([]);
    // It must have been dangerous, and some of it must have gone well.
    expect(report.crashes).toBeGreaterThan(20);
    expect(report.brokenConnections).toBeGreaterThan(2);
    expect(report.charged).toBeGreaterThan(200);
    expect(report.recovered).toBeGreaterThan(30);
    expect(report.movements).toBeGreaterThan(60);
    expect(report.slicedCalls).toBeGreaterThan(10);
  });

  it('the same seed gives the same run', async () => {
    const settings = { seed: 7, steps: 2_000, epochSteps: 2_000 };
    const { elapsedMs: _first, ...once } = await simulate(settings);
    const { elapsedMs: _second, ...again } = await simulate(settings);
    expect(again).toEqual(once);
  });
});

describe('what the simulator would notice', () => {
  it('a charge that is not booked', async () => {
    const report = await simulate({
      seed: 21,
      steps: 5_000,
      tamper: ({ engine }) => {
        let count = 0;
        const { flusher, spool } = engine;
        const enqueue = flusher.enqueue.bind(flusher);
        flusher.enqueue = (record) => {
          count += 1;
          if (count % 20 === 7) spool.complete(record.document.request_id);
          else enqueue(record);
        };
      },
    });
    expect(report.faults).toContainEqual(expect.stringMatching(/call id-\d+: not charged, seen \d+/));
  });

  it('a refund that is made as often as it is asked for', async () => {
    const report = await simulate({
      seed: 22,
      steps: 5_000,
      tamper: ({ money }) => {
        const credit = money.credit.bind(money);
        let count = 0;
        money.credit = (manager, movement) => {
          count += 1;
          return credit(manager, { ...movement, ref: `${movement.ref}-${count}` });
        };
      },
    });
    expect(report.faults).toContainEqual(expect.stringMatching(/nobody asked for refund/));
    expect(report.faults).toContainEqual(expect.stringMatching(/was confirmed to \d/));
  });

  it('detects money that stays out of reach', async () => {
    const report = await simulate({
      seed: 25,
      steps: 20_000,
      tamper: ({ engine }) => {
        engine.recovery.reclaimStranded = () => Promise.resolve(0);
      },
    });
    expect(report.faults).toContainEqual(expect.stringContaining('left open'));
  });

  it('detects slices that do not report their use', async () => {
    const faults: string[] = [];
    // A slice in use when the pools are compared is chance: most worlds have one.
    for (const seed of [26, 27, 28]) {
      const report = await simulate({
        seed,
        steps: 30_000,
        tamper: ({ store: { pools } }) => {
          const tell = pools.report.bind(pools);
          pools.report = (reports) => tell(reports.map((one) => ({ ...one, used: 0 })));
        },
      });
      faults.push(...report.faults);
    }
    expect(faults).toContainEqual(expect.stringMatching(/pool of id-\d+: can spend \d+/));
  });

  it('slices of dead workers that go back whole, whatever their calls used', async () => {
    const faults: string[] = [];
    for (const seed of [26, 27, 28]) {
      const report = await simulate({
        seed,
        steps: 40_000,
        tamper: ({ engine, store }) => {
          const { pools } = store;
          const settle = pools.settle.bind(pools);
          const adopt = engine.recovery.adoptDeadSpools.bind(engine.recovery);
          const whole = (returns: readonly PoolReturn[]): Promise<void> =>
            settle(
              returns.map((one) =>
                one.callId.startsWith('slice-') ? { ...one, unused: Number.MAX_SAFE_INTEGER } : one,
              ),
            );
          engine.recovery.adoptDeadSpools = () => {
            pools.settle = whole;
            return adopt();
          };
        },
      });
      faults.push(...report.faults);
    }
    expect(faults).toContainEqual(expect.stringMatching(/pool of id-\d+: can spend \d+/));
  });
});

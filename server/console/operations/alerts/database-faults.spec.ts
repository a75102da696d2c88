import { describe, expect, it } from '@jest/globals';
import { FakeClock } from '../../../../test/support/fake-clock.js';
import { DegradedModes } from '../../../infra/observability/degraded-modes.js';
import type { StoreProbe } from '../fleet/store-probe.js';
import type { WorkerIdentity } from '../fleet/worker-identity.js';
import { DatabaseFaults } from './database-faults.js';

function faultsOf({ awaySinceMs }: { readonly awaySinceMs?: number }) {
  const modes = new DegradedModes(new FakeClock());
  const faults = new DatabaseFaults({ awaySinceMs: () => awaySinceMs } as unknown as StoreProbe, modes, {
    describe: () => ({ host: 'h', instance: 'i', worker: 2 }),
  } as unknown as WorkerIdentity);
  return { faults, modes };
}

describe('DatabaseFaults', () => {
  it('finds nothing while the database answers and takes changes', () => {
    expect(faultsOf({}).faults.findings()).toEqual([]);
  });

  it('finds a database that is away, since it did not answer', () => {
    const [finding] = faultsOf({ awaySinceMs: 7_000 }).faults.findings();
    expect(finding).toMatchObject({ rule: 'database-away', severity: 'fault', sinceMs: 7_000 });
  });

  it('finds a database that takes no changes, and names the worker that noticed', () => {
    const { faults, modes } = faultsOf({});
    modes.set('database-read-only', 'x'.repeat(400));
    modes.set('database-slow', 'another matter');
    const facts = { mode: 'database-read-only', workers: 'h (i) #2', cause: 'x'.repeat(300) };
    expect(faults.findings()).toEqual([expect.objectContaining({ rule: 'degraded-mode', facts })]);
  });
});

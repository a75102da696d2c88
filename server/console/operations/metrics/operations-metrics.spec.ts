import { describe, expect, it } from '@jest/globals';
import { FakeClock } from '../../../../test/support/fake-clock.js';
import { MetricsRegistry } from '../../../infra/observability/metrics-registry.js';
import type { JobRunner } from '../../../infra/schedule/job-runner.js';
import type { AuditLog } from '../../../base/audit/audit-log.js';
import type { AlertStore } from '../alerts/alert-store.js';
import { OperationsMetrics } from './operations-metrics.js';

describe('OperationsMetrics', () => {
  const clock = new FakeClock();
  const figures = new MetricsRegistry();
  const endedAtMs = clock.nowMs() - 7_000;
  new OperationsMetrics(
    figures,
    clock,
    {
      states: async () => [
        { name: 'sweep', endedAtMs, outcome: 'done' },
        { name: 'books', endedAtMs, outcome: 'failed' },
        { name: 'new', endedAtMs: 0, outcome: '' },
      ],
    } as unknown as JobRunner,
    { open: async () => [{}, {}] } as unknown as AlertStore,
    { recorded: new Map([['login.fail', 3]]) } as unknown as AuditLog,
  );

  it('exports age and failure of every job that ran', async () => {
    const of = async (name: string) =>
      (await figures.samples(name)).map(({ labels, value }) => [labels['job_name'], value]);
    expect(await of('tollgate_job_age_seconds')).toEqual([
      ['books', 7],
      ['sweep', 7],
    ]);
    expect(await of('tollgate_job_failed')).toEqual([
      ['books', 1],
      ['sweep', 0],
    ]);
  });

  it('counts alerts that last, and acts by their names', async () => {
    expect(await figures.samples('tollgate_alerts_open')).toMatchObject([{ value: 2 }]);
    expect(await figures.samples('tollgate_audit_entries_total')).toMatchObject([
      { labels: { action: 'login.fail' }, value: 3 },
    ]);
  });
});

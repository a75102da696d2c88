import { Injectable } from '@nestjs/common';
import { cachedReading } from '../../../infra/clock/cached-reading.js';
import { MetricsRegistry, type Sample } from '../../../infra/observability/metrics-registry.js';
import { JobRunner } from '../../../infra/schedule/job-runner.js';
import { Clock } from '../../../common/clock.js';
import { AuditLog } from '../../../base/audit/audit-log.js';
import { AlertStore } from '../alerts/alert-store.js';
import { listJobs } from '../fleet/job-states.js';
import type { JobState } from '../model/observation.js';

/** Jobs, alerts, and what the audit log recorded, as figures. Jobs and alerts are the same on every worker: take the largest, not the sum. */
@Injectable()
export class OperationsMetrics {
  constructor(figures: MetricsRegistry, clock: Clock, jobs: JobRunner, alerts: AlertStore, audit: AuditLog) {
    const states = cachedReading(clock, () => listJobs(jobs));
    const perJob = (read: (job: JobState) => number) => async (): Promise<readonly Sample[]> =>
      (await states())
        .filter(({ endedAtMs }) => endedAtMs > 0)
        .map((job) => ({ labels: { job_name: job.name }, value: read(job) }));
    figures.gauge(
      'tollgate_job_age_seconds',
      'How long ago a recurring job of all instances ended.',
      perJob(({ endedAtMs }) => Math.max(0, clock.nowMs() - endedAtMs) / 1_000),
      ['job_name'],
    );
    figures.gauge(
      'tollgate_job_failed',
      '1 = the last run of a recurring job failed.',
      perJob(({ outcome }) => Number(outcome === 'failed')),
      ['job_name'],
    );
    const open = cachedReading(clock, () => alerts.open());
    figures.gauge(
      'tollgate_alerts_open',
      'Alerts of the status page that last.',
      async () => (await open()).length,
    );
    figures.sum(
      'tollgate_audit_entries_total',
      'Acts this process recorded in the audit log, by action: sign-ins that failed are `login.fail`.',
      (): readonly Sample[] => [...audit.recorded].map(([action, value]) => ({ labels: { action }, value })),
      ['action'],
    );
  }
}

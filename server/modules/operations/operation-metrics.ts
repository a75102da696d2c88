import { Injectable } from '@nestjs/common';
import { MetricsRegistry, type Sample } from '../../infra/observability/metrics-registry.js';
import { Clock } from '../../relay-core/ports/clock.js';
import { AuditLog } from '../audit/audit-log.js';
import { ChannelOutages } from '../channels/routing/channel-outages.js';
import { OpenCircuits } from '../channels/state/open-circuits.js';
import { INCIDENTS } from '../wallet/orders/order-status.js';
import { OrderTroubles } from '../wallet/orders/order-troubles.js';
import { AlertStore } from './alerts/alert-store.js';
import { BooksCheck } from './money-check/books-check.js';
import { JobStates } from './fleet/job-states.js';
import type { JobState } from './model/observation.js';

/** What is asked of the database is remembered for this long, however many ask. */
const REMEMBER_MS = 15_000;

/**
 * What the whole installation knows, as figures: channels, orders, books, alerts, and what the audit log recorded. Those read from the
 * database are the same on every worker: take the largest, not the sum.
 */
@Injectable()
export class OperationMetrics {
  constructor(
    figures: MetricsRegistry,
    private readonly clock: Clock,
    outages: ChannelOutages,
    rests: OpenCircuits,
    orders: OrderTroubles,
    books: BooksCheck,
    alerts: AlertStore,
    audit: AuditLog,
    jobs: JobStates,
  ) {
    const perStatus = this.remembered(() => outages.countByStatus());
    figures.gauge(
      'tollgate_channels',
      'Channels by status: enabled, disabled (by hand), fallen (disabled automatically).',
      async () => Object.entries(await perStatus()).map(([status, value]) => ({ labels: { status }, value })),
      ['status'],
    );
    const modelsOut = this.remembered(() => outages.modelsOut());
    figures.gauge(
      'tollgate_models_out',
      'Models whose every channel is off, at least one of them automatically.',
      async () => (await modelsOut()).length,
    );
    figures.gauge(
      'tollgate_channels_resting',
      'Breakers that are open: channels this process leaves alone for a while, altogether or for a model.',
      () => [
        { labels: { scope: 'channel' }, value: rests.list().filter(({ model }) => model === '').length },
        { labels: { scope: 'model' }, value: rests.list().filter(({ model }) => model !== '').length },
      ],
      ['scope'],
    );
    const troubled = this.remembered(() => orders.read(this.clock.nowMs()));
    const countOf = async (wanted: string) =>
      (await troubled()).find(({ kind }) => kind === wanted)?.count ?? 0;
    figures.gauge(
      'tollgate_orders_mismatched',
      'Orders of the last 30 days that were paid otherwise than agreed and nobody settled.',
      () => countOf('mismatch'),
    );
    figures.gauge(
      'tollgate_order_incidents',
      'Orders to which this happened within the last day: paid-again, foreign (a payment not their own), refunded, disputed.',
      () => Promise.all(INCIDENTS.map(async (kind) => ({ labels: { kind }, value: await countOf(kind) }))),
      ['kind'],
    );
    this.registerBooks(figures, books);
    this.registerJobs(figures, jobs);
    const open = this.remembered(() => alerts.open());
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

  private registerBooks(figures: MetricsRegistry, books: BooksCheck): void {
    const newest = this.remembered(() => books.newest());
    figures.gauge(
      'tollgate_money_check_differences',
      'Differences the last daily check of the books found; -1 = it could not read them.',
      async () => (await newest())?.differences,
    );
    // Books that were never checked have waited since we began: an alert on age must not be blind to them.
    const beganMs = this.clock.nowMs();
    figures.gauge(
      'tollgate_money_check_age_seconds',
      'How long ago it ended; before the first one, how long this process has run.',
      async () => {
        const state = await newest();
        return Math.max(0, this.clock.nowMs() - (state?.atMs ?? beganMs)) / 1_000;
      },
    );
  }

  private registerJobs(figures: MetricsRegistry, jobs: JobStates): void {
    const states = this.remembered(() => jobs.list());
    const perJob = (read: (job: JobState) => number) => async (): Promise<readonly Sample[]> =>
      (await states())
        .filter(({ endedAtMs }) => endedAtMs > 0)
        .map((job) => ({ labels: { job_name: job.name }, value: read(job) }));
    figures.gauge(
      'tollgate_job_age_seconds',
      'How long ago a recurring job of all instances ended.',
      perJob(({ endedAtMs }) => Math.max(0, this.clock.nowMs() - endedAtMs) / 1_000),
      ['job_name'],
    );
    figures.gauge(
      'tollgate_job_failed',
      '1 = its last run failed.',
      perJob(({ outcome }) => Number(outcome === 'failed')),
      ['job_name'],
    );
  }

  /** One question at a time, and none while the last answer is fresh. */
  private remembered<T>(ask: () => Promise<T>): () => Promise<T> {
    let last: { readonly atMs: number; readonly answer: Promise<T> } | undefined;
    return () => {
      const atMs = this.clock.monotonicMs();
      if (last === undefined || atMs - last.atMs >= REMEMBER_MS) last = { atMs, answer: ask() };
      return last.answer;
    };
  }
}

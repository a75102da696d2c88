import { Injectable } from '@nestjs/common';
import {
  type CounterMetric,
  type HistogramMetric,
  MetricsRegistry,
} from '../../../infra/observability/metrics-registry.js';
import { MAX_LABEL_VALUES, OTHER } from '../../../infra/observability/labelled-series.js';
import type { Attempt, FinishedCall } from '../../../relay-core/model/call.js';
import type { RelayError } from '../../../relay-core/model/relay-error.js';

/** Answers take between a few milliseconds and an hour. */
const CALL_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60, 120, 300, 600, 1_800];
const FIRST_TOKEN_SECONDS = [0.025, 0.05, 0.1, 0.2, 0.4, 0.8, 1.5, 3, 6, 12, 30, 60, 120];
const PREPARING_SECONDS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 5];

/** Outcome label of a call without a charge. */
const refusalOutcome = (error: RelayError): string => {
  if (error.kind === 'client-gone') return 'client_abort';
  return error.blame === 'caller' ? 'refused' : 'failed';
};

/** The golden signals of the relay: rate, errors and latency by route, model and channel. */
@Injectable()
export class RelayMetrics {
  /** Route → running calls. */
  readonly underWay = new Map<string, number>();
  /** Functions that count running streams. */
  readonly streams: (() => number)[] = [];
  /** Counts the replies that are read on without their clients. */
  abandoned: () => number = () => 0;
  /** Models a channel was found for: only these have a label of their own, whatever callers make up. */
  private readonly models = new Set<string>();
  private readonly channels = new Map<number, string>();

  private readonly calls: CounterMetric;
  private readonly errors: CounterMetric;
  private readonly seconds: HistogramMetric;
  private readonly firstToken: HistogramMetric;
  private readonly preparing: HistogramMetric;
  private readonly attempts: CounterMetric;
  private readonly attemptSeconds: HistogramMetric;
  private readonly attemptFirstToken: HistogramMetric;
  private readonly tokens: CounterMetric;
  private readonly charged: CounterMetric;
  private readonly evidence: CounterMetric;
  private readonly bounded: CounterMetric;
  private readonly billedEmpty: CounterMetric;

  constructor(figures: MetricsRegistry) {
    const byRoute = ['route', 'model'];
    this.calls = figures.counter(
      'tollgate_calls_total',
      'Calls that are over, by how they ended: ok, partial, limit, client_abort, refused (the caller’s fault), failed.',
      [...byRoute, 'outcome'],
    );
    this.errors = figures.counter(
      'tollgate_call_errors_total',
      'Calls that were refused or ended early, by whose fault it was (caller, gateway, upstream) and why.',
      ['route', 'blame', 'kind'],
    );
    this.seconds = figures.histogram(
      'tollgate_call_seconds',
      'Time from a request to the end of its answer; answered calls only.',
      CALL_SECONDS,
      byRoute,
    );
    this.firstToken = figures.histogram(
      'tollgate_call_first_token_seconds',
      'Time from a request to the first content of its answer.',
      FIRST_TOKEN_SECONDS,
      byRoute,
    );
    this.preparing = figures.histogram(
      'tollgate_call_preparing_seconds',
      'Time from a request to its first departure to an upstream: what the gateway adds before it.',
      PREPARING_SECONDS,
    );
    figures.gauge(
      'tollgate_calls_in_flight',
      'Calls under way.',
      () => [...this.underWay].map(([route, value]) => ({ labels: { route }, value })),
      ['route'],
    );
    figures.gauge(
      'tollgate_streams_in_flight',
      'Streams under way that began to answer, and realtime sessions.',
      () => this.streams.reduce((sum, count) => sum + count(), 0),
    );
    figures.gauge(
      'tollgate_calls_abandoned',
      'Replies that are read on after their clients left, for the report of what they cost.',
      () => this.abandoned(),
    );
    this.attempts = figures.counter(
      'tollgate_upstream_attempts_total',
      'Tries at a channel, by how they ended: ok, or the kind of failure.',
      ['channel', 'model', 'outcome'],
    );
    this.attemptSeconds = figures.histogram(
      'tollgate_upstream_seconds',
      'Time a channel took for an answer, from departure to its end.',
      CALL_SECONDS,
      ['channel'],
    );
    this.attemptFirstToken = figures.histogram(
      'tollgate_upstream_first_token_seconds',
      'Time a channel took to its first content.',
      FIRST_TOKEN_SECONDS,
      ['channel'],
    );
    this.tokens = figures.counter('tollgate_tokens_total', 'Tokens charged for.', ['model', 'direction']);
    this.charged = figures.counter('tollgate_charged_quota_total', 'Quota charged for calls.', ['model']);
    this.evidence = figures.counter(
      'tollgate_settlements_total',
      'Charges put on record, by what proves them: reported, bounded, counted, estimated, none.',
      ['evidence'],
    );
    this.bounded = figures.counter(
      'tollgate_bounded_reports_total',
      'Calls whose channel reported more tokens than the request allows: charged up to the bound.',
      ['channel'],
    );
    this.billedEmpty = figures.counter(
      'tollgate_billed_empty_tokens_total',
      'Tokens that channels bill for replies without content: no caller is charged for them.',
      ['channel'],
    );
  }

  began(route: string): void {
    this.underWay.set(route, (this.underWay.get(route) ?? 0) + 1);
  }

  over(route: string): void {
    this.underWay.set(route, (this.underWay.get(route) ?? 1) - 1);
  }

  refused(
    { route, model }: { readonly route: string; readonly model: string | undefined },
    error: RelayError,
    attempts: readonly Attempt[] = [],
  ): void {
    const label = this.labelOf(model, attempts.length > 0);
    this.calls.add(1, route, label, refusalOutcome(error));
    this.errors.add(1, route, error.blame, error.kind);
    for (const attempt of attempts) this.attempted(attempt, label);
  }

  answered(route: string, finished: FinishedCall, error: RelayError | undefined): void {
    const { outcome, usage, attempts, durationMs, firstByteMs } = finished;
    const model = this.labelOf(finished.shape.model, true);
    this.calls.add(1, route, model, outcome);
    if (error !== undefined) this.errors.add(1, route, error.blame, error.kind);
    this.seconds.observe(durationMs / 1_000, route, model);
    if (firstByteMs !== undefined) this.firstToken.observe(firstByteMs / 1_000, route, model);
    for (const attempt of attempts) this.attempted(attempt, model);
    const [first] = attempts;
    const last = attempts.at(-1);
    if (first !== undefined) this.preparing.observe(secondsBetween(finished.startedAtMs, first.startedAtMs));
    if (last !== undefined && firstByteMs !== undefined) {
      const waitedMs = last.startedAtMs - finished.startedAtMs;
      this.attemptFirstToken.observe(
        Math.max(0, firstByteMs - waitedMs) / 1_000,
        this.channelLabel(last.channelId),
      );
    }
    this.tokens.add(usage.input.total ?? 0, model, 'input');
    this.tokens.add(usage.output.total ?? 0, model, 'output');
    if (finished.priced > 0) this.charged.add(finished.priced, model);
    this.evidence.add(1, finished.evidence);
    if (finished.evidence === 'bounded') this.bounded.add(1, this.channelLabel(finished.channelId));
  }

  private attempted(attempt: Attempt, model: string): void {
    const { channelId, startedAtMs, endedAtMs, failure, billedUsage } = attempt;
    const channel = this.channelLabel(channelId);
    if (billedUsage !== undefined)
      this.billedEmpty.add((billedUsage.input.total ?? 0) + (billedUsage.output.total ?? 0), channel);
    this.attempts.add(1, channel, model, failure ?? 'ok');
    if (failure === undefined) this.attemptSeconds.observe(secondsBetween(startedAtMs, endedAtMs), channel);
  }

  private labelOf(model: string | undefined, isServed: boolean): string {
    if (model === undefined) return OTHER;
    if (this.models.has(model)) return model;
    if (!isServed || this.models.size >= MAX_LABEL_VALUES) return OTHER;
    this.models.add(model);
    return model;
  }

  private channelLabel(channelId: number): string {
    const known = this.channels.get(channelId);
    if (known !== undefined) return known;
    const label = String(channelId);
    if (this.channels.size < MAX_LABEL_VALUES) this.channels.set(channelId, label);
    return label;
  }
}

/** The clock of the machine may be set back between the two. */
const secondsBetween = (fromMs: number, toMs: number): number => Math.max(0, toMs - fromMs) / 1_000;

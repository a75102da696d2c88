import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Env } from '../../../config/env.js';
import type { TraceSettings } from '../../../config/trace-env.js';
import { MetricsRegistry } from '../metrics-registry.js';
import type { OpenTracing } from './open-tracing.js';

/** Spans that were not sent by then are left behind: a collector that is away must not hold up a shutdown. */
const FLUSH_WITHIN_MS = 3_000;

/**
 * OpenTelemetry's traces, only when OTEL_EXPORTER_OTLP_ENDPOINT is set: otherwise none of it is even loaded. Spans wait in a
 * bounded queue and the newest are dropped when it is full; a collector that is slow or away costs no call anything.
 */
@Injectable()
export class Tracing implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger('Tracing');
  private readonly settings: TraceSettings | undefined;
  private readonly sent = { ok: 0, failed: 0 };
  /** Undefined = nothing is traced. */
  current: OpenTracing | undefined;

  constructor(env: Env, figures: MetricsRegistry) {
    this.settings = env.tracing;
    figures.sum(
      'tollgate_trace_spans_total',
      'Spans given to the collector, by what became of them: sent, failed.',
      () => [
        { labels: { result: 'sent' }, value: this.sent.ok },
        { labels: { result: 'failed' }, value: this.sent.failed },
      ],
      ['result'],
    );
  }

  async onModuleInit(): Promise<void> {
    if (this.settings === undefined) return;
    const { openTracing } = await import('./open-tracing.js');
    this.current = openTracing(this.settings, (count, isSent) => {
      if (isSent) this.sent.ok += count;
      else this.onFailed(count);
    });
    this.logger.log(`traces go to ${new URL(this.settings.url).host}`);
  }

  async onApplicationShutdown(): Promise<void> {
    const { current } = this;
    if (current === undefined) return;
    this.current = undefined;
    const isFlushed = await current.close(FLUSH_WITHIN_MS);
    if (!isFlushed) this.logger.warn('some spans could not be sent');
  }

  /** Said once per outage, not once per batch. */
  private onFailed(count: number): void {
    if (this.sent.failed === 0) this.logger.warn('the collector of traces does not take them; calls go on');
    this.sent.failed += count;
  }
}

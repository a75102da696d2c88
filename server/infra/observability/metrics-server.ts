import cluster from 'node:cluster';
import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Env } from '../../config/env.js';
import type { MetricReading } from './metric-reading.js';
import { isMetricsRequest, type MetricsReply } from './metrics-messages.js';
import { Metrics } from './metrics.js';
import { withLabel, writePrometheusText } from './prometheus-text.js';
import { openScrapeServer, type ScrapeServer } from './scrape-server.js';

/**
 * `GET /metrics` on a port of its own, only when METRICS_PORT is set. Under a supervisor the supervisor answers there for all
 * workers (server/process/supervisor/gather-metrics.ts), and this one sends it its metrics on request.
 */
@Injectable()
export class MetricsServer implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('Metrics');
  private server: ScrapeServer | undefined;

  constructor(
    private readonly env: Env,
    private readonly metrics: Metrics,
  ) {}

  /** Port it listens on; undefined = none. */
  get port(): number | undefined {
    return this.server?.port;
  }

  async onApplicationBootstrap(): Promise<void> {
    const { metricsPort: port, metricsToken: token, host } = this.env;
    if (port === undefined) return;
    await this.metrics.open();
    if (cluster.isWorker) {
      process.on('message', this.onMessage);
      return;
    }
    this.server = await openScrapeServer({
      host,
      port,
      token,
      read: async () => writePrometheusText([await this.read()]),
      onFault: (error) => this.logger.error(`could not collect metrics: ${String(error)}`),
    });
    this.logger.log(`metrics on http://${host}:${this.port}/metrics`);
  }

  async onApplicationShutdown(): Promise<void> {
    process.off('message', this.onMessage);
    await this.server?.close();
  }

  private async read(): Promise<readonly MetricReading[]> {
    return withLabel(await this.metrics.read(), 'worker', String(this.env.workerIndex));
  }

  private readonly onMessage = (message: unknown): void => {
    if (!isMetricsRequest(message)) return;
    this.read().then(
      (readings) => {
        const report: MetricsReply = { figuresReport: message.figuresOrder, readings };
        if (process.connected) process.send?.(report);
      },
      (error: unknown) => this.logger.error(`could not collect metrics: ${String(error)}`),
    );
  };
}

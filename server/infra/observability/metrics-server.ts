import cluster from 'node:cluster';
import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Env } from '../../config/env.js';
import { withLabel } from './exposition.js';
import type { Family } from './metrics-registry.js';
import { isMetricsOrder, type MetricsReport } from './figures-messages.js';
import { Metrics } from './metrics.js';
import { openScrapeServer, type ScrapeServer } from './scrape-server.js';

/**
 * `GET /metrics` on a port of its own, only when METRICS_PORT is set. Under a supervisor the supervisor answers there for all
 * workers (server/supervisor/gather-figures.ts), and this one tells it its figures when it is asked.
 */
@Injectable()
export class MetricsServer implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('Metrics');
  private server: ScrapeServer | undefined;

  constructor(
    private readonly env: Env,
    private readonly metrics: Metrics,
  ) {}

  /** Where it listens; undefined = it does not. */
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
      read: () => this.read(),
      onFault: (error) => this.logger.error(`could not collect metrics: ${String(error)}`),
    });
    this.logger.log(`metrics on http://${host}:${this.port}/metrics`);
  }

  async onApplicationShutdown(): Promise<void> {
    process.off('message', this.onMessage);
    await this.server?.close();
  }

  private async read(): Promise<readonly Family[]> {
    return withLabel(await this.metrics.read(), 'worker', String(this.env.workerIndex));
  }

  private readonly onMessage = (message: unknown): void => {
    if (!isMetricsOrder(message)) return;
    this.read().then(
      (families) => {
        const report: MetricsReport = { figuresReport: message.figuresOrder, families };
        if (process.connected) process.send?.(report);
      },
      (error: unknown) => this.logger.error(`could not collect metrics: ${String(error)}`),
    );
  };
}

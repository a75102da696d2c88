import cluster, { type Worker } from 'node:cluster';
import type { Env } from '../../config/env.js';
import type { MetricReading } from '../../infra/observability/metric-reading.js';
import type { MetricDescription } from '../../infra/observability/metrics-registry.js';
import { withUniqueWorkers, writePrometheusText } from '../../infra/observability/prometheus-text.js';
import { type MetricsReply, isMetricsReply } from '../../infra/observability/metrics-messages.js';
import { PinoLogger } from '../../infra/observability/pino-logger.js';
import { openScrapeServer } from '../../infra/observability/scrape-server.js';

/** A worker that does not answer by then is counted as silent; collectors usually wait ten seconds. */
const ANSWER_WITHIN_MS = 3_000;

/**
 * One scrape address for all workers of an instance: collects the metrics of each and returns all of them, with a label
 * `worker`. It answers as well while workers hang or are being exchanged. Does nothing without METRICS_PORT.
 * Fails: the listener's error when the port cannot be had.
 */
export async function serveWorkerMetrics(
  env: Pick<Env, 'host' | 'logLevel' | 'metricsPort' | 'metricsToken'>,
): Promise<void> {
  const { host, metricsPort: port, metricsToken: token } = env;
  if (port === undefined) return;
  const logger = new PinoLogger(env.logLevel);
  const gathering = new MetricsGathering();
  const server = await openScrapeServer({
    host,
    port,
    token,
    read: () => gathering.read(),
    onFault: (error) => logger.error(`could not collect metrics: ${String(error)}`, 'Metrics'),
  });
  logger.log(`metrics on http://${host}:${server.port}/metrics`, 'Metrics');
}

class MetricsGathering {
  private asked = 0;
  private deaths = 0;

  constructor() {
    cluster.on('exit', (_worker, code) => {
      if (code !== 0) this.deaths += 1;
    });
  }

  async read(): Promise<string> {
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
    const answers = await Promise.all(workers.map((worker) => this.ask(worker)));
    const told = answers.filter((readings) => readings !== undefined);
    return writePrometheusText([...withUniqueWorkers(told), this.own(workers.length, told.length)]);
  }

  /** @returns undefined when the worker does not answer in time */
  private ask(worker: Worker): Promise<readonly MetricReading[] | undefined> {
    if (!worker.isConnected()) return Promise.resolve(undefined);
    this.asked += 1;
    const number = this.asked;
    return new Promise((resolve) => {
      const end = (readings: readonly MetricReading[] | undefined): void => {
        clearTimeout(timer);
        worker.off('message', onMessage);
        worker.off('exit', onExit);
        resolve(readings);
      };
      const onMessage = (message: MetricsReply | object): void => {
        if (isMetricsReply(message) && message.figuresReport === number) end(message.readings);
      };
      const onExit = (): void => end(undefined);
      const timer = setTimeout(() => end(undefined), ANSWER_WITHIN_MS);
      worker.on('message', onMessage);
      worker.on('exit', onExit);
      worker.send({ figuresOrder: number });
    });
  }

  /** Metrics of the supervisor itself. */
  private own(running: number, answering: number): readonly MetricReading[] {
    const values: Readonly<Record<string, MetricReading['values']>> = {
      tollgate_workers: [
        { metricName: 'tollgate_workers', labels: { state: 'answering' }, value: answering },
        { metricName: 'tollgate_workers', labels: { state: 'silent' }, value: running - answering },
      ],
      tollgate_worker_deaths_total: [
        { metricName: 'tollgate_worker_deaths_total', labels: {}, value: this.deaths },
      ],
    };
    return SUPERVISOR_METRICS.map(({ name, help, type }) => ({
      name,
      help,
      type,
      aggregator: 'sum',
      values: values[name] ?? [],
    }));
  }
}

/** Figures of the supervisor itself. */
export const SUPERVISOR_METRICS: readonly MetricDescription[] = [
  {
    name: 'tollgate_workers',
    help: 'Workers of this instance: answering, or silent for three seconds.',
    type: 'gauge',
    labelNames: ['state'],
  },
  {
    name: 'tollgate_worker_deaths_total',
    help: 'Workers that ended by a fault and were replaced.',
    type: 'counter',
    labelNames: [],
  },
];

import { Injectable } from '@nestjs/common';
import type { Metric, Registry } from 'prom-client';
import type { MetricReading, MetricValue } from './metric-reading.js';
import { type MetricDescription, MetricsRegistry, type MetricType } from './metrics-registry.js';

const PREFIX = 'tollgate_';

/**
 * Everything `/metrics` shows, in one registry of prom-client: the metrics of the modules, and those of a Node process (memory,
 * garbage, event loop, CPU). The library is loaded only for readers: a process without METRICS_PORT does without it.
 */
@Injectable()
export class Metrics {
  private opened: Promise<Registry> | undefined;

  constructor(private readonly own: MetricsRegistry) {}

  /** Begins to watch the process, so that the first reading has figures. */
  async open(): Promise<void> {
    await this.registry();
  }

  /** Every metric that has a value now. */
  async read(): Promise<readonly MetricReading[]> {
    const registry = await this.registry();
    const readings = (await registry.getMetricsAsJSON()).map(toReading);
    return readings.filter(({ values }) => values.length > 0);
  }

  /** Everything there is to read, without reading it, by name. */
  async describe(): Promise<readonly MetricDescription[]> {
    const registry = await this.registry();
    return registry
      .getMetricsAsArray()
      .map((metric) => ({
        name: metric.name,
        help: metric.help,
        type: typeOf(metric.type),
        labelNames:
          'labelNames' in metric && Array.isArray(metric.labelNames) ? metric.labelNames.map(String) : [],
      }))
      .sort((a, b) => a.name.localeCompare(b.name));
  }

  /** Metrics of modules may be registered after the registry was opened. */
  private async registry(): Promise<Registry> {
    const registry = await (this.opened ??= openRegistry());
    for (const description of this.own.describe())
      if (registry.getSingleMetric(description.name) === undefined)
        registry.registerMetric(this.asCollected(description));
    return registry;
  }

  /** One of our metrics in the library's form: read when it is collected. */
  private asCollected(description: MetricDescription): Metric {
    const get = async (): Promise<object> => {
      const samples = await this.own.samples(description.name);
      return {
        ...description,
        values: samples.map(({ name, labels, value }) => ({ metricName: name, labels, value })),
      };
    };
    return { ...description, get } as unknown as Metric;
  }
}

async function openRegistry(): Promise<Registry> {
  const { collectDefaultMetrics, Registry: OpenRegistry } = await import('prom-client');
  const registry = new OpenRegistry();
  collectDefaultMetrics({ register: registry, prefix: PREFIX });
  return registry;
}

type LibraryReading = Awaited<ReturnType<Registry['getMetricsAsJSON']>>[number];

function toReading({ name, help, type, values }: LibraryReading): MetricReading {
  // A mean of nothing is no number: nothing was measured since the last reading.
  const measured = values.filter(({ value }) => !Number.isNaN(value));
  return {
    name,
    help,
    type: typeOf(type),
    aggregator: 'sum',
    values: measured.map((value): MetricValue => ({
      metricName: 'metricName' in value && typeof value.metricName === 'string' ? value.metricName : name,
      labels: Object.fromEntries(
        Object.entries(value.labels).map(([label, text]) => [label, text === undefined ? '' : String(text)]),
      ),
      value: value.value,
    })),
  };
}

/** Kinds are numbers to some versions of the library and words to its readings. */
function typeOf(type: unknown): MetricType {
  const kind = String(type);
  return kind === 'counter' || kind === 'histogram' ? kind : 'gauge';
}

import { Injectable } from '@nestjs/common';
import type { Registry } from 'prom-client';
import { joinFamilies } from './exposition.js';
import { type Family, type MetricDescription, MetricsRegistry, type MetricType } from './metrics-registry.js';

const PREFIX = 'tollgate_';

/**
 * Everything `/metrics` shows: the figures of the modules, and those of a Node process (memory, garbage, event loop, CPU). The
 * library that knows the latter is loaded when somebody will read them: a process without METRICS_PORT does without it.
 */
@Injectable()
export class Metrics {
  private processRegistry: Promise<Registry> | undefined;

  constructor(private readonly figures: MetricsRegistry) {}

  /** Begins to watch the process, so that the first reading has something to say. */
  async open(): Promise<void> {
    await this.registry();
  }

  async read(): Promise<readonly Family[]> {
    const registry = await this.registry();
    const [own, process] = await Promise.all([this.figures.read(), registry.getMetricsAsJSON()]);
    return joinFamilies([own, process.map(toFamily).filter(({ samples }) => samples.length > 0)]);
  }

  /** Everything there is to read, without reading it, by name. */
  async describe(): Promise<readonly MetricDescription[]> {
    const registry = await this.registry();
    const process = registry.getMetricsAsArray().map((metric) => ({
      name: metric.name,
      help: metric.help,
      type: typeOf(metric.type),
      labelNames:
        'labelNames' in metric && Array.isArray(metric.labelNames) ? metric.labelNames.map(String) : [],
    }));
    return [...this.figures.describe(), ...process].sort((a, b) => a.name.localeCompare(b.name));
  }

  private registry(): Promise<Registry> {
    return (this.processRegistry ??= openRegistry());
  }
}

async function openRegistry(): Promise<Registry> {
  const { collectDefaultMetrics, Registry: OpenRegistry } = await import('prom-client');
  const registry = new OpenRegistry();
  collectDefaultMetrics({ register: registry, prefix: PREFIX });
  return registry;
}

type ProcessMetric = Awaited<ReturnType<Registry['getMetricsAsJSON']>>[number];

function toFamily({ name, help, type, values }: ProcessMetric): Family {
  // A mean of nothing is no number: nothing was measured since the last reading.
  const measured = values.filter(({ value }) => !Number.isNaN(value));
  const samples = measured.map((value) => ({
    name: 'metricName' in value && typeof value.metricName === 'string' ? value.metricName : name,
    labels: Object.fromEntries(
      Object.entries(value.labels).map(([label, text]) => [label, text === undefined ? '' : String(text)]),
    ),
    value: value.value,
  }));
  return {
    name,
    help,
    type: typeOf(type),
    samples,
  };
}

/** Kinds are numbers to some versions of the library and words to its readings. */
function typeOf(type: unknown): MetricType {
  const kind = String(type);
  return kind === 'counter' || kind === 'histogram' ? kind : 'gauge';
}

import { Injectable, Logger } from '@nestjs/common';
import { type Labels, LabelledSeries } from './labelled-series.js';

/** One number of a figure at the moment it was read. */
export interface Sample {
  readonly labels: Labels;
  readonly value: number;
}

/** Result of a gauge: one number, or one per label set. `undefined` = no value now. */
export type Reading = number | readonly Sample[] | undefined;

/** For a histogram the name carries `_bucket`, `_sum` or `_count`. */
export interface NamedSample extends Sample {
  readonly name: string;
}

export type MetricType = 'counter' | 'gauge' | 'histogram';

/** Description of a metric, available without reading it. */
export interface MetricDescription {
  readonly name: string;
  readonly help: string;
  readonly type: MetricType;
  readonly labelNames: readonly string[];
}

/** A number that callers add to. The hot path keeps it and adds to `value`. */
export interface CounterValue {
  value: number;
}

/** Sums that only grow. Label values are bounded: what comes after the 200th of a label counts as `other`. */
export interface CounterMetric {
  /** @param labels  in the order of the label names given at registration */
  add(count: number, ...labels: readonly string[]): void;
}

/** Counts of values below each bound. */
export interface HistogramMetric {
  observe(value: number, ...labels: readonly string[]): void;
  /** The distribution behind a label set, to be kept by callers that observe often. */
  series(...labels: readonly string[]): Distribution;
}

interface Metric extends MetricDescription {
  readonly read: () => readonly NamedSample[] | Promise<readonly NamedSample[]>;
}

/** A gauge that does not answer within this time is left out of the scrape. */
const READ_TIMEOUT_MS = 2_000;
const NAME = /^tollgate_[a-z][a-z0-9_]*[a-z0-9]$/;

/** Counts of values up to each bound; the last count is of those above all bounds. */
class Distribution {
  readonly counts: number[];
  sum = 0;

  constructor(private readonly bounds: readonly number[]) {
    this.counts = Array.from({ length: bounds.length + 1 }, () => 0);
  }

  observe(value: number): void {
    let index = 0;
    while (index < this.bounds.length && value > (this.bounds[index] ?? 0)) index += 1;
    this.counts[index] = (this.counts[index] ?? 0) + 1;
    this.sum += value;
  }
}

/**
 * Metrics of this process for all readers: `/metrics`, and this process's report to the status page. Counting is adding to a
 * number; everything else happens on reading.
 */
@Injectable()
export class MetricsRegistry {
  private readonly logger = new Logger('Figures');
  private readonly figures = new Map<string, Metric>();

  /**
   * Registers a number that is computed when it is read.
   * @param name  `tollgate_…` with its unit at the end (`_seconds`, `_bytes`, `_quota`)
   * @param read  cheap, or a promise that settles within two seconds
   * @param labelNames  the labels its samples carry
   */
  gauge(
    name: string,
    help: string,
    read: () => Reading | Promise<Reading>,
    labelNames: readonly string[] = [],
  ): void {
    this.register({ name, help, type: 'gauge', labelNames, read: () => samplesOf(name, read()) });
  }

  /** Registers a sum that is kept elsewhere: read like a gauge, and never decreasing. @param name  ends in `_total` */
  sum(
    name: string,
    help: string,
    read: () => Reading | Promise<Reading>,
    labelNames: readonly string[] = [],
  ): void {
    this.register({ name, help, type: 'counter', labelNames, read: () => samplesOf(name, read()) });
  }

  /** @param name  ends in `_total` */
  counter(name: string, help: string, labelNames: readonly string[] = []): CounterMetric {
    const series = new LabelledSeries<CounterValue>(labelNames, () => ({ value: 0 }));
    this.register({
      name,
      help,
      type: 'counter',
      labelNames,
      read: () => series.entries().map(({ labels, item }) => ({ name, labels, value: item.value })),
    });
    if (labelNames.length === 0) series.at([]);
    return {
      add: (count, ...labels) => {
        series.at(labels).value += count;
      },
    };
  }

  /** @param bounds  upper bounds, rising, in the unit of the name */
  histogram(
    name: string,
    help: string,
    bounds: readonly number[],
    labelNames: readonly string[] = [],
  ): HistogramMetric {
    const series = new LabelledSeries(labelNames, () => new Distribution(bounds));
    this.register({
      name,
      help,
      type: 'histogram',
      labelNames,
      read: () => series.entries().flatMap(({ labels, item }) => bucketsOf(name, labels, bounds, item)),
    });
    if (labelNames.length === 0) series.at([]);
    return {
      observe: (value, ...labels) => series.at(labels).observe(value),
      series: (...labels) => series.at(labels),
    };
  }

  /** Everything that is registered, by name. */
  describe(): readonly MetricDescription[] {
    return [...this.figures.values()]
      .map(({ name, help, type, labelNames }) => ({ name, help, type, labelNames }))
      .sort((a, b) => a.name.localeCompare(b.name));
  }

  /** One figure's samples now; none when it is unknown or cannot be read. */
  async samples(name: string): Promise<readonly NamedSample[]> {
    const figure = this.figures.get(name);
    return figure === undefined ? [] : this.readOne(figure);
  }

  private register(figure: Metric): void {
    const hasTotal = figure.name.endsWith('_total');
    if (!NAME.test(figure.name) || hasTotal !== (figure.type === 'counter')) {
      throw new Error(`a ${figure.type} may not be called ${figure.name}`);
    }
    if (this.figures.has(figure.name)) throw new Error(`${figure.name} is registered already`);
    this.figures.set(figure.name, figure);
  }

  private async readOne({ name, read }: Metric): Promise<readonly NamedSample[]> {
    const timeout = Promise.withResolvers<never>();
    const timer = setTimeout(() => timeout.reject(new Error('no answer in time')), READ_TIMEOUT_MS);
    try {
      return await Promise.race([read(), timeout.promise]);
    } catch (error) {
      this.logger.debug(`could not read ${name}: ${String(error)}`);
      return [];
    } finally {
      clearTimeout(timer);
    }
  }
}

function samplesOf(
  name: string,
  reading: Reading | Promise<Reading>,
): readonly NamedSample[] | Promise<readonly NamedSample[]> {
  if (reading instanceof Promise) return reading.then((value) => samplesOf(name, value));
  if (reading === undefined) return [];
  if (typeof reading === 'number') return [{ name, labels: {}, value: reading }];
  return reading.map(({ labels, value }) => ({ name, labels, value }));
}

/** Cumulative, as the format of Prometheus wants it. */
function bucketsOf(
  name: string,
  labels: Labels,
  bounds: readonly number[],
  { counts, sum }: Distribution,
): readonly NamedSample[] {
  let count = 0;
  const buckets = [...bounds.map(String), '+Inf'].map((le, index) => {
    count += counts[index] ?? 0;
    return { name: `${name}_bucket`, labels: { ...labels, le }, value: count };
  });
  return [
    ...buckets,
    { name: `${name}_sum`, labels, value: sum },
    { name: `${name}_count`, labels, value: count },
  ];
}

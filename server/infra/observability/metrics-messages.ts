import type { MetricReading } from './metric-reading.js';

/** Supervisor to worker: send your metrics. */
export interface MetricsRequest {
  /** Number of the request. Workers and supervisors of two versions talk to each other: these members keep their names. */
  readonly figuresOrder: number;
}

/** Worker to supervisor. */
export interface MetricsReply {
  readonly figuresReport: number;
  readonly readings: readonly MetricReading[];
}

const has = <K extends string>(value: unknown, key: K): value is Record<K, unknown> =>
  typeof value === 'object' && value !== null && key in value;

export const isMetricsRequest = (message: unknown): message is MetricsRequest =>
  has(message, 'figuresOrder') && typeof message.figuresOrder === 'number';

export const isMetricsReply = (message: unknown): message is MetricsReply =>
  has(message, 'figuresReport') &&
  typeof message.figuresReport === 'number' &&
  has(message, 'readings') &&
  Array.isArray(message.readings);

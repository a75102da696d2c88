import type { MetricReading } from './metric-reading.js';

/** Supervisor to worker: tell your figures. */
export interface MetricsOrder {
  /** Number of the question, for the answer. */
  readonly figuresOrder: number;
}

/** Worker to supervisor. */
export interface MetricsReport {
  readonly figuresReport: number;
  readonly readings: readonly MetricReading[];
}

const has = <K extends string>(value: unknown, key: K): value is Record<K, unknown> =>
  typeof value === 'object' && value !== null && key in value;

export const isMetricsOrder = (message: unknown): message is MetricsOrder =>
  has(message, 'figuresOrder') && typeof message.figuresOrder === 'number';

export const isMetricsReport = (message: unknown): message is MetricsReport =>
  has(message, 'figuresReport') &&
  typeof message.figuresReport === 'number' &&
  has(message, 'readings') &&
  Array.isArray(message.readings);

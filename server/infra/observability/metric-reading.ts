import type { Labels } from './labelled-series.js';

/** A metric as it was read: what prom-client's registry gives as JSON, with every value under its labels. */
export interface MetricReading {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  /** Values of the same labels are added up; two processes never share them: `worker` distinguishes them. */
  readonly aggregator: 'sum';
  readonly values: readonly MetricValue[];
}

export interface MetricValue {
  /** The name of a histogram's value: with `_bucket`, `_sum` or `_count` at its end. */
  readonly metricName: string;
  readonly labels: Labels;
  readonly value: number;
}

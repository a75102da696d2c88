import type { MetricReading } from './metric-reading.js';

/** Content type of `/metrics`: the text format every collector reads. */
export const PROMETHEUS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** Readings of several processes as one text: each name once, in order, with the values of all. */
export async function writePrometheusText(lists: readonly (readonly MetricReading[])[]): Promise<string> {
  // Only for installations that collect metrics: the library costs 7 MB.
  const { AggregatorRegistry } = await import('prom-client');
  const readings = lists.flat().sort((a, b) => a.name.localeCompare(b.name));
  return AggregatorRegistry.aggregate([readings]).metrics();
}

/**
 * Readings of workers that may have the same number: while workers are exchanged, the one that leaves and the one that comes, which
 * keeps the number.
 * @param lists  each of one worker, in the order in which they came
 */
export function withUniqueWorkers(
  lists: readonly (readonly MetricReading[])[],
): readonly (readonly MetricReading[])[] {
  const seen = new Map<string, number>();
  return lists
    .toReversed()
    .map((readings) => {
      const number = readings[0]?.values[0]?.labels['worker'] ?? '';
      const count = seen.get(number) ?? 0;
      seen.set(number, count + 1);
      return count === 0
        ? readings
        : withLabel(readings, 'worker', `${number}-leaving${count === 1 ? '' : count}`);
    })
    .toReversed();
}

/** The same readings with one label set on every value. */
export function withLabel(
  readings: readonly MetricReading[],
  label: string,
  text: string,
): readonly MetricReading[] {
  return readings.map((reading) => ({
    ...reading,
    values: reading.values.map((value) => ({ ...value, labels: { ...value.labels, [label]: text } })),
  }));
}

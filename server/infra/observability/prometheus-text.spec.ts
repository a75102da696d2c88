import { describe, expect, it } from '@jest/globals';
import type { MetricReading, MetricValue } from './metric-reading.js';
import { withUniqueWorkers, withLabel, writePrometheusText } from './prometheus-text.js';

const reading = (
  name: string,
  values: readonly Omit<MetricValue, 'metricName'>[],
  help = 'What it is.',
): MetricReading => ({
  name,
  help,
  type: 'gauge',
  aggregator: 'sum',
  values: values.map((value) => ({ ...value, metricName: name })),
});
const linesOf = async (lists: readonly (readonly MetricReading[])[]): Promise<readonly string[]> =>
  (await writePrometheusText(lists)).split('\n').filter((line) => line !== '' && !line.startsWith('#'));

describe('writePrometheusText', () => {
  it('writes help, type and values', async () => {
    const values: Parameters<typeof reading>[1] = [
      { labels: {}, value: 1 },
      { labels: { route: '/v1/x', model: 'm' }, value: 2.5 },
    ];
    expect(await writePrometheusText([[reading('tollgate_a', values)]])).toBe(
      '# HELP tollgate_a What it is.\n# TYPE tollgate_a gauge\ntollgate_a 1\ntollgate_a{route="/v1/x",model="m"} 2.5\n',
    );
    expect((await writePrometheusText([])).trim()).toBe('');
  });

  it('lets a label hold anything without breaking a line', async () => {
    const labels = { model: 'a"b\\c\nd} 9' };
    expect(await linesOf([[reading('tollgate_a', [{ labels, value: 1 }])]])).toEqual([
      'tollgate_a{model="a\\"b\\\\c\\nd} 9"} 1',
    ]);
  });

  it.each([
    [Number.POSITIVE_INFINITY, '+Inf'],
    [Number.NEGATIVE_INFINITY, '-Inf'],
    [1e21, '1e+21'],
  ])('writes %s', async (value, text) => {
    expect(await linesOf([[reading('tollgate_a', [{ labels: {}, value }])]])).toEqual([`tollgate_a ${text}`]);
  });

  it('joins the figures of several processes: a name once, in order, with the values of all', async () => {
    const of = (worker: string, name: string): readonly MetricReading[] =>
      withLabel([reading(name, [{ labels: {}, value: 1 }])], 'worker', worker);
    const text = await writePrometheusText([
      of('0', 'tollgate_b'),
      of('1', 'tollgate_b'),
      of('1', 'tollgate_a'),
    ]);
    expect(text.match(/# TYPE \S+/g)).toEqual(['# TYPE tollgate_a', '# TYPE tollgate_b']);
    expect(text.split('\n').filter((line) => line.startsWith('tollgate'))).toEqual([
      'tollgate_a{worker="1"} 1',
      'tollgate_b{worker="0"} 1',
      'tollgate_b{worker="1"} 1',
    ]);
  });
});

describe('tellApart', () => {
  it('lets the worker that came last keep a number that several have', async () => {
    const of = (worker: string, value: number): readonly MetricReading[] =>
      withLabel([reading('tollgate_b', [{ labels: {}, value }])], 'worker', worker);
    expect(await linesOf(withUniqueWorkers([of('0', 1), of('1', 2), of('0', 3), of('0', 4)]))).toEqual([
      'tollgate_b{worker="0-leaving2"} 1',
      'tollgate_b{worker="1"} 2',
      'tollgate_b{worker="0-leaving"} 3',
      'tollgate_b{worker="0"} 4',
    ]);
  });
});

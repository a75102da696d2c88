import { describe, expect, it } from '@jest/globals';
import { growthOf, growthTable, type TimedSample } from './growth.js';
import { byWorker, FINISHED } from './measure.js';

/** A look every half minute for an hour. */
const hour = (values: (hours: number, index: number) => object): TimedSample[] =>
  Array.from({ length: 121 }, (_, index) => ({
    hours: index / 120,
    values: new Map(Object.entries(values(index / 120, index))),
  }));

const verdictsOf = (samples: readonly TimedSample[]): Record<string, string> =>
  Object.fromEntries(growthOf(samples).map(({ name, verdict }) => [name, verdict]));

describe('growth in a soak', () => {
  it('distinguishes a leak from the ups and downs of a heap', () => {
    const samples = hour((hours, index) => ({
      'worker 1: heap in use, MB': 80 + (index % 7) * 4,
      'worker 2: heap in use, MB': 80 + (index % 7) * 4 + hours * 30,
    }));
    expect(verdictsOf(samples)).toEqual({
      'worker 1: heap in use, MB': 'flat',
      'worker 2: heap in use, MB': 'GROWS',
    });
  });

  it.each(['open descriptors', 'Redis keys', 'files in DATA_DIR', 'charges waiting for the database'])(
    'calls %s growing when one a minute is added and never given back',
    (name) => {
      expect(verdictsOf(hour((hours) => ({ [name]: 40 + Math.floor(hours * 60) })))).toEqual({
        [name]: 'GROWS',
      });
      expect(verdictsOf(hour((_, index) => ({ [name]: 40 + (index % 11) * 3 })))).toEqual({ [name]: 'flat' });
    },
  );

  it('does not take what is kept on purpose for a leak', () => {
    expect(verdictsOf(hour((hours) => ({ [FINISHED]: hours * 400 })))).toEqual({ [FINISHED]: 'kept' });
  });

  it('gives the line through all points with its doubt, an hour', () => {
    const [growth] = growthOf(hour((hours) => ({ 'Redis keys': 100 + 50 * hours })));
    expect(growth).toMatchObject({ name: 'Redis keys', verdict: 'GROWS' });
    expect(growth?.slope).toBeCloseTo(50);
    expect(growth?.doubt).toBeCloseTo(0);
    expect(
      growthTable(growth === undefined ? [] : [growth])
        .split('\n')
        .at(-1),
    ).toBe('| Redis keys | 104.8 | 145.2 | 50.0 ± 0.0 | GROWS |');
  });

  it('leaves out a worker that was away when the look was taken', () => {
    const samples = hour((_, index) => (index === 60 ? {} : { 'worker 1: resident, MB': 200 }));
    expect(growthOf(samples)).toMatchObject([{ first: 200, last: 200, verdict: 'flat' }]);
  });

  it('reads a gauge of every worker from the metrics', () => {
    const metrics = [
      '# TYPE a gauge',
      'a{worker="0"} 3',
      'ab{worker="0"} 9',
      'a{pool="x",worker="1"} 4.5',
      '',
    ];
    expect([...byWorker(metrics.join('\n'), 'a')]).toEqual([
      ['0', 3],
      ['1', 4.5],
    ]);
  });
});

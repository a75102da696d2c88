import { describe, expect, it } from '@jest/globals';
import { joinFamilies, tellApart, withLabel, writeExposition } from './exposition.js';
import type { Family } from './metrics-registry.js';

const family = (name: string, samples: Family['samples'], help = 'What it is.'): Family => ({
  name,
  help,
  samples,
  type: 'gauge',
});

describe('the text format of Prometheus', () => {
  it('writes help, type and samples', () => {
    const samples: Family['samples'] = [
      { name: 'tollgate_a', labels: {}, value: 1 },
      { name: 'tollgate_a', labels: { route: '/v1/x', model: 'm' }, value: 2.5 },
    ];
    expect(writeExposition([family('tollgate_a', samples)])).toBe(
      '# HELP tollgate_a What it is.\n# TYPE tollgate_a gauge\ntollgate_a 1\ntollgate_a{route="/v1/x",model="m"} 2.5\n',
    );
    expect(writeExposition([])).toBe('');
  });

  it('a label can hold anything and break nothing', () => {
    const labels = { model: 'a"b\\c\nd} 9' };
    expect(
      writeExposition([family('tollgate_a', [{ name: 'tollgate_a', labels, value: 1 }], 'a\\b\nc')]),
    ).toBe(
      '# HELP tollgate_a a\\\\b\\nc\n# TYPE tollgate_a gauge\ntollgate_a{model="a\\"b\\\\c\\nd} 9"} 1\n',
    );
  });

  it.each([
    [Number.POSITIVE_INFINITY, '+Inf'],
    [Number.NEGATIVE_INFINITY, '-Inf'],
    [Number.NaN, 'NaN'],
    [1e21, '1e+21'],
  ])('writes %s', (value, text) => {
    const lines = writeExposition([family('tollgate_a', [{ name: 'tollgate_a', labels: {}, value }])]);
    expect(lines.split('\n')[2]).toBe(`tollgate_a ${text}`);
  });

  it('joins what several processes tell: a name once, in order, with the samples of all', () => {
    const of = (worker: string, name: string): readonly Family[] =>
      withLabel([family(name, [{ name, labels: {}, value: 1 }])], 'worker', worker);
    const joined = joinFamilies([of('0', 'tollgate_b'), of('1', 'tollgate_b'), of('1', 'tollgate_a')]);
    expect(joined.map(({ name, samples }) => [name, samples.map(({ labels }) => labels['worker'])])).toEqual([
      ['tollgate_a', ['1']],
      ['tollgate_b', ['0', '1']],
    ]);
  });

  it('tells workers of one number apart: the one that came last keeps it', () => {
    const of = (worker: string, value: number): readonly Family[] =>
      withLabel([family('tollgate_b', [{ name: 'tollgate_b', labels: {}, value }])], 'worker', worker);
    const told = joinFamilies(tellApart([of('0', 1), of('1', 2), of('0', 3), of('0', 4)]));
    expect(told[0]?.samples.map(({ labels, value }) => [labels['worker'], value])).toEqual([
      ['0-leaving2', 1],
      ['1', 2],
      ['0-leaving', 3],
      ['0', 4],
    ]);
  });
});

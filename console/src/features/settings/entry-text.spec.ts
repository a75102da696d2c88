import { describe, expect, it } from '@jest/globals';
import type { TFunction } from 'i18next';
import { entryLines } from './entry-text';

const t = ((key: string, values: Readonly<Record<string, unknown>> = {}) =>
  [key, ...Object.values(values)].join(' ')) as unknown as TFunction;

describe('entryLines', () => {
  it.each<[unknown, readonly string[]]>([
    [0.5, ['0.5']],
    ['words', ['words']],
    [null, ['null']],
    [{}, ['{}']],
    [[], ['[]']],
    [{ default: 0.9, vip: 0 }, ['default ×0.9', 'vip ×0']],
    [{ default: 0.9, vip: '0' }, ['{"default":0.9,"vip":"0"}']],
    [[1, 2], ['[1,2]']],
    [[{ above: 1, surprise: 2 }], ['[{"above":1,"surprise":2}]']],
    [[{ above: '1', input: 2 }], ['[{"above":"1","input":2}]']],
  ])('shows %j as %j', (value, lines) => {
    expect(entryLines(value, t)).toEqual(lines);
  });

  it('shows prices of long calls a line each, and all of them or none', () => {
    const tiers = [
      { above: 200_000, input: 2, output: 1.5 },
      { above: 1_000_000, input: 4, cache_read: 0.5 },
    ];
    expect(entryLines(tiers, t)).toEqual([
      'prices.tier.line 200,000 prices.tier.input 2prices.draft.separatorprices.tier.output 1.5',
      'prices.tier.line 1,000,000 prices.tier.input 4prices.draft.separatorprices.tier.cache_read 0.5',
    ]);
    expect(entryLines([...tiers, 7], t)).toHaveLength(1);
  });
});

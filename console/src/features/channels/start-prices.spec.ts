import { describe, expect, it } from '@jest/globals';
import { aModelPrice } from '../../testing/builders';
import { cheapestChat, isComplete, listPrice, priceFault, priceItems } from './start-prices';

const UNPRICED = aModelPrice({ model: 'house', is_priced: false, input: null, output: null });

describe('typed prices', () => {
  it.each([
    [{ input: '2', output: '4' }, undefined, true],
    [{ input: '0.15', output: '0,6' }, undefined, true],
    [{ input: '0', output: '0' }, undefined, true],
    [{ input: '2', output: '' }, undefined, false],
    [{ input: '', output: '' }, undefined, false],
    [{ input: '-1', output: '4' }, 'number', false],
    [{ input: '1e9', output: '4' }, 'number', false],
    [{ input: '3000000', output: '4' }, 'number', false],
    [{ input: '0', output: '4' }, 'inputZero', false],
  ] as const)('judges %j', (typed, fault, complete) => {
    expect(priceFault(typed)).toBe(fault);
    expect(isComplete(UNPRICED, typed)).toBe(complete);
  });

  it('need no output of models that do not chat', () => {
    expect(isComplete({ ...UNPRICED, is_chat: false }, { input: '2', output: '' })).toBe(true);
  });

  it('begin with the list price where there is one', () => {
    expect(listPrice({ ...UNPRICED, list_input: 3, list_output: 15 })).toEqual({ input: '3', output: '15' });
    expect(listPrice(UNPRICED)).toBeUndefined();
  });
});

describe('priceItems', () => {
  it('turns dollars into ratios, and leaves out models that have a price or none that is complete', () => {
    const priced = aModelPrice({ model: 'gpt-4o' });
    const half = { ...UNPRICED, model: 'half' };
    const items = priceItems(
      [priced, UNPRICED, half],
      new Map([
        ['gpt-4o', { input: '9', output: '9' }],
        ['house', { input: '0.3', output: '1.2' }],
        ['half', { input: '1', output: '' }],
      ]),
    );
    expect(items).toEqual([
      {
        model: 'house',
        entries: [
          { key: 'ModelRatio', listed: 0.15 },
          { key: 'CompletionRatio', listed: 4 },
        ],
      },
    ]);
  });
});

describe('cheapestChat', () => {
  it('prefers the lowest price, typed ones too, among models that are served and chat', () => {
    const prices = [
      aModelPrice({ model: 'dear', input: 15, output: 75 }),
      aModelPrice({ model: 'left-out', input: 0.01, output: 0.01 }),
      aModelPrice({ model: 'vectors', input: 0.01, output: 0, is_chat: false }),
      UNPRICED,
    ];
    const served = new Set(['dear', 'vectors', 'house']);
    expect(cheapestChat(prices, served, new Map([['house', { input: '1', output: '2' }]]))).toBe('house');
    expect(cheapestChat(prices, served, new Map())).toBe('dear');
    expect(cheapestChat(prices, new Set(['vectors']), new Map())).toBeUndefined();
  });
});

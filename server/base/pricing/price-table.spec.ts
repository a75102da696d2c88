import { describe, expect, it } from '@jest/globals';
import { MODEL_FIGURE_KEYS, type PriceDocuments, PriceDocumentError, PriceTable } from './price-table.js';

const NO_PRICES: PriceDocuments = {
  ModelRatio: {},
  CompletionRatio: {},
  CacheRatio: {},
  CreateCacheRatio: {},
  ImageRatio: {},
  AudioRatio: {},
  AudioCompletionRatio: {},
  ModelPrice: {},
  GroupRatio: {},
  SelfUseModeEnabled: false,
  PreConsumedQuota: 0,
  QuotaPerUnit: 1,
};
const table = (changes: Partial<PriceDocuments> = {}): PriceTable =>
  new PriceTable({ ...NO_PRICES, ...changes }, 1);
const own = (text: string): Record<string, number> => JSON.parse(text) as Record<string, number>;

describe('PriceTable', () => {
  it.each(MODEL_FIGURE_KEYS)('refuses a figure of %s that is none, and names it', (key) => {
    for (const figure of [-1, 1_000_000.1, Number.NaN, Number.POSITIVE_INFINITY])
      expect(() => table({ [key]: { good: 1, bad: figure } })).toThrow(`${key}: "bad"`);
    expect(() => table({ [key]: { least: 0, most: 1_000_000 } })).not.toThrow();
  });

  it.each([
    ['QuotaPerUnit', [0, -1, 0.5, Number.NaN, 2 ** 53], [1, Number.MAX_SAFE_INTEGER]],
    ['PreConsumedQuota', [-1, 0.5, Number.NaN, 2 ** 53], [0, Number.MAX_SAFE_INTEGER]],
  ])('refuses a %s that is no whole number of its range', (key, wrong, right) => {
    for (const value of wrong) expect(() => table({ [key]: value })).toThrow(PriceDocumentError);
    for (const value of right) expect(() => table({ [key]: value })).not.toThrow();
  });

  it('refuses a price of a tool that is none', () => {
    expect(() => table({ 'tool_price_setting.prices': { web_search: -1 } })).toThrow(
      'tool_price_setting.prices: "web_search"',
    );
  });

  it('has no price for names of object members, and one when they are names of models', () => {
    for (const word of ['constructor', '__proto__', 'toString', ''])
      expect([table().snapshot(word, 'default', false), table().isPriced(word)]).toEqual([undefined, false]);
    const priced = table({ ModelRatio: own('{"__proto__":2,"constructor":3}') });
    expect(priced.snapshot('__proto__', 'default', false)).toMatchObject({ modelRatio: '2' });
    expect(priced.snapshot('constructor', '__proto__', false)).toMatchObject({
      modelRatio: '3',
      groupRatio: '1',
    });
  });

  it('distinguishes a price of 0 from no price', () => {
    const free = table({ ModelRatio: { m: 0 }, ModelPrice: { picture: 0 } });
    expect(free.snapshot('m', 'default', false)).toMatchObject({ mode: 'ratio', modelRatio: '0' });
    expect(free.snapshot('m', 'default', false)).not.toHaveProperty('unset');
    expect(free.snapshot('picture', 'default', false)).toMatchObject({ mode: 'call', price: '0' });
    expect([free.hasPrice('m', false), free.hasPrice('n', false), free.hasPrice('n', true)]).toEqual([
      true,
      false,
      true,
    ]);
  });

  it('marks an unset price, and keeps it apart from the refusal of accounts that do not accept it', () => {
    const prices = table();
    expect(prices.snapshot('m', 'default', true)).toMatchObject({ modelRatio: '37.5', unset: true });
    expect(prices.snapshot('m', 'default', false)).toBeUndefined();
    expect(table({ SelfUseModeEnabled: true }).snapshot('m', 'default', false)).toMatchObject({
      unset: true,
    });
  });

  it('keeps small ratios exact', () => {
    expect(table({ ModelRatio: { m: 1e-7 } }).snapshot('m', 'default', false)).toMatchObject({
      modelRatio: '0.0000001',
    });
  });

  it('freezes its answers, and returns one object for equal queries', () => {
    const prices = table({ ModelRatio: { m: 1 }, ModelPrice: { p: 1 } });
    for (const model of ['m', 'p']) {
      const snapshot = prices.snapshot(model, 'default', false);
      expect(Object.isFrozen(snapshot)).toBe(true);
      expect(prices.snapshot(model, 'default', false)).toBe(snapshot);
    }
  });

  it('keeps apart calls that differ in what their price depends on', () => {
    const prices = table({
      ModelRatio: { m: 1, 'm ': 2 },
      ImageCompletionRatio: { m: 9 },
      GroupRatio: { vip: 0.5 },
      GroupGroupRatio: { staff: { vip: 0.1 } },
      'tool_price_setting.prices': { web_search: 10, 'web_search@high': 20 },
    });
    const search = { name: 'web-search' } as const;
    const asked = [
      prices.snapshot('m', 'default', false),
      prices.snapshot('m ', 'default', false),
      prices.snapshot('m', 'vip', false),
      prices.snapshot('m', 'vip', false, { userGroup: 'staff' }),
      prices.snapshot('m', 'default', false, { makesPictures: true }),
      prices.snapshot('m', 'default', false, { tools: [search] }),
      prices.snapshot('m', 'default', false, { tools: [{ ...search, contextSize: 'high' }] }),
    ];
    expect(new Set(asked.map((snapshot) => JSON.stringify(snapshot))).size).toBe(asked.length);
    // In the other order the same, out of what is remembered.
    expect(prices.snapshot('m', 'vip', false, { userGroup: 'staff' })).toBe(asked[3]);
    expect(prices.snapshot('m', 'default', false)).toBe(asked[0]);
  });

  it('shares one answer among groups of accounts that agreed on nothing', () => {
    const prices = table({ ModelRatio: { m: 1 }, GroupGroupRatio: { staff: { vip: 0.1 } } });
    const usual = prices.snapshot('m', 'vip', false, { userGroup: 'default' });
    expect(prices.snapshot('m', 'vip', false, { userGroup: 'constructor' })).toBe(usual);
    expect(prices.snapshot('m', 'default', false, { userGroup: 'staff' })).toMatchObject({ groupRatio: '1' });
  });

  it('prices a numbered model under its star name unless it has a price of its own', () => {
    const prices = table({
      ModelRatio: { 'gpt-4-gizmo-*': 5, 'gpt-4-gizmo-own': 6, 'gemini-2.5-flash-thinking-*': 7 },
    });
    const ratioOf = (model: string): unknown => {
      const snapshot = prices.snapshot(model, 'default', false);
      return snapshot?.mode === 'ratio' ? snapshot.modelRatio : undefined;
    };
    expect(
      [
        'gpt-4-gizmo-x',
        'gpt-4-gizmo-own',
        'gemini-2.5-flash-001-thinking-8',
        'gemini-2.5-flash-lite-thinking-8',
        'gemini-2.5-flash-thinking-',
        'my-gpt-4-gizmo-x',
      ].map(ratioOf),
    ).toEqual(['5', '6', '7', undefined, undefined, undefined]);
  });

  it('gives long calls of a numbered model the factors of its star name', () => {
    const family = 'gemini-2.5-pro-thinking-*';
    const prices = table({
      ModelRatio: { [family]: 1 },
      LongContextRatio: { [family]: [{ above: 200_000, input: 2, output: 1.5 }] },
    });
    const snapshot = prices.snapshot('gemini-2.5-pro-preview-thinking-128', 'default', false);
    expect(snapshot).toMatchObject({ tiers: [expect.objectContaining({ above: 200_000 })] });
  });

  it('remembers no more than it may hold, whatever callers name', () => {
    const prices = table();
    const first = prices.snapshot('model 0', 'default', true);
    for (let index = 1; index < 5_000; index += 1) prices.snapshot(`model ${index}`, 'default', true);
    expect(prices.snapshot('model 0', 'default', true)).toBe(first);
    prices.snapshot('one more', 'default', true);
    const again = prices.snapshot('model 0', 'default', true);
    expect(again).not.toBe(first);
    expect(again).toEqual(first);
  });
});

import { describe, expect, it } from '@jest/globals';
import { DEFAULT_TOOL_PRICES, TOOL_PRICE_KEY, ToolPrices } from './tool-prices.js';

const defaults = new ToolPrices(DEFAULT_TOOL_PRICES);

describe('ToolPrices', () => {
  it('finds the usual price of each tool the vendor runs; free ones are left out', () => {
    expect(defaults.ofCall('some-model', [])).toEqual({
      tools: { 'web-search': '10', 'file-search': '2.5', 'image-generation': '150' },
    });
  });

  it('takes the most specific entry for the model, then the one for the size', () => {
    const prices = new ToolPrices({
      web_search: 1,
      'web_search@high': 2,
      'web_search:gpt-*': 3,
      'web_search@high:gpt-*': 4,
      'web_search:gpt-4*': 5,
      'web_search:gpt-4o': 6,
    });
    const of = (model: string, contextSize?: 'high') =>
      prices.ofCall(model, [{ name: 'web-search', ...(contextSize === undefined ? {} : { contextSize }) }])
        .tools?.['web-search'];
    expect([of('x'), of('x', 'high'), of('gpt-3'), of('gpt-3', 'high')]).toEqual(['1', '2', '3', '4']);
    expect([of('gpt-4.1', 'high'), of('gpt-4o', 'high')]).toEqual(['5', '6']);
  });

  it('prices searches by their kind: previews, Google’s, those of models that always search', () => {
    const preview = [{ name: 'web-search', priceKey: 'web_search_preview' }];
    expect(defaults.ofCall('gpt-4.1-mini', preview)).toMatchObject({
      tools: { 'web-search': '25' },
      toolTerms: { 'web-search': 'web_search_preview@medium' },
    });
    expect(defaults.ofCall('gemini-2.5-pro', [])).toMatchObject({ tools: { 'web-search': '14' } });
    expect(defaults.ofCall('gpt-4o-search-preview', [])).toMatchObject({
      tools: { 'web-search': '25' },
      toolsEachCall: ['web-search'],
    });
    expect(defaults.ofCall('sonar-pro', [])).toMatchObject({
      tools: { 'web-search': '6' },
      toolsEachCall: ['web-search'],
    });
    expect(defaults.ofCall('sonar', [{ name: 'web-search', contextSize: 'high' }])).toMatchObject({
      tools: { 'web-search': '12' },
    });
  });

  it('a price of 0 makes a tool free for the models it names', () => {
    const prices = new ToolPrices({ web_search: 10, 'web_search:house-*': 0 });
    expect(prices.ofCall('house-model', [])).toEqual({});
    expect(prices.ofCall('other', [])).toEqual({ tools: { 'web-search': '10' } });
  });

  it.each(['web_search', 'web_search@low', 'web_search:gpt-4*', 'a_b-c@high:openai/gpt-4o'])(
    '%s is a key',
    (key) => {
      expect(TOOL_PRICE_KEY.test(key)).toBe(true);
    },
  );

  it.each(['', 'Web', 'web_search@huge', 'web_search:*gpt', 'web_search:a b', '@low', '__proto__x y'])(
    '%s is none',
    (key) => {
      expect(TOOL_PRICE_KEY.test(key)).toBe(false);
    },
  );
});

import { describe, expect, it } from '@jest/globals';
import { readModelsDev } from './read-models-dev.js';

const read = (facts: object) => readModelsDev({ acme: { models: { m: facts } } })?.[0];

describe('readModelsDev', () => {
  it.each([undefined, [], {}, { acme: { name: 'Acme' } }])('does not take %j for the list', (document) => {
    expect(readModelsDev(document)).toBeUndefined();
  });

  it('reads prices and the largest output', () => {
    expect(read({ cost: { input: 3, output: 15, cache_read: 0.3 }, limit: { output: 64_000 } })).toEqual({
      model: 'm',
      provider: 'acme',
      input: 3,
      output: 15,
      cacheRead: 0.3,
      maxOutput: 64_000,
    });
  });

  it('returns why a model has no price here', () => {
    expect(read({ cost: { output: 3 } })).toMatchObject({ unsupported: 'the list has no price of input' });
    expect(read({ cost: { input: 0, output: 3 } })).toMatchObject({
      unsupported: 'only its output has a price',
    });
    expect(read({ cost: { input: 0, output: 0 } })).toMatchObject({ input: 0, output: 0 });
  });

  it('prefers the tiers of the list to their older form, and sorts them', () => {
    const old = { input: 6, output: 22 };
    const tier = (size: number) => ({ input: size, tier: { type: 'context', size } });
    expect(read({ cost: { input: 3, output: 15, context_over_200k: old } })).toMatchObject({
      tiers: [{ above: 200_000, input: 6, output: 22 }],
    });
    expect(
      read({ cost: { input: 3, output: 15, context_over_200k: old, tiers: [tier(500), tier(100)] } }),
    ).toMatchObject({
      tiers: [
        { above: 100, input: 100, output: 15 },
        { above: 500, input: 500, output: 15 },
      ],
    });
  });
});

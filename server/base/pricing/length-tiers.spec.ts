import { describe, expect, it } from '@jest/globals';
import { readTiers } from './length-tiers.js';

const tier = (above: number, input = 2) => ({ above, input, output: 1.5 });

describe('readTiers', () => {
  it('sorts the tiers of a model, and forgets a model without any', () => {
    const tiers = readTiers({ m: [tier(500_000), tier(200_000)], empty: [] });
    expect(tiers.get('m')?.map(({ above }) => above)).toEqual([200_000, 500_000]);
    expect(tiers.has('empty')).toBe(false);
  });

  it('keeps factors of the cache where there are some, exactly', () => {
    const [read] = readTiers({ m: [{ ...tier(1, 0.1), cache_read: 0.25 }] }).get('m') ?? [];
    expect(read?.input).toBe('0.1');
    expect(read?.cacheRead).toBe('0.25');
    expect(read).not.toHaveProperty('cacheWrite');
  });

  it('refuses two tiers from one length, and names model and length', () => {
    expect(() => readTiers({ m: [tier(1), tier(1)] })).toThrow(
      /"m" has two entries for calls above 1 tokens/,
    );
  });

  it.each([0, -1, 1.5, Number.NaN])('refuses a length of %p', (above) => {
    expect(() => readTiers({ m: [tier(above)] })).toThrow(/"m\.0\.above" must be a whole number/);
  });
});

import { describe, expect, it } from '@jest/globals';
import { sumUsage } from './usage.js';
import type { Usage } from './usage.js';

type Whole<Of> = { readonly [Name in keyof Of]-?: Exclude<Of[Name], undefined> };

/** The compiler refuses one with fewer members than a usage. */
const EVERYTHING: Whole<Usage> & {
  readonly input: Whole<Usage['input']>;
  readonly output: Whole<Usage['output']>;
} = {
  input: { total: 100, cacheRead: 11, cacheWrite: 22, cacheWrite1h: 3, audio: 14, image: 15 },
  output: { total: 200, reasoning: 16, audio: 17, image: 18 },
  units: 2,
  tools: { 'web-search': 1, 'file-search': 4 },
  serviceTier: 'flex',
  reading: 'parts-cut',
};
const NOTHING: Usage = { input: { total: undefined }, output: { total: undefined } };

describe('sumUsage', () => {
  it('adds every figure', () => {
    expect(
      sumUsage(EVERYTHING, { ...EVERYTHING, tools: { 'web-search': 5 }, serviceTier: 'priority' }),
    ).toEqual({
      input: { total: 200, cacheRead: 22, cacheWrite: 44, cacheWrite1h: 6, audio: 28, image: 30 },
      output: { total: 400, reasoning: 32, audio: 34, image: 36 },
      units: 4,
      tools: { 'web-search': 6, 'file-search': 4 },
      serviceTier: 'priority',
      reading: 'parts-cut',
    });
  });

  it('keeps the value only one side reports, whichever it is', () => {
    expect(sumUsage(EVERYTHING, NOTHING)).toEqual(EVERYTHING);
    expect(sumUsage(NOTHING, EVERYTHING)).toEqual(EVERYTHING);
  });

  it('returns nothing when neither side reports, and zero when one reports zero', () => {
    expect(sumUsage(NOTHING, NOTHING)).toEqual(NOTHING);
    expect(sumUsage(NOTHING, { input: { total: 0 }, output: { total: 0, audio: 0 } })).toEqual({
      input: { total: 0 },
      output: { total: 0, audio: 0 },
    });
  });
});

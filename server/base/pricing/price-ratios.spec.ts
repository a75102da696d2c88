import { describe, expect, it } from '@jest/globals';
import { inputRatio, quotient, tierFactors } from './price-ratios.js';

describe('quotient', () => {
  it('keeps twelve digits of what does not end', () => {
    expect(quotient(1, 3)).toBe(0.333333333333);
    expect(quotient(0.3, 0.1)).toBe(3);
  });
});

describe('inputRatio', () => {
  it('takes two dollars a million tokens for 1, and a minute of audio for a thousand tokens', () => {
    expect(inputRatio({ input: 2 })).toBe(1);
    expect(inputRatio({ perAudioMinute: 0.006 })).toBe(3);
    expect(inputRatio({ perCall: 0.04 })).toBeUndefined();
  });
});

describe('tierFactors', () => {
  it('leaves out cache factors that follow the input', () => {
    const usual = { input: 2, output: 12, cacheRead: 0.2, cacheWrite: 2.5 };
    const tier = { above: 200_000, input: 4, output: 18, cacheRead: 0.4, cacheWrite: 7.5 };
    expect(tierFactors(tier, usual)).toEqual({ above: 200_000, input: 2, output: 1.5, cache_write: 3 });
  });

  it('takes 1 where the usual price is unknown or free', () => {
    expect(tierFactors({ above: 1, input: 4, output: 18 }, { input: 0 })).toEqual({
      above: 1,
      input: 1,
      output: 1,
    });
  });
});

import { describe, expect, it } from '@jest/globals';
import { billedTokens } from './billed-usage.js';

describe('tokens of failed attempts', () => {
  it('sums what vendors reported', () => {
    const attempts = [
      { billedUsage: { input: { total: 7 }, output: { total: 2 } } },
      {},
      { billedUsage: { input: { total: 5 }, output: { total: undefined } } },
    ];
    expect(billedTokens(attempts)).toEqual({ prompt_tokens: 12, completion_tokens: 2 });
  });

  it('gives nothing where no vendor reported anything', () => {
    expect(billedTokens([{}, {}])).toBeUndefined();
  });
});

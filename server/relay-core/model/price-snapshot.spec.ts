import { describe, expect, it } from '@jest/globals';
import { mostExpensiveOutput, type PriceSnapshot } from './price-snapshot.js';

const priced = (reasoningRatio: string | undefined, completionRatio: string): PriceSnapshot => ({
  mode: 'ratio',
  model: 'm',
  group: 'default',
  groupRatio: '1',
  quotaPerUnit: 500_000,
  revision: 1,
  modelRatio: '1',
  completionRatio,
  cacheRatio: '1',
  cacheWriteRatio: '1',
  imageRatio: '1',
  audioRatio: '1',
  audioCompletionRatio: '1',
  ...(reasoningRatio === undefined ? {} : { reasoningRatio }),
});

describe('mostExpensiveOutput', () => {
  it.each([
    [undefined, '4', false],
    ['4', '4', false],
    ['3.999', '4', false],
    ['4.000001', '4', true],
    ['10', '9', true],
    ['0', '0', false],
  ])('holds with thoughts at %s and words at %s as for thoughts: %p', (reasoning, completion, isThought) => {
    expect(mostExpensiveOutput(priced(reasoning, completion), 100)).toEqual(
      isThought ? { total: 100, reasoning: 100 } : { total: 100 },
    );
  });

  it('has no part for thoughts when a call has a price of its own', () => {
    const snapshot: PriceSnapshot = { ...priced('9', '1'), mode: 'call', price: '1' };
    expect(mostExpensiveOutput(snapshot, 0)).toEqual({ total: 0 });
  });
});

import { describe, expect, it } from '@jest/globals';
import type { BookedCharge } from './batch-totals.js';
import { referenceSums } from './book-references.js';

const charge = (changes: Partial<BookedCharge['document']>, charged = 5): BookedCharge => ({
  document: {
    user_id: 7,
    token_id: 3,
    channel_id: 4,
    created_at_ms: 900_000 * 10 + 1,
    prompt_tokens: 2,
    completion_tokens: 1,
    ...changes,
  } as BookedCharge['document'],
  charged,
});

describe('sums by token and channel', () => {
  it('adds calls of one quarter of an hour, tokens under their owner', () => {
    expect(referenceSums([charge({}), charge({ created_at_ms: 900_000 * 11 - 1 }, 7)])).toEqual([
      { kind: 'channel', userId: 0, start: 9_000, reference: '4', tokens: 6, count: 2, quota: 12 },
      { kind: 'token', userId: 7, start: 9_000, reference: '3', tokens: 6, count: 2, quota: 12 },
    ]);
  });

  it('keeps quarters of an hour, tokens and channels apart, in one order whatever came first', () => {
    const calls = [
      charge({ token_id: 9 }),
      charge({ channel_id: 8 }),
      charge({ created_at_ms: 900_000 * 12 }),
    ];
    expect(referenceSums(calls)).toHaveLength(6);
    expect(referenceSums(calls.toReversed())).toEqual(referenceSums(calls));
  });

  it('leaves out calls of the playground and of no channel', () => {
    expect(referenceSums([charge({ token_id: undefined, channel_id: 0 })])).toEqual([]);
  });
});

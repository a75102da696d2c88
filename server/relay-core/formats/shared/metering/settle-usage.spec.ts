import { describe, expect, it } from '@jest/globals';
import { settleUsage } from './reported-usage.js';

describe('a report that contradicts itself', () => {
  it('takes sound that makes the total for sound beside the prompt (Mistral) [UP-01]', () => {
    expect(settleUsage({ input: 11, output: 15, total: 401, audioIn: 375 })).toEqual({
      input: { total: 386, audio: 375 },
      output: { total: 15 },
    });
  });

  it('takes cached tokens that make the total for ones beside the prompt', () => {
    expect(settleUsage({ input: 249, output: 10, total: 675, cacheRead: 416 })).toEqual({
      input: { total: 665, cacheRead: 416 },
      output: { total: 10 },
    });
  });

  it('takes parts of both sides for ones beside their whole where only their sum makes the total', () => {
    expect(settleUsage({ input: 10, output: 5, total: 65, cacheRead: 20, reasoning: 30 })).toEqual({
      input: { total: 30, cacheRead: 20 },
      output: { total: 35, reasoning: 30 },
    });
  });

  it('prefers the fewest parts', () => {
    expect(
      settleUsage({ input: 10, output: 5, total: 35, cacheRead: 10, audioIn: 10, reasoning: 20 }),
    ).toMatchObject({ input: { total: 10 }, output: { total: 25 } });
  });

  it('cuts a part above its whole where the sums hold (Doubleword), and records it', () => {
    expect(settleUsage({ input: 4_865, output: 16, total: 4_881, reasoning: 19 })).toEqual({
      input: { total: 4_865 },
      output: { total: 16, reasoning: 16 },
      reading: 'parts-cut',
    });
  });

  it.each([
    [168, 736, 716],
    [0, 736, 716],
  ])(
    'takes the rest of the total for output where %i and its parts are less (Gemini in OpenAI’s form)',
    (output, total, charged) => {
      expect(settleUsage({ input: 20, output, total })).toEqual({
        input: { total: 20 },
        output: { total: charged },
        reading: 'rest-of-total',
      });
    },
  );

  it('adds reasoning above the output where there is no total', () => {
    expect(settleUsage({ input: 1, output: 5, reasoning: 9 })).toEqual({
      input: { total: 1 },
      output: { total: 14, reasoning: 9 },
    });
  });

  it('leaves a total below input and output alone', () => {
    expect(settleUsage({ input: 20, output: 10, total: 12 })).toEqual({
      input: { total: 20 },
      output: { total: 10 },
    });
  });
});

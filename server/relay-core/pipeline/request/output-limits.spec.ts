import { describe, expect, it } from '@jest/globals';
import { aProviderCall } from '../../../../test/support/relay-calls.js';
import { scanObject } from '../../framing/json-splice.js';
import { hasOtherLimits, readOutputLimits } from './output-limits.js';

const CHAT = ['max_tokens', 'max_completion_tokens'];
const GEMINI = ['generationConfig.maxOutputTokens'];
const read = (body: object, places = CHAT) =>
  readOutputLimits(Buffer.from(JSON.stringify(body)), { ...aProviderCall().shape, choices: 1 }, places);

describe('limits of a finished request', () => {
  it.each([
    ['the larger of two caps', { max_tokens: 10, max_completion_tokens: 900 }, CHAT, 900],
    ['a cap in a container', { generationConfig: { maxOutputTokens: 70 } }, GEMINI, 70],
    ['a cap and thoughts beside it', { max_tokens: 10, thinking_budget: 4_000 }, CHAT, 4_010],
    ['a budget no cap has room for', { max_tokens: 10, thinking: { budget_tokens: 2_000 } }, CHAT, 2_010],
    ['a budget inside the cap', { max_tokens: 3_000, thinking: { budget_tokens: 2_000 } }, CHAT, 3_000],
    [
      'thoughts in a container of a container',
      { max_tokens: 10, extra_body: { google: { thinking_config: { thinking_budget: 9_000 } } } },
      CHAT,
      9_010,
    ],
    ['a cap on thoughts alone', { max_tokens: 10, reasoning: { max_tokens: 5_000 } }, CHAT, 5_000],
    [
      'a cap among settings of sampling',
      { max_tokens: 1, sampling_params: { max_new_tokens: 90 } },
      CHAT,
      90,
    ],
    ['a number written as text', { max_tokens: '40' }, CHAT, 40],
  ])('reads %s', (_name, body, places, cap) => {
    expect(read(body, places)).toEqual({ outputCap: cap, choices: 1 });
  });

  it('a cap of a name the vendor does not read bounds nothing, but may stand for more', () => {
    expect(read({ n_predict: 1 })).toEqual({ outputCap: undefined, otherCap: 1, choices: 1 });
    expect(read({ max_tokens: 5, max_new_tokens: 800 })).toEqual({ outputCap: 800, choices: 1 });
    expect(read({ max_tokens: 5 }, GEMINI)).toMatchObject({ outputCap: undefined, otherCap: 5 });
  });

  it('multiplies them by the largest number of answers, null beside another one included', () => {
    expect(read({ n: null, best_of: 4 }).choices).toBe(4);
    expect(read({ n: 3, best_of: 2 }).choices).toBe(3);
    expect(read({ generationConfig: { candidateCount: 5 } }, GEMINI).choices).toBe(5);
    expect(read({ parameters: { sampleCount: 6 } }, []).choices).toBe(6);
    expect(read({ n: 1, num_return_sequences: 8 }).choices).toBe(8);
    expect(read({ sampling_params: { n: 7 } }).choices).toBe(7);
  });

  it.each([
    ['an answer of usual length', { max_tokens: 5, n: 2 }, false],
    ["Gemini's usual settings", { generationConfig: { maxOutputTokens: 5, candidateCount: 2 } }, false],
    ['what Gemini may think', { generationConfig: { thinkingConfig: { thinkingBudget: 9_000 } } }, true],
    ['the same in the other spelling', { generation_config: { thinking_config: {} } }, true],
    ['answers by another name', { num_return_sequences: 8 }, true],
  ])("looks for them in a caller's own bytes where they say %s: %j", (_what, body, isLookedFor) => {
    const document = scanObject(Buffer.from(JSON.stringify(body)));
    if (typeof document === 'string') throw new Error(document);
    expect(hasOtherLimits(document)).toBe(isLookedFor);
  });
});

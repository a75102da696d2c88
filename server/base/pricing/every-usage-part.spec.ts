import { describe, expect, it } from '@jest/globals';
import type { Usage } from '../../relay-core/model/usage.js';
import { aPrice } from '../../../test/support/price-snapshots.js';
import { calculateQuota } from './calculate-quota.js';
import { explainCharge } from './explain-charge.js';
import { writePartSentences } from './log-part-sentences.js';
import { partRatios } from './price-parts.js';
import { inputLength, splitUsage, TOTAL_OF_PART, USAGE_PARTS, type UsagePart } from './usage-parts.js';

const TOKENS = 7;
const input = (parts: Omit<Usage['input'], 'total'> = {}): Usage => ({
  input: { total: TOKENS, ...parts },
  output: { total: 0 },
});
const output = (parts: Omit<Usage['output'], 'total'> = {}): Usage => ({
  input: { total: 0 },
  output: { total: TOKENS, ...parts },
});

/** A usage of this part and nothing else, as a vendor reports it. */
const USAGES: Readonly<Record<UsagePart, Usage>> = {
  textInput: input(),
  cacheRead: input({ cacheRead: TOKENS }),
  cacheWrite: input({ cacheWrite: TOKENS }),
  cacheWrite1h: input({ cacheWrite: TOKENS, cacheWrite1h: TOKENS }),
  imageInput: input({ image: TOKENS }),
  audioInput: input({ audio: TOKENS }),
  textOutput: output(),
  reasoningOutput: output({ reasoning: TOKENS }),
  audioOutput: output({ audio: TOKENS }),
  imageOutput: output({ image: TOKENS }),
};

const PRICES = {
  completionRatio: '3',
  cacheRatio: '5',
  cacheWriteRatio: '11',
  cacheWrite1hRatio: '13',
  imageRatio: '17',
  audioRatio: '19',
  audioCompletionRatio: '23',
  reasoningRatio: '29',
  imageOutputRatio: '31',
};
const EXACT = aPrice(PRICES);
/** Too many digits for plain numbers: another way to the same sum. */
const LONG = aPrice({ ...PRICES, groupRatio: '1.00000000000000000001' });

describe.each(USAGE_PARTS)('the part %s', (part) => {
  const usage = USAGES[part];
  const parts = splitUsage(usage, true);
  const { units: ratio } = partRatios(EXACT)[part];

  it('has its tokens alone', () => {
    const others = USAGE_PARTS.filter((other) => other !== part).map((other) => [other, 0]);
    expect(parts).toEqual({ ...Object.fromEntries(others), [part]: TOKENS });
    expect(inputLength(parts)).toBe(TOTAL_OF_PART[part] === 'input' ? TOKENS : 0);
  });

  it('has a price of its own', () => {
    const same = USAGE_PARTS.filter((other) => partRatios(EXACT)[other].units === ratio);
    expect(same).toEqual([part]);
  });

  it.each([
    ['in plain numbers', EXACT],
    ['in long ones', LONG],
  ])('costs its tokens at that price, %s', (_name, snapshot) => {
    const charged = TOKENS * Number(ratio);
    expect(calculateQuota(usage, snapshot)).toBe(charged);
    const explained = explainCharge({ usage, snapshot, evidence: 'reported', charged, writeoff: 0 });
    expect(explained.steps.map((step) => [step.part, step.count])).toEqual([[part, TOKENS]]);
    expect(explained.isConsistent).toBe(true);
  });

  it('has a sentence in the log line, unless it is plain text', () => {
    const sentences = writePartSentences({ usage, snapshot: EXACT });
    const isPlain = part === 'textInput' || part === 'textOutput';
    expect(sentences).toEqual(isPlain ? [] : [expect.stringContaining(`${TOKENS} tokens at ratio ${ratio}`)]);
  });
});

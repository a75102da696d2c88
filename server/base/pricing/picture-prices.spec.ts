import { describe, expect, it } from '@jest/globals';
import type { Caller, CallShape } from '../../relay-core/model/call.js';
import type { PriceSnapshot } from '../../relay-core/model/price-snapshot.js';
import { calculateQuota } from './calculate-quota.js';
import {
  DEFAULT_AUDIO_COMPLETION_RATIO,
  DEFAULT_AUDIO_RATIO,
  DEFAULT_COMPLETION_RATIO,
  DEFAULT_IMAGE_RATIO,
  DEFAULT_MODEL_PRICE,
  DEFAULT_MODEL_RATIO,
} from './defaults/default-prices.js';
import { explainCharge } from './explain-charge.js';
import { OptionPriceBook } from './option-price-book.js';

const call = (fields: Partial<PriceSnapshot & { mode: 'call' }> = {}): PriceSnapshot => ({
  mode: 'call',
  model: 'dall-e-3',
  group: 'default',
  price: '0.04',
  groupRatio: '1',
  quotaPerUnit: 500_000,
  revision: 1,
  ...fields,
});
const made = (units: number | undefined) => ({
  input: { total: 1 },
  output: { total: 0 },
  ...(units === undefined ? {} : { units }),
});

describe('a price per picture', () => {
  it.each([
    [undefined, undefined, 20_000],
    [1, undefined, 20_000],
    [3, undefined, 60_000],
    [2, '1.5', 60_000],
    [1, '0.45', 9_000],
    // A call whose image was begun and never came is paid for once; the vendor charges it too.
    [0, undefined, 20_000],
    // A figure no call can reach counts as the most one can.
    [5_000_000, undefined, 20_000_000],
  ])('charges for %p images with factor %p %d, rounds once, and explains it', (units, factor, expected) => {
    const snapshot = call(factor === undefined ? {} : { factor });
    const usage = made(units);
    expect(calculateQuota(usage, snapshot)).toBe(expected);
    const explained = explainCharge({
      usage,
      snapshot,
      evidence: 'counted',
      charged: expected,
      writeoff: 0,
    });
    expect(explained).toMatchObject({ isConsistent: true, exact: String(expected) });
    expect(explained.formula).toContain(`→ ${expected}`);
    expect(explained.factor).toEqual(factor === undefined ? undefined : { name: '', ratio: factor });
  });

  it('costs nothing without use, and rounds once for all images together', () => {
    expect(calculateQuota({ input: { total: 0 }, output: { total: 0 }, units: 0 }, call())).toBe(0);
    // 0.0000015 × 500,000 = 0.75 each: three of them are 2.25, not 3.
    expect(calculateQuota(made(3), call({ price: '0.0000015' }))).toBe(2);
  });
});

describe('the list prices of media', () => {
  const book = new OptionPriceBook({
    revision: 1,
    values: () => ({
      ModelRatio: DEFAULT_MODEL_RATIO,
      CompletionRatio: DEFAULT_COMPLETION_RATIO,
      CacheRatio: {},
      CreateCacheRatio: {},
      ImageRatio: DEFAULT_IMAGE_RATIO,
      AudioRatio: DEFAULT_AUDIO_RATIO,
      AudioCompletionRatio: DEFAULT_AUDIO_COMPLETION_RATIO,
      ModelPrice: DEFAULT_MODEL_PRICE,
      GroupRatio: { default: 1 },
      SelfUseModeEnabled: false,
      PreConsumedQuota: 500,
      QuotaPerUnit: 500_000,
    }),
  });
  const quoteOf = (model: string, fields: Partial<CallShape>) => {
    const shape: CallShape = {
      operation: 'chat',
      model,
      stream: false,
      outputCap: undefined,
      choices: 1,
      promptTokens: 0,
      wantsStreamUsage: false,
      ...fields,
    };
    const quote = book.quote({ group: 'default', acceptsUnsetPrice: false } as Caller, shape);
    if (!quote.ok) throw new Error(quote.error.message);
    return quote.value;
  };
  const dollars = (amount: number): number => amount * 500_000;

  it('a minute of whisper is 0.006 dollars', () => {
    const quote = quoteOf('whisper-1', { operation: 'transcribe', heldOutput: { tokens: 0, kind: 'text' } });
    expect(quote.charge({ input: { total: 1_000 }, output: { total: 0 } })).toBe(dollars(0.006));
  });

  it('charges 15 dollars for a million characters of tts-1, and nothing for its audio', () => {
    const heldOutput = { tokens: 5_000, kind: 'audio' } as const;
    const quote = quoteOf('tts-1', { operation: 'speak', promptTokens: 100, heldOutput });
    expect(quote.estimate).toBe(750);
    expect(quote.charge({ input: { total: 1_000_000 }, output: { total: 900, audio: 900 } })).toBe(
      dollars(15),
    );
  });

  it('charges a million tokens of gpt-4o-mini-tts: 0.60 dollars for text, 12 for audio', () => {
    const quote = quoteOf('gpt-4o-mini-tts', {
      operation: 'speak',
      heldOutput: { tokens: 1, kind: 'audio' },
    });
    const usage = { input: { total: 1_000_000 }, output: { total: 1_000_000, audio: 1_000_000 } };
    expect(quote.charge(usage)).toBe(dollars(12.6));
  });

  it('charges gpt-image-1: 5 dollars for text, 10 for input images, 40 for output images', () => {
    const quote = quoteOf('gpt-image-1', {
      operation: 'image',
      choices: 2,
      heldOutput: { tokens: 1_000, kind: 'image' },
    });
    const usage = { input: { total: 2_000_000, image: 1_000_000 }, output: { total: 1_000_000 } };
    expect(quote.charge(usage)).toBe(dollars(55));
    expect(quote.estimate).toBe(dollars(0.08));
  });

  it('holds and charges two large images of dall-e-3 at twice their price', () => {
    const callFactorName = '1024x1792';
    const quote = quoteOf('dall-e-3', {
      operation: 'image',
      choices: 2,
      callFactor: '2',
      callFactorName,
      promptTokens: 5,
    });
    expect(quote.snapshot).toMatchObject({ factor: '2', factorName: callFactorName });
    expect(quote.estimate).toBe(dollars(0.16));
    expect(quote.charge({ input: { total: 5 }, output: { total: 0 }, units: 2 })).toBe(dollars(0.16));
  });

  it('charges realtime: audio input at 32 dollars, output at 64, text at 4 and 16 a million', () => {
    const quote = quoteOf('gpt-realtime', { stream: true, heldOutput: { tokens: 2_000, kind: 'audio' } });
    const usage = {
      input: { total: 2_000_000, audio: 1_000_000 },
      output: { total: 2_000_000, audio: 1_000_000 },
    };
    expect(quote.charge(usage)).toBe(dollars(4 + 32 + 16 + 64));
    expect(quote.estimate).toBe(dollars(0.128));
  });
});

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Usage } from '../../relay-core/model/usage.js';
import { aFixedPrice, aPrice, type RatioSnapshot, used } from '../../../test/support/price-snapshots.js';
import { calculateQuota, MAX_CHARGE } from './calculate-quota.js';

describe('calculateQuota', () => {
  it.each([
    ['fx-std of the failure catalogue', used(10, 50), aPrice({ completionRatio: '2' }), 110], // (10 + 50 × 2) × 1 × 1
    ['a half is rounded up', used(1, 0), aPrice({ modelRatio: '2.5' }), 3], // 2.5 → 3
    ['just below a half is rounded down', used(1, 0), aPrice({ modelRatio: '2.4999999' }), 2],
    ['QUOTA-107: a paid call costs at least 1', used(1, 0), aPrice({ modelRatio: '0.0001' }), 1],
    [
      'a group factor applies to everything',
      used(100, 100),
      aPrice({ groupRatio: '0.5', completionRatio: '3' }),
      200,
    ], // (100 + 300) × 0.5
    ['a group factor of 0 is free', used(100, 100), aPrice({ groupRatio: '0' }), 0],
    ['nothing used costs nothing', used(0, 0), aPrice(), 0],
    [
      'cached tokens are inside the prompt and cheaper', // (1000 − 800 + 800 × 0.1) × 1.25 = 350
      { input: { total: 1_000, cacheRead: 800 }, output: { total: 0 } },
      aPrice({ modelRatio: '1.25', cacheRatio: '0.1' }),
      350,
    ],
    [
      'QUOTA-110: image, cache write and audio are each priced once',
      // 100 text + 100 × 1.25 + 100 × 2 + 100 × 16 + out: 50 text × 4 + 50 audio × 16 × 2 = 3,825
      { input: { total: 400, cacheWrite: 100, image: 100, audio: 100 }, output: { total: 100, audio: 50 } },
      aPrice({ completionRatio: '4', imageRatio: '2', audioRatio: '16', audioCompletionRatio: '2' }),
      3_825,
    ],
    [
      'cache writes for an hour cost 1.6 times those for five minutes',
      // 100 text + 300 × 1.25 + 100 × 1.25 × 1.6 + 50 × 0.1 = 680
      {
        input: { total: 550, cacheRead: 50, cacheWrite: 400, cacheWrite1h: 100 },
        output: { total: 0 },
      },
      aPrice({ cacheRatio: '0.1' }),
      680,
    ],
    [
      'unless a price of their own is set',
      { input: { total: 100, cacheWrite: 100, cacheWrite1h: 100 }, output: { total: 0 } },
      aPrice({ cacheWrite1hRatio: '3' }),
      300,
    ],
    [
      'reasoning is part of the output',
      { input: { total: 0 }, output: { total: 30, reasoning: 20 } },
      aPrice(),
      30,
    ],
    [
      'reasoning with a price of its own is priced apart: 10 + 20 × 3',
      { input: { total: 0 }, output: { total: 30, reasoning: 20 } },
      aPrice({ reasoningRatio: '3' }),
      70,
    ],
    [
      'reasoning that claims more than the output is cut',
      { input: { total: 0 }, output: { total: 30, reasoning: 999 } },
      aPrice({ reasoningRatio: '3' }),
      90,
    ],
    [
      'details that claim more than the total are cut',
      { input: { total: 10, cacheRead: 999 }, output: { total: 0 } },
      aPrice(),
      10,
    ],
    ['negative and fractional figures count as less, never as credit', used(-5, 2.9), aPrice(), 2],
    [
      'an unknown total is the sum of its parts',
      { input: { total: undefined, cacheRead: 7 }, output: { total: 3 } },
      aPrice(),
      10,
    ],
  ] as const)('%s', (_, usage, snapshot, expected) => {
    expect(calculateQuota(usage, snapshot)).toBe(expected);
  });

  it('a price per call is taken whole, with the group factor, and only when something was used', () => {
    expect(calculateQuota(used(5, 5), aFixedPrice('0.002'))).toBe(1_000);
    expect(calculateQuota(used(5, 5), aFixedPrice('0.002', '0.0015'))).toBe(2); // 1.5 → 2
    expect(calculateQuota(used(0, 0), aFixedPrice('0.002'))).toBe(0);
    expect(
      calculateQuota({ input: { total: undefined }, output: { total: undefined } }, aFixedPrice('0.002')),
    ).toBe(1_000);
    expect(calculateQuota(used(5, 5), aFixedPrice('0'))).toBe(0);
  });

  it('stays a safe integer for absurd figures', () => {
    const price = aPrice({ modelRatio: '1000000', completionRatio: '1000000' });
    expect(calculateQuota(used(1e12, 1e12), price)).toBe(MAX_CHARGE);
  });

  /** The formula in plain rationals, written without looking at the implementation's shortcuts. */
  function reference(usage: Usage, price: RatioSnapshot): bigint {
    const scale = 10n ** 12n;
    const exact = (text: string): bigint => {
      const [whole = '0', fraction = ''] = text.split('.');
      return BigInt(whole + fraction.padEnd(12, '0').slice(0, 12));
    };
    const { input, output } = usage;
    const [cached, allWritten, hourly, audioIn, image] = [
      input.cacheRead,
      input.cacheWrite,
      input.cacheWrite1h,
      input.audio,
      input.image,
    ].map((n) => BigInt(n ?? 0));
    const written = (allWritten ?? 0n) - (hourly ?? 0n);
    const text =
      BigInt(input.total ?? 0) - (cached ?? 0n) - (allWritten ?? 0n) - (audioIn ?? 0n) - (image ?? 0n);
    const audioOut = BigInt(output.audio ?? 0);
    const one = scale * scale;
    const sum =
      text * one +
      (cached ?? 0n) * exact(price.cacheRatio) * scale +
      written * exact(price.cacheWriteRatio) * scale +
      ((hourly ?? 0n) * exact(price.cacheWriteRatio) * scale * 16n) / 10n +
      (image ?? 0n) * exact(price.imageRatio) * scale +
      (audioIn ?? 0n) * exact(price.audioRatio) * scale +
      (BigInt(output.total ?? 0) - audioOut) * exact(price.completionRatio) * scale +
      audioOut * exact(price.audioRatio) * exact(price.audioCompletionRatio);
    const product = sum * exact(price.modelRatio) * exact(price.groupRatio);
    const unit = one * scale * scale;
    const rounded = (product * 2n + unit) / (unit * 2n);
    const tokens = (input.total ?? 0) + (output.total ?? 0);
    const isFree = exact(price.modelRatio) * exact(price.groupRatio) === 0n;
    return tokens > 0 && !isFree && rounded === 0n ? 1n : rounded;
  }

  const decimal = fc
    .tuple(
      fc.integer({ min: 0, max: 100 }),
      fc.integer({ min: 0, max: 999_999 }),
      fc.integer({ min: 0, max: 6 }),
    )
    .map(([whole, fraction, places]) =>
      places === 0 ? `${whole}` : `${whole}.${String(fraction).padStart(6, '0').slice(0, places)}`,
    );
  const tokens = fc.integer({ min: 0, max: 2_000_000 });

  it('equals exact rational arithmetic for any usage and any decimals [BIL-05]', () => {
    fc.assert(
      fc.property(
        fc.record({
          modelRatio: decimal,
          completionRatio: decimal,
          cacheRatio: decimal,
          cacheWriteRatio: decimal,
          imageRatio: decimal,
          audioRatio: decimal,
          audioCompletionRatio: decimal,
          groupRatio: decimal,
        }),
        fc.tuple(tokens, tokens, tokens, tokens, tokens, tokens, tokens, tokens),
        (ratios, [text, cacheRead, shortWrite, cacheWrite1h, image, audio, outText, outAudio]) => {
          const cacheWrite = shortWrite + cacheWrite1h;
          const usage: Usage = {
            input: {
              total: text + cacheRead + cacheWrite + image + audio,
              cacheRead,
              cacheWrite,
              cacheWrite1h,
              image,
              audio,
            },
            output: { total: outText + outAudio, audio: outAudio },
          };
          const price = aPrice(ratios);
          const charge = calculateQuota(usage, price);
          const expected = reference(usage, price);
          expect(BigInt(charge)).toBe(expected > BigInt(MAX_CHARGE) ? BigInt(MAX_CHARGE) : expected);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('stays finite and not negative whatever an upstream claims', () => {
    const claim = fc.oneof(fc.double(), fc.integer(), fc.constant(undefined));
    fc.assert(
      fc.property(claim, claim, claim, claim, (total, cacheRead, output, audio) => {
        const usage = { input: { total, cacheRead }, output: { total: output, audio } };
        const charge = calculateQuota(usage, aPrice({ modelRatio: '37.5', audioRatio: '16' }));
        expect(Number.isSafeInteger(charge) && charge >= 0).toBe(true);
      }),
    );
  });

  it('keeps every unit over a hundred thousand calls [BIL-05]', () => {
    const price = aPrice({ modelRatio: '0.075', completionRatio: '4' });
    let sum = 0;
    for (let index = 0; index < 100_000; index += 1) sum += calculateQuota(used(37, 21), price);
    expect(sum).toBe(900_000); // (37 + 84) × 0.075 = 9.075 → 9
  });
});

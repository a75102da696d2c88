import { getOrAdd } from '../../common/get-or-add.js';
import { multiplyRatios, parseRatio, type Ratio } from '../../common/ratio.js';
import type { LengthTier, PriceSnapshot } from '../../relay-core/model/price-snapshot.js';
import { USAGE_PARTS, type UsagePart } from './usage-parts.js';

export type RatioPrices = PriceSnapshot & { mode: 'ratio' };
export type CallPrices = PriceSnapshot & { mode: 'call' };

const ONE: Ratio = { units: 1n, scale: 0 };
const THOUSANDTH: Ratio = { units: 1n, scale: 3 };
/** Writes kept for an hour cost this much of the five-minute ones where nothing else is set (6 ÷ 3.75). */
const HOUR_WRITE_FACTOR: Ratio = { units: 16n, scale: 1 };

/** The tier a call of this length is priced by; undefined = the usual prices. @param length  input tokens */
export function tierOf(snapshot: RatioPrices, length: number): LengthTier | undefined {
  return snapshot.tiers?.findLast((tier) => length > tier.above);
}

type PartRatios = Readonly<Record<UsagePart, Ratio>>;

const usualRatios = new WeakMap<RatioPrices, PartRatios>();

/** Price of one token of each part, as exact decimals: base ratio × the part's own ratio. */
export function partRatios(snapshot: RatioPrices, tier?: LengthTier): PartRatios {
  const usual = getOrAdd(usualRatios, snapshot, () => readRatios(snapshot));
  return tier === undefined ? usual : inTier(usual, tier);
}

function readRatios(snapshot: RatioPrices): PartRatios {
  const audio = parseRatio(snapshot.audioRatio);
  const cacheWrite = parseRatio(snapshot.cacheWriteRatio);
  const completion = parseRatio(snapshot.completionRatio);
  return {
    textInput: ONE,
    cacheRead: parseRatio(snapshot.cacheRatio),
    cacheWrite,
    cacheWrite1h:
      snapshot.cacheWrite1hRatio === undefined
        ? multiplyRatios(cacheWrite, HOUR_WRITE_FACTOR)
        : parseRatio(snapshot.cacheWrite1hRatio),
    imageInput: parseRatio(snapshot.imageRatio),
    audioInput: audio,
    textOutput: completion,
    reasoningOutput: snapshot.reasoningRatio === undefined ? completion : parseRatio(snapshot.reasoningRatio),
    audioOutput: multiplyRatios(audio, parseRatio(snapshot.audioCompletionRatio)),
    imageOutput: snapshot.imageOutputRatio === undefined ? completion : parseRatio(snapshot.imageOutputRatio),
  };
}

function inTier(usual: PartRatios, tier: LengthTier): PartRatios {
  const factors: Record<UsagePart, string> = {
    textInput: tier.input,
    cacheRead: tier.cacheRead ?? tier.input,
    cacheWrite: tier.cacheWrite ?? tier.input,
    cacheWrite1h: tier.cacheWrite ?? tier.input,
    imageInput: tier.input,
    audioInput: tier.input,
    textOutput: tier.output,
    reasoningOutput: tier.output,
    audioOutput: tier.output,
    imageOutput: tier.output,
  };
  const priced = USAGE_PARTS.map((part) => [part, multiplyRatios(usual[part], parseRatio(factors[part]))]);
  return Object.fromEntries(priced) as Record<UsagePart, Ratio>;
}

/** Factor of the class of service a call was served in; undefined = the usual one, or one without a price of its own. */
export function serviceFactor(snapshot: RatioPrices, serviceTier: string | undefined): string | undefined {
  const factors = snapshot.serviceTiers;
  if (factors === undefined || serviceTier === undefined) return undefined;
  const name = pricedTier(factors, serviceTier);
  return name === undefined ? undefined : factors[name];
}

/**
 * The entry that prices a class of service. OpenAI calls `priority` `fast` since 2026-07-30
 * (https://developers.openai.com/api/docs/guides/fast-mode, read 2026-11-25); lists have the one name, answers either.
 */
export function pricedTier(
  factors: Readonly<Record<string, string>>,
  serviceTier: string,
): string | undefined {
  if (Object.hasOwn(factors, serviceTier)) return serviceTier;
  return serviceTier === 'fast' && Object.hasOwn(factors, 'priority') ? 'priority' : undefined;
}

/** Quota of one token of input before its part's own ratio. @param factor  of the class of service */
export function baseRatio(snapshot: RatioPrices, factor?: string): Ratio {
  const usual = multiplyRatios(parseRatio(snapshot.modelRatio), parseRatio(snapshot.groupRatio));
  return factor === undefined ? usual : multiplyRatios(usual, parseRatio(factor));
}

/** Quota of one unit (a call, or an image) before rounding. */
export function unitPrice(snapshot: CallPrices): Ratio {
  return multiplyRatios(
    multiplyRatios(
      multiplyRatios(parseRatio(snapshot.price), parseRatio(snapshot.factor ?? 1)),
      parseRatio(snapshot.groupRatio),
    ),
    parseRatio(snapshot.quotaPerUnit),
  );
}

/** Quota of one use of a tool before rounding; zero for tools without a price. */
export function toolPrice(snapshot: PriceSnapshot, tool: string): Ratio {
  const perThousand = snapshot.tools;
  if (perThousand === undefined || !Object.hasOwn(perThousand, tool)) return { units: 0n, scale: 0 };
  return multiplyRatios(
    multiplyRatios(parseRatio(perThousand[tool] ?? 0), THOUSANDTH),
    multiplyRatios(parseRatio(snapshot.groupRatio), parseRatio(snapshot.quotaPerUnit)),
  );
}

import { getOrAdd } from '../../common/get-or-add.js';
import { toQuota, ZERO_QUOTA, type Quota } from '../../common/quota.js';
import { multiplyRatios, rescale, type Ratio } from '../../common/ratio.js';
import type { LengthTier, PriceSnapshot } from '../../relay-core/model/price-snapshot.js';
import type { Usage } from '../../relay-core/model/usage.js';
import {
  baseRatio,
  partRatios,
  serviceFactor,
  toolPrice,
  unitPrice,
  type CallPrices,
  type RatioPrices,
} from './price-parts.js';
import {
  inputLength,
  isKnownEmpty,
  splitUsage,
  toolUses,
  USAGE_PARTS,
  type UsageParts,
} from './usage-parts.js';

/** Largest charge of one call; a larger product is cut here, far above any balance. */
export const MAX_CHARGE = Number.MAX_SAFE_INTEGER;

/** More images than any call makes: a larger number is invalid and counts as this much. */
const MAX_UNITS = 1_000;

/** The prices of one length of call as whole numbers over one power of ten, so that a charge is one integer sum. */
interface Coefficients {
  /** Applies to calls with more input tokens than this. */
  readonly above: number;
  /** In the order of USAGE_PARTS. Numbers when they fit exactly, for speed; the same values as bigints otherwise. */
  readonly exact: readonly bigint[];
  readonly small: UsageParts | undefined;
}

/** A snapshot, compiled. */
interface CompiledPrice {
  readonly divisor: bigint;
  /** Mode ratio: no token costs anything. Mode call: no call does. */
  readonly isFree: boolean;
  readonly hasReasoningPrice: boolean;
  /** Mode ratio: ascending by `above`, the usual prices first. */
  readonly lengths: readonly Coefficients[];
  /** Mode call: the exact price of one unit over `divisor`, and the charge for it. */
  readonly unit: bigint;
  readonly fixed: Quota | undefined;
  /** Price of one use of each tool that has one, over `divisor`. */
  readonly tools: ReadonlyMap<string, bigint> | undefined;
}

const compiled = new WeakMap<PriceSnapshot, CompiledPrice>();

function compile(snapshot: PriceSnapshot): CompiledPrice {
  return getOrAdd(compiled, snapshot, () =>
    snapshot.mode === 'call' ? compileFixed(snapshot) : compileRatios(snapshot),
  );
}

const compiledOfTiers = new WeakMap<PriceSnapshot, Map<string, CompiledPrice>>();

/** The prices of the class of service a call was served in; a price per call is the same in each. */
function compileFor(snapshot: PriceSnapshot, serviceTier: string | undefined): CompiledPrice {
  if (serviceTier === undefined || snapshot.mode === 'call') return compile(snapshot);
  const factor = serviceFactor(snapshot, serviceTier);
  if (factor === undefined) return compile(snapshot);
  const known = compiledOfTiers.get(snapshot) ?? new Map<string, CompiledPrice>();
  compiledOfTiers.set(snapshot, known);
  const price = known.get(factor) ?? compileRatios(snapshot, factor);
  known.set(factor, price);
  return price;
}

const toolPrices = (snapshot: PriceSnapshot): readonly (readonly [string, Ratio])[] =>
  Object.keys(snapshot.tools ?? {}).map((name) => [name, toolPrice(snapshot, name)] as const);

const scaleTools = (
  tools: readonly (readonly [string, Ratio])[],
  scale: number,
): ReadonlyMap<string, bigint> | undefined =>
  tools.length === 0 ? undefined : new Map(tools.map(([name, price]) => [name, rescale(price, scale)]));

function compileFixed(snapshot: CallPrices): CompiledPrice {
  const exact = unitPrice(snapshot);
  const tools = toolPrices(snapshot);
  const scale = Math.max(exact.scale, ...tools.map(([, price]) => price.scale));
  const unit = rescale(exact, scale);
  const divisor = 10n ** BigInt(scale);
  return {
    divisor,
    isFree: unit === 0n,
    hasReasoningPrice: false,
    lengths: [],
    unit,
    fixed: finish(unit, divisor, unit !== 0n),
    tools: scaleTools(tools, scale),
  };
}

function compileRatios(snapshot: RatioPrices, factor?: string): CompiledPrice {
  const base = baseRatio(snapshot, factor);
  const tiers: readonly (LengthTier | undefined)[] = [undefined, ...(snapshot.tiers ?? [])];
  const products = tiers.map((tier) => {
    const parts = partRatios(snapshot, tier);
    return USAGE_PARTS.map((part) => multiplyRatios(base, parts[part]));
  });
  const tools = toolPrices(snapshot);
  const scale = Math.max(
    ...products.flat().map((product) => product.scale),
    ...tools.map(([, { scale: s }]) => s),
  );
  const divisor = 10n ** BigInt(scale);
  return {
    divisor,
    isFree: base.units === 0n,
    hasReasoningPrice: snapshot.reasoningRatio !== undefined,
    lengths: products.map((list, index) => {
      const exact = list.map((product) => rescale(product, scale));
      const isSmall = [...exact, divisor].every((value) => value <= BigInt(Number.MAX_SAFE_INTEGER));
      return { above: tiers[index]?.above ?? -1, exact, small: isSmall ? pricesOf(exact) : undefined };
    }),
    unit: 0n,
    fixed: undefined,
    tools: scaleTools(tools, scale),
  };
}

/** The one rounding of the money rules, half up; what is paid for costs at least 1. */
function finish(sum: bigint, divisor: bigint, isPaid: boolean): Quota {
  const rounded = (sum + divisor / 2n) / divisor;
  if (rounded > BigInt(MAX_CHARGE)) return toQuota(MAX_CHARGE);
  return toQuota(rounded === 0n && isPaid ? 1 : Number(rounded));
}

/** Units a price per call is paid for: what was begun counts. 0 when nothing was used. */
export function unitsOf(usage: Usage): number {
  if (isKnownEmpty(usage) && (usage.units ?? 0) === 0) return 0;
  return Math.min(Math.max(1, Math.trunc(usage.units ?? 1)), MAX_UNITS);
}

/**
 * Charge for a finished call.
 * @param usage  token counts; totals include their parts
 * @param snapshot  prices frozen at admission (ratio 1 = 2 US dollars per million input tokens)
 * @returns integer quota, rounded once, half up; 0 when nothing was used or the price is 0, at least 1 otherwise
 * Fails: throws RangeError for a snapshot whose ratios are not decimals; the price book never makes one.
 */
export function calculateQuota(usage: Usage, snapshot: PriceSnapshot): Quota {
  const price = compileFor(snapshot, usage.serviceTier);
  const tools =
    price.tools === undefined || (usage.tools === undefined && snapshot.toolsEachCall === undefined)
      ? 0n
      : toolSum(usage, snapshot, price.tools);
  if (price.fixed !== undefined) {
    const units = unitsOf(usage);
    if (tools === 0n && units <= 1) return units === 0 ? ZERO_QUOTA : price.fixed;
    const isPaid = (units > 0 && !price.isFree) || tools > 0n;
    return finish(price.unit * BigInt(units) + tools, price.divisor, isPaid);
  }
  if (price.isFree && tools === 0n) return ZERO_QUOTA;
  const parts = splitUsage(usage, price.hasReasoningPrice);
  const length = lengthOf(price, parts);
  if (tools > 0n) return exactCharge(parts, price, length, tools);
  return smallCharge(parts, price, length) ?? exactCharge(parts, price, length, tools);
}

function toolSum(usage: Usage, snapshot: PriceSnapshot, prices: ReadonlyMap<string, bigint>): bigint {
  let sum = 0n;
  for (const [name, count] of toolUses(usage, snapshot.toolsEachCall))
    sum += BigInt(count) * (prices.get(name) ?? 0n);
  return sum;
}

function lengthOf({ lengths }: CompiledPrice, parts: UsageParts): Coefficients {
  const usual = lengths[0] as Coefficients;
  if (lengths.length === 1) return usual;
  const tokens = inputLength(parts);
  return lengths.findLast(({ above }) => tokens > above) ?? usual;
}

/** In the order of USAGE_PARTS. */
const pricesOf = (exact: readonly bigint[]): UsageParts =>
  Object.fromEntries(USAGE_PARTS.map((part, index) => [part, Number(exact[index])])) as unknown as UsageParts;

const ONE_EACH = pricesOf(USAGE_PARTS.map(() => 1n));

/** Every part times its price. Spelt out: looking parts up by their names takes ten times as long. */
const productOf = (parts: UsageParts, prices: UsageParts): number =>
  parts.textInput * prices.textInput +
  parts.cacheRead * prices.cacheRead +
  parts.cacheWrite * prices.cacheWrite +
  parts.cacheWrite1h * prices.cacheWrite1h +
  parts.imageInput * prices.imageInput +
  parts.audioInput * prices.audioInput +
  parts.textOutput * prices.textOutput +
  parts.reasoningOutput * prices.reasoningOutput +
  parts.audioOutput * prices.audioOutput +
  parts.imageOutput * prices.imageOutput;

/** Plain-number arithmetic, used only while every intermediate result is an exact integer; undefined = too large. */
function smallCharge(parts: UsageParts, price: CompiledPrice, { small }: Coefficients): Quota | undefined {
  if (small === undefined) return undefined;
  const sum = productOf(parts, small);
  const tokens = productOf(parts, ONE_EACH);
  const divisor = Number(price.divisor);
  const raised = sum + (divisor === 1 ? 0 : divisor / 2);
  if (raised > Number.MAX_SAFE_INTEGER) return undefined;
  if (tokens === 0) return ZERO_QUOTA;
  const rounded = (raised - (raised % divisor)) / divisor;
  return toQuota(rounded === 0 ? 1 : rounded);
}

function exactCharge(parts: UsageParts, price: CompiledPrice, { exact }: Coefficients, tools: bigint): Quota {
  let sum = tools;
  let tokens = 0;
  USAGE_PARTS.forEach((part, index) => {
    tokens += parts[part];
    sum += BigInt(parts[part]) * (exact[index] ?? 0n);
  });
  return finish(sum, price.divisor, (tokens > 0 && !price.isFree) || tools > 0n);
}

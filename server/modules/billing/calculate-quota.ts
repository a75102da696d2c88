import { toQuota, ZERO_QUOTA, type Quota } from '../../common/quota.js';
import { multiplyRatios, parseRatio, rescale, type Ratio } from '../../common/ratio.js';
import type { PriceSnapshot } from '../../relay-core/model/price-snapshot.js';
import type { Usage } from '../../relay-core/model/usage.js';
import { isKnownEmpty, splitUsage, type UsagePart } from './usage-parts.js';

/** Largest charge of one call; a larger product is cut here, far above any balance. */
export const MAX_CHARGE = Number.MAX_SAFE_INTEGER;

/** More pictures than any call makes: a larger figure is a lie and counts as this much. */
const MAX_UNITS = 1_000;

export const USAGE_PARTS: readonly UsagePart[] = [
  'textInput',
  'cacheRead',
  'cacheWrite',
  'cacheWrite1h',
  'imageInput',
  'audioInput',
  'textOutput',
  'audioOutput',
];

const ONE: Ratio = { units: 1n, scale: 0 };
/** Writes kept for an hour cost this much of the five-minute ones where nothing else is set (6 ÷ 3.75). */
const HOUR_WRITE_FACTOR: Ratio = { units: 16n, scale: 1 };

/** What one token of each part costs, as exact decimals: base ratio × the part's own ratio. */
export function partRatios(snapshot: PriceSnapshot & { mode: 'ratio' }): Readonly<Record<UsagePart, Ratio>> {
  const audio = parseRatio(snapshot.audioRatio);
  const cacheWrite = parseRatio(snapshot.cacheWriteRatio);
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
    textOutput: parseRatio(snapshot.completionRatio),
    audioOutput: multiplyRatios(audio, parseRatio(snapshot.audioCompletionRatio)),
  };
}

/** A snapshot turned into whole-number coefficients over one power of ten, so that a charge is one integer sum. */
interface CompiledPrice {
  readonly isFree: boolean;
  /** In the order of USAGE_PARTS. Numbers when they fit exactly, for speed; the same values as bigints otherwise. */
  readonly coefficients: readonly bigint[];
  readonly smallCoefficients: readonly number[] | undefined;
  readonly divisor: bigint;
  /** Mode call: the exact price of one unit over `divisor`, and the charge for it. */
  readonly unit: bigint;
  readonly fixed: Quota | undefined;
}

const compiled = new WeakMap<PriceSnapshot, CompiledPrice>();

function compile(snapshot: PriceSnapshot): CompiledPrice {
  const known = compiled.get(snapshot);
  if (known !== undefined) return known;
  const price = snapshot.mode === 'call' ? compileFixed(snapshot) : compileRatios(snapshot);
  compiled.set(snapshot, price);
  return price;
}

/** Quota of one unit (a call, or a picture) before rounding. */
export function unitPrice(snapshot: PriceSnapshot & { mode: 'call' }): Ratio {
  return multiplyRatios(
    multiplyRatios(
      multiplyRatios(parseRatio(snapshot.price), parseRatio(snapshot.factor ?? 1)),
      parseRatio(snapshot.groupRatio),
    ),
    parseRatio(snapshot.quotaPerUnit),
  );
}

/** Units a price per call is paid for: what was begun counts. 0 when nothing was used. */
export function unitsOf(usage: Usage): number {
  if (isKnownEmpty(usage) && (usage.units ?? 0) === 0) return 0;
  return Math.min(Math.max(1, Math.trunc(usage.units ?? 1)), MAX_UNITS);
}

function compileFixed(snapshot: PriceSnapshot & { mode: 'call' }): CompiledPrice {
  const exact = unitPrice(snapshot);
  const divisor = 10n ** BigInt(exact.scale);
  const isFree = exact.units === 0n;
  return {
    isFree,
    coefficients: [],
    smallCoefficients: undefined,
    divisor,
    unit: exact.units,
    fixed: finish(exact.units, divisor, isFree),
  };
}

function compileRatios(snapshot: PriceSnapshot & { mode: 'ratio' }): CompiledPrice {
  const base = multiplyRatios(parseRatio(snapshot.modelRatio), parseRatio(snapshot.groupRatio));
  const parts = partRatios(snapshot);
  const products = USAGE_PARTS.map((part) => multiplyRatios(base, parts[part]));
  const scale = Math.max(...products.map((product) => product.scale));
  const coefficients = products.map((product) => rescale(product, scale));
  const divisor = 10n ** BigInt(scale);
  const isSmall = [...coefficients, divisor].every((value) => value <= BigInt(Number.MAX_SAFE_INTEGER));
  return {
    isFree: base.units === 0n,
    coefficients,
    smallCoefficients: isSmall ? coefficients.map(Number) : undefined,
    divisor,
    unit: 0n,
    fixed: undefined,
  };
}

/** The one rounding of the money rules, half up; a paid call costs at least 1. */
function finish(sum: bigint, divisor: bigint, isFree: boolean): Quota {
  const rounded = (sum + divisor / 2n) / divisor;
  if (rounded > BigInt(MAX_CHARGE)) return toQuota(MAX_CHARGE);
  return toQuota(rounded === 0n && !isFree ? 1 : Number(rounded));
}

/**
 * Charge for a finished call.
 * @param usage  token counts; totals include their parts
 * @param snapshot  prices frozen at admission (ratio 1 = 2 US dollars per million input tokens)
 * @returns integer quota, rounded once, half up; 0 when nothing was used or the price is 0, at least 1 otherwise
 * Fails: throws RangeError for a snapshot whose ratios are not decimals; the price book never makes one.
 */
export function calculateQuota(usage: Usage, snapshot: PriceSnapshot): Quota {
  const price = compile(snapshot);
  if (price.fixed !== undefined) {
    const units = unitsOf(usage);
    if (units <= 1) return units === 0 ? ZERO_QUOTA : price.fixed;
    return finish(price.unit * BigInt(units), price.divisor, price.isFree);
  }
  if (price.isFree) return ZERO_QUOTA;
  const parts = splitUsage(usage);
  return smallCharge(parts, price) ?? exactCharge(parts, price);
}

type Counts = Readonly<Record<UsagePart, number>>;

/** Plain-number arithmetic, used only while every intermediate result is an exact integer; undefined = too large. */
function smallCharge(parts: Counts, price: CompiledPrice): Quota | undefined {
  const coefficients = price.smallCoefficients;
  if (coefficients === undefined) return undefined;
  let sum = 0;
  let tokens = 0;
  for (let index = 0; index < coefficients.length; index += 1) {
    const count = parts[USAGE_PARTS[index] as UsagePart];
    tokens += count;
    sum += count * (coefficients[index] as number);
  }
  const divisor = Number(price.divisor);
  const raised = sum + (divisor === 1 ? 0 : divisor / 2);
  if (raised > Number.MAX_SAFE_INTEGER) return undefined;
  if (tokens === 0) return ZERO_QUOTA;
  const rounded = (raised - (raised % divisor)) / divisor;
  return toQuota(rounded === 0 ? 1 : rounded);
}

function exactCharge(parts: Counts, price: CompiledPrice): Quota {
  let sum = 0n;
  let tokens = 0;
  USAGE_PARTS.forEach((part, index) => {
    tokens += parts[part];
    sum += BigInt(parts[part]) * (price.coefficients[index] ?? 0n);
  });
  return tokens === 0 ? ZERO_QUOTA : finish(sum, price.divisor, price.isFree);
}

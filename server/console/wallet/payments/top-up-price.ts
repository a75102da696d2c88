import { MAX_BALANCE } from '../../../common/quota.js';
import { parseRatio, type Ratio } from '../../../common/ratio.js';

/** Largest top-up, in units. */
export const MAX_TOP_UP_UNITS = 1_000_000;

/** Pricing rules of a top-up. Decimals are exact: options hold them as they were typed. */
export interface PriceRules {
  /** `unit`: the amount counts units (dollars); `quota`: it counts quota. */
  readonly counts: 'unit' | 'quota';
  readonly quotaPerUnit: number;
  /** Money per unit. */
  readonly price: number;
  /** Factor of the payer's group; 0 counts as 1. */
  readonly groupFactor: number;
  /** Discount factor per amount in units, as text. */
  readonly discounts: Readonly<Record<string, number>>;
  /** Digits behind the point of the currency's smallest part: 2 for hundredths, 0 for none. */
  readonly minorDigits: number;
  /** Smallest top-up in units. */
  readonly minUnits: number;
}

export type TopUpPrice =
  | {
      readonly kind: 'priced';
      /** Sum to pay, in the smallest part of the currency. */
      readonly moneyMinor: number;
      readonly quota: number;
      /** Whole units of it. */
      readonly units: number;
    }
  | { readonly kind: 'not-whole' }
  | { readonly kind: 'too-small'; readonly min: number }
  | { readonly kind: 'too-large'; readonly max: number }
  | { readonly kind: 'money-too-small' };

/**
 * Price and value of a top-up: units × price × group factor × discount, rounded half up once, to the smallest part of the currency.
 * The priced amount is the credited one.
 */
export function priceTopUp(amount: number, rules: PriceRules): TopUpPrice {
  const perUnit = parseRatio(rules.quotaPerUnit);
  const min = smallestAmount(rules);
  const max = largestAmount(rules);
  if (!Number.isInteger(amount)) return { kind: 'not-whole' };
  if (amount < min) return { kind: 'too-small', min };
  if (amount > max) return { kind: 'too-large', max };
  const quota = rules.counts === 'quota' ? BigInt(amount) : roundedQuotient(times(perUnit, BigInt(amount)));
  // Units as a fraction of integers: the amount itself, or quota divided by the quota of a unit.
  const units =
    rules.counts === 'unit'
      ? { over: BigInt(amount), under: 1n }
      : { over: BigInt(amount) * 10n ** BigInt(perUnit.scale), under: perUnit.units };
  const discount =
    units.over % units.under === 0n ? rules.discounts[String(units.over / units.under)] : undefined;
  const factors = [rules.price, rules.groupFactor || 1, discount ?? 1].map(parseRatio);
  const money = factors.reduce(
    ({ over, under }, factor) => ({ over: over * factor.units, under: under * 10n ** BigInt(factor.scale) }),
    { over: units.over * 10n ** BigInt(rules.minorDigits), under: units.under },
  );
  const moneyMinor = Number(roundedQuotient(money));
  if (moneyMinor < 1 || !Number.isSafeInteger(moneyMinor)) return { kind: 'money-too-small' };
  return { kind: 'priced', moneyMinor, quota: Number(quota), units: Number(units.over / units.under) };
}

/** Smallest amount a payer may name, in what the amount counts. */
function smallestAmount({ counts, minUnits, quotaPerUnit }: PriceRules): number {
  return counts === 'unit' ? minUnits : Math.ceil(minUnits * quotaPerUnit);
}

/** Amounts above the balance limit are not sold: their payment could never be credited. */
function largestAmount({ counts, quotaPerUnit }: PriceRules): number {
  return counts === 'unit'
    ? Math.min(MAX_TOP_UP_UNITS, Math.floor(MAX_BALANCE / quotaPerUnit))
    : Math.min(MAX_BALANCE, Math.floor(MAX_TOP_UP_UNITS * quotaPerUnit));
}

interface Fraction {
  readonly over: bigint;
  readonly under: bigint;
}

const times = (ratio: Ratio, count: bigint): Fraction => ({
  over: ratio.units * count,
  under: 10n ** BigInt(ratio.scale),
});

/** Halves up; both sides are positive. */
const roundedQuotient = ({ over, under }: Fraction): bigint => (2n * over + under) / (2n * under);

/** `7305` with two digits is `73.05`. */
export function formatMoney(minor: number, minorDigits: number): string {
  const digits = String(minor).padStart(minorDigits + 1, '0');
  return minorDigits === 0 ? digits : `${digits.slice(0, -minorDigits)}.${digits.slice(-minorDigits)}`;
}

/** Money written as a decimal, in its smallest part. @returns null for any other text and for parts smaller than that */
export function parseMoney(text: string, minorDigits: number): number | null {
  const match = /^(\d{1,12})(?:\.(\d{1,6}))?$/.exec(text);
  if (match === null) return null;
  const [, whole = '0', parts = ''] = match;
  const fraction = parts.padEnd(minorDigits, '0');
  if (!/^0*$/.test(fraction.slice(minorDigits))) return null;
  return Number(whole + fraction.slice(0, minorDigits));
}

/** Currencies without parts, as Stripe counts them (docs.stripe.com/currencies, read 2026-11-21). */
const WITHOUT_PARTS = new Set([
  'bif',
  'clp',
  'djf',
  'gnf',
  'jpy',
  'kmf',
  'krw',
  'mga',
  'pyg',
  'rwf',
  'vnd',
  'vuv',
  'xaf',
  'xof',
  'xpf',
]);

/** Digits behind the point. @param currency  lower-case code; empty = the payment service's own, which has hundredths */
export const minorDigitsOf = (currency: string): number => (WITHOUT_PARTS.has(currency) ? 0 : 2);

declare const quotaBrand: unique symbol;

/** The integer money unit. By default 500,000 quota = 1 US dollar. Always a safe integer. */
export type Quota = number & { readonly [quotaBrand]: 'quota' };

/**
 * Brands an integer as quota.
 * Fails: throws RangeError for anything that is not a safe integer; money is refused, never rounded.
 */
export function toQuota(value: number): Quota {
  if (!Number.isSafeInteger(value)) throw new RangeError(`not a quota: ${value}`);
  return value as Quota;
}

/** Most that may be put into an account or allowance: what running calls have set aside comes on top, and the sum stays exact. */
export const MAX_BALANCE = 4_000_000_000_000_000;

/** A sum or counter that is only shown: from 2^53 on, the largest number that is exact. */
export const toShownSum = (value: unknown): number =>
  Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, Number(value ?? 0)));

export const ZERO_QUOTA = 0 as Quota;

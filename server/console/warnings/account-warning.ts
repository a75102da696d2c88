import type { ListPrice } from '../../base/pricing/defaults/list-prices.js';
import type { DollarPrice } from '../../base/pricing/dollar-price.js';

/** A condition that makes calls of an account, or of the instance, fail now or soon. */
export type AccountWarning =
  /** Calls for a model were refused because it has no price. */
  | { readonly kind: 'unpriced-model'; readonly model: string; readonly calls: number }
  /** Too many attempts at a channel failed, whether or not another channel answered. */
  | {
      readonly kind: 'failing-channel';
      readonly channelId: number;
      readonly channel: string;
      readonly attempts: number;
      readonly failures: number;
    }
  | {
      readonly kind: 'expiring-token';
      readonly tokenId: number;
      readonly token: string;
      /** Seconds. */
      readonly expiresAt: number;
    }
  /** At the pace of the last day the balance is gone within a day. */
  | { readonly kind: 'low-balance'; readonly balance: number; readonly spentInDay: number }
  /** The running period of a limit is nearly used up; see docs/limits.md. */
  | {
      readonly kind: 'near-limit';
      readonly limitId: number;
      readonly limit: string;
      /** Whole percents of the amount that are used or set aside. */
      readonly percent: number;
      /** Seconds; null = never. */
      readonly resetsAt: number | null;
    }
  /** A model costs less here than the provider's list price. */
  | {
      readonly kind: 'price-below-list';
      readonly model: string;
      readonly part: PricePart;
      /** US dollars per million tokens, or per call. */
      readonly price: number;
      readonly listPrice: number;
    };

export type PricePart = 'input' | 'output' | 'call';

/** Attempts at one channel within a day. */
export interface ChannelDay {
  readonly channelId: number;
  readonly attempts: number;
  readonly failures: number;
}

/** From so many attempts on a share counts; below it every attempt must have failed, and so many of them. */
const MIN_ATTEMPTS = 20;
const MIN_FAILURES = 3;

/** @param limitPercent  share of attempts that may fail; 0 = not watched */
export function isFailing({ attempts, failures }: ChannelDay, limitPercent: number): boolean {
  if (limitPercent === 0) return false;
  if (attempts < MIN_ATTEMPTS) return failures >= MIN_FAILURES && failures === attempts;
  return (failures / attempts) * 100 >= limitPercent;
}

/** Returns true when another day like the last one uses up the balance. */
export const isLow = (balance: number, spentInDay: number): boolean =>
  spentInDay > 0 && balance <= spentInDay;

/** Prices become ratios of at most nine decimals; a smaller difference comes from there. */
const ROUNDING = 0.001;

/**
 * The part of a price that lies furthest below the list price; undefined = none. Discounts of groups and accounts are not counted: they
 * are granted on purpose.
 */
export function belowList(
  price: DollarPrice,
  list: ListPrice,
): { readonly part: PricePart; readonly price: number; readonly listPrice: number } | undefined {
  const parts = [
    { part: 'input' as const, price: price.input, listPrice: list.input },
    { part: 'output' as const, price: price.output, listPrice: list.output },
    { part: 'call' as const, price: price.perCall, listPrice: list.perCall },
  ];
  const shares = parts.flatMap((each) => {
    if (each.price === null || each.listPrice === undefined) return [];
    const share = each.price / each.listPrice;
    return share < 1 - ROUNDING
      ? [{ share, part: each.part, price: each.price, listPrice: each.listPrice }]
      : [];
  });
  const [furthest] = shares.toSorted((a, b) => a.share - b.share);
  return furthest && { part: furthest.part, price: furthest.price, listPrice: furthest.listPrice };
}

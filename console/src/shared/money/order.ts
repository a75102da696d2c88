import type { Schemas } from '../../api/schemas';
import type { Tone } from '../feedback/status-tag';

/** A payment order as its owner sees it. */
export type Order = Readonly<Schemas['TopUpOrder']>;

export const ORDER_STATUSES = [
  'pending',
  'success',
  'refunded',
  'disputed',
  'expired',
  'failed',
  'mismatch',
] as const;
export type OrderWord = (typeof ORDER_STATUSES)[number];

export const ORDER_TONES: Readonly<Record<OrderWord, Tone>> = {
  pending: 'notice',
  success: 'ok',
  refunded: 'warning',
  disputed: 'fault',
  expired: 'warning',
  failed: 'fault',
  mismatch: 'fault',
};

export function isOrderWord(text: string): text is OrderWord {
  return ORDER_STATUSES.some((known) => known === text);
}

/** Filters of orders for administrators: states, and events without a change of the state. */
export const ORDER_FILTER_WORDS = [...ORDER_STATUSES, 'paid-again'] as const;

export function isOrderFilter(text: string): text is (typeof ORDER_FILTER_WORDS)[number] {
  return ORDER_FILTER_WORDS.some((known) => known === text);
}

/** Trade numbers as the server takes them. */
export function isTradeNumber(text: string | null): text is string {
  return text !== null && /^[A-Za-z0-9_-]{1,64}$/.test(text);
}

/** Currency of epay services: the server leaves the currency of their orders empty. */
const EPAY_CURRENCY = 'CNY';

/** `USD 1,073.00`. @param text  exact decimal, which no number is made of */
export function moneyText(text: string, currency: string): string {
  const grouped = text.replace(/^\d+/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ','));
  return `${(currency || EPAY_CURRENCY).toUpperCase()} ${grouped}`;
}

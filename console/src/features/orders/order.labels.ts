const EVENTS = [
  'created',
  'paid',
  'paid-again',
  'mismatch',
  'expired',
  'failed',
  'refunded',
  'disputed',
  'completed-by-hand',
] as const;

/** What can happen to an order; other words of the server are shown as they are. */
export function isOrderEvent(kind: string): kind is (typeof EVENTS)[number] {
  return EVENTS.some((known) => known === kind);
}

/** Named ranges in seconds, so that "the last day" stays the last day when the page is opened tomorrow. */
export const RANGES = { day: 86_400, week: 604_800, month: 2_592_000 } as const;
export type RangeName = keyof typeof RANGES;
export const RANGE_NAMES = Object.keys(RANGES) as RangeName[];

export function isRange(text: string): text is RangeName {
  return Object.hasOwn(RANGES, text);
}

export const PROVIDERS = ['epay', 'stripe'] as const;

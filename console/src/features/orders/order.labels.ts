const EVENTS = [
  'created',
  'paid',
  'paid-again',
  'mismatch',
  'foreign',
  'ownerless',
  'account-full',
  'unconfirmed',
  'expired',
  'failed',
  'refunded',
  'disputed',
  'dispute-closed',
  'completed-by-hand',
  'refunded-by-hand',
] as const;

/** Events of an order; other words of the server are shown as they are. */
export function isOrderEvent(kind: string): kind is (typeof EVENTS)[number] {
  return EVENTS.some((known) => known === kind);
}

/** The server's sentence about an event, taken apart; `said` is the text of a person or a service. */
export type EventDetail =
  | { readonly word: 'said'; readonly said: string }
  | { readonly word: 'payment' | 'session'; readonly id: string }
  | { readonly word: 'foreign'; readonly id: string; readonly provider: string; readonly what: ForeignPart }
  | { readonly word: 'mismatch'; readonly id: string; readonly expected: string; readonly got: string }
  | { readonly word: 'charge'; readonly id: string; readonly refunded: string; readonly charged: string }
  | { readonly word: 'dispute'; readonly id: string; readonly sum: string; readonly reason: string };

const FOREIGN_PARTS = {
  'payment service': 'service',
  merchant: 'merchant',
  'payment method': 'method',
  session: 'session',
} as const;
type ForeignPart = (typeof FOREIGN_PARTS)[keyof typeof FOREIGN_PARTS];

/** Takes the server's fixed phrases apart, so that they are shown in the reader's language; anything else stays as it is. */
export function readEventDetail(kind: string, detail: string): EventDetail {
  const said = { word: 'said', said: detail } as const;
  if (kind === 'completed-by-hand' || kind === 'refunded-by-hand') return said;
  const simple = /^(payment|session) (\S+)$/.exec(detail);
  if (simple !== null) return { word: simple[1] === 'session' ? 'session' : 'payment', id: simple[2] ?? '' };
  const foreign = /^payment (\S+) by (\S+): the (.+) is not that of the order$/.exec(detail);
  const what = Object.entries(FOREIGN_PARTS).find(([part]) => part === foreign?.[3])?.[1];
  if (foreign !== null && what !== undefined)
    return { word: 'foreign', id: foreign[1] ?? '', provider: foreign[2] ?? '', what };
  const mismatch = /^payment (\S+): expected (.+), got (.+)$/.exec(detail);
  if (mismatch !== null)
    return { word: 'mismatch', id: mismatch[1] ?? '', expected: mismatch[2] ?? '', got: mismatch[3] ?? '' };
  const charge = /^charge (\S+): (\d+) of (\d+ \S+) refunded at Stripe$/.exec(detail);
  if (charge !== null)
    return { word: 'charge', id: charge[1] ?? '', refunded: charge[2] ?? '', charged: charge[3] ?? '' };
  const dispute = /^dispute (\S+): (\d+ [^,]+), (.*)$/.exec(detail);
  if (dispute !== null)
    return { word: 'dispute', id: dispute[1] ?? '', sum: dispute[2] ?? '', reason: dispute[3] ?? '' };
  return said;
}

export const PROVIDERS = ['epay', 'stripe'] as const;

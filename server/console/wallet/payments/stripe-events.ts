import { z } from 'zod';
import type { ReportedPayment, ReadNotice } from './payment-provider.js';

/** The members of Stripe's objects that are read here (docs.stripe.com/api, read 2026-11-21). Versions may add others. */
const reference = z.union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)]);
const sessionSchema = z.object({
  id: z.string(),
  client_reference_id: z.string().nullish(),
  payment_status: z.string(),
  payment_intent: reference.nullish(),
  amount_total: z.int().nullish(),
  currency: z.string().nullish(),
  livemode: z.boolean(),
});
export type StripeSession = z.infer<typeof sessionSchema>;

const chargeSchema = z.object({
  id: z.string(),
  payment_intent: reference.nullish(),
  amount: z.int(),
  amount_refunded: z.int().default(0),
  currency: z.string(),
});
const disputeSchema = z.object({
  id: z.string(),
  payment_intent: reference.nullish(),
  amount: z.int(),
  currency: z.string(),
  reason: z.string().default(''),
  status: z.string().default(''),
});

export interface StripeEvent {
  readonly id: string;
  readonly type: string;
  readonly data: { readonly object: unknown };
}

/**
 * Meaning of a verified Stripe event for an order. Sessions without an order number of ours belong to other goods of the same
 * Stripe account.
 */
export function readStripeEvent(event: StripeEvent): ReadNotice {
  const { object } = event.data;
  switch (event.type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
      return onSession(object, (session) => {
        const reported = reportedPaymentOf(session);
        return reported === null ? { kind: 'ignored' } : { kind: 'paid', reported };
      });
    case 'checkout.session.expired':
      return onSession(object, (session) => eventOn(event, session, 'expired'));
    case 'checkout.session.async_payment_failed':
      return onSession(object, (session) => eventOn(event, session, 'failed'));
    case 'charge.refunded':
      return onPayment(
        event,
        chargeSchema,
        'refunded',
        (charge) =>
          `charge ${charge.id}: ${charge.amount_refunded} of ${charge.amount} ${charge.currency} refunded at Stripe`,
      );
    case 'charge.dispute.created':
      return onPayment(
        event,
        disputeSchema,
        'disputed',
        (dispute) => `dispute ${dispute.id}: ${dispute.amount} ${dispute.currency}, ${dispute.reason}`,
      );
    // Won, lost or withdrawn.
    case 'charge.dispute.closed':
      return onPayment(
        event,
        disputeSchema,
        'dispute-closed',
        (dispute) => `dispute ${dispute.id}: ${dispute.amount} ${dispute.currency}, ${dispute.status}`,
      );
    default:
      return { kind: 'ignored' };
  }
}

/** The payment of a session that is paid; null while it is not. */
export function reportedPaymentOf(session: StripeSession): ReportedPayment | null {
  const tradeNo = session.client_reference_id ?? '';
  if (session.payment_status !== 'paid' || tradeNo === '') return null;
  return {
    provider: 'stripe',
    tradeNo,
    providerTradeNo: session.payment_intent ?? session.id,
    moneyMinor: session.amount_total ?? null,
    currency: (session.currency ?? '').toLowerCase(),
    method: 'stripe',
    merchantId: accountOf(session.livemode),
    providerReference: session.id,
  };
}

/** Live and test payments never stand for each other. */
export const accountOf = (isLive: boolean): string => (isLive ? 'live' : 'test');

export function parseSession(object: unknown): StripeSession | null {
  const parsed = sessionSchema.safeParse(object);
  return parsed.success ? parsed.data : null;
}

function onSession(object: unknown, read: (session: StripeSession) => ReadNotice): ReadNotice {
  const session = parseSession(object);
  if (session === null) return { kind: 'refused', reason: 'a session that cannot be read' };
  return (session.client_reference_id ?? '') === '' ? { kind: 'ignored' } : read(session);
}

function eventOn(event: StripeEvent, session: StripeSession, kind: 'expired' | 'failed'): ReadNotice {
  const paymentEvent = {
    kind,
    tradeNo: session.client_reference_id ?? null,
    provider: 'stripe',
    providerTradeNo: null,
    eventKey: `stripe:${event.id}`,
    detail: `session ${session.id}`,
  };
  return { kind: 'event', event: paymentEvent };
}

function onPayment<T extends { readonly payment_intent?: string | null | undefined }>(
  event: StripeEvent,
  schema: z.ZodType<T>,
  kind: 'refunded' | 'disputed' | 'dispute-closed',
  describe: (payment: T) => string,
): ReadNotice {
  const parsed = schema.safeParse(event.data.object);
  if (!parsed.success) return { kind: 'refused', reason: `a ${kind} payment that cannot be read` };
  const providerTradeNo = parsed.data.payment_intent ?? null;
  if (providerTradeNo === null) return { kind: 'ignored' };
  const paymentEvent = {
    kind,
    tradeNo: null,
    provider: 'stripe',
    providerTradeNo,
    eventKey: `stripe:${event.id}`,
    detail: describe(parsed.data),
  };
  return { kind: 'event', event: paymentEvent };
}

import { describe, expect, it } from '@jest/globals';
import { accountOf, reportedPaymentOf, parseSession, readStripeEvent } from './stripe-events.js';

const session = {
  id: 'cs_1',
  client_reference_id: 'order-1',
  payment_status: 'paid',
  payment_intent: 'pi_1',
  amount_total: 730,
  currency: 'USD',
  livemode: false,
};
const reported = {
  provider: 'stripe',
  tradeNo: 'order-1',
  providerTradeNo: 'pi_1',
  moneyMinor: 730,
  currency: 'usd',
  method: 'stripe',
  merchantId: 'test',
  providerReference: 'cs_1',
};
const read = (type: string, object: unknown) => readStripeEvent({ id: 'evt_1', type, data: { object } });

describe('a checkout session of Stripe', () => {
  it.each(['checkout.session.completed', 'checkout.session.async_payment_succeeded'])(
    'becomes a payment once it is paid (%s)',
    (type) => {
      expect(read(type, session)).toEqual({ kind: 'paid', reported });
      expect(read(type, { ...session, payment_status: 'unpaid' })).toEqual({ kind: 'ignored' });
      expect(read(type, { ...session, payment_status: 'no_payment_required' })).toEqual({ kind: 'ignored' });
    },
  );

  it.each([[undefined], [null], ['']])('belongs to something else without an order number (%p)', (number) => {
    const object = { ...session, client_reference_id: number };
    expect(read('checkout.session.completed', object)).toEqual({ kind: 'ignored' });
    expect(read('checkout.session.expired', object)).toEqual({ kind: 'ignored' });
  });

  it.each([
    ['nothing', null],
    ['no id', { ...session, id: undefined }],
    ['a sum with a fraction', { ...session, amount_total: 7.3 }],
    ['a sum as text', { ...session, amount_total: '730' }],
    ['no word on live or test', { ...session, livemode: undefined }],
  ])('cannot be read with %s', (_what, object) => {
    expect(read('checkout.session.completed', object)).toEqual({
      kind: 'refused',
      reason: 'a session that cannot be read',
    });
    expect(parseSession(object)).toBeNull();
  });

  it('names the payment by the session where it has no payment of its own, and no sum as no sum', () => {
    const bare = { ...session, payment_intent: null, amount_total: null, currency: null };
    expect(reportedPaymentOf(bare)).toEqual({
      ...reported,
      providerTradeNo: 'cs_1',
      moneyMinor: null,
      currency: '',
    });
  });

  it('reads a payment that is sent whole instead of by its id', () => {
    const expanded = { ...session, payment_intent: { id: 'pi_2', object: 'payment_intent' } };
    expect(parseSession(expanded)?.payment_intent).toBe('pi_2');
  });

  it('keeps live and test apart', () => {
    expect([accountOf(true), accountOf(false)]).toEqual(['live', 'test']);
    expect(reportedPaymentOf({ ...session, livemode: true })?.merchantId).toBe('live');
  });

  it.each([
    ['checkout.session.expired', 'expired'],
    ['checkout.session.async_payment_failed', 'failed'],
  ])('%s is a event on its order', (type, kind) => {
    expect(read(type, session)).toEqual({
      kind: 'event',
      event: {
        kind,
        tradeNo: 'order-1',
        provider: 'stripe',
        providerTradeNo: null,
        eventKey: 'stripe:evt_1',
        detail: 'session cs_1',
      },
    });
  });
});

describe('Stripe’s events of a payment', () => {
  const charge = { id: 'ch_1', payment_intent: 'pi_1', amount: 730, currency: 'usd' };

  it.each([
    [
      'charge.refunded',
      { ...charge, amount_refunded: 30 },
      'refunded',
      'charge ch_1: 30 of 730 usd refunded at Stripe',
    ],
    ['charge.refunded', charge, 'refunded', 'charge ch_1: 0 of 730 usd refunded at Stripe'],
    [
      'charge.dispute.created',
      { ...charge, id: 'dp_1', reason: 'fraudulent' },
      'disputed',
      'dispute dp_1: 730 usd, fraudulent',
    ],
    [
      'charge.dispute.closed',
      { ...charge, id: 'dp_1', status: 'won' },
      'dispute-closed',
      'dispute dp_1: 730 usd, won',
    ],
  ])('%s is a event on the payment', (type, object, kind, detail) => {
    expect(read(type, object)).toMatchObject({
      kind: 'event',
      event: { kind, tradeNo: null, providerTradeNo: 'pi_1', eventKey: 'stripe:evt_1', detail },
    });
  });

  it('ignores payments without a number, and events it does not use', () => {
    expect(read('charge.refunded', { ...charge, payment_intent: null })).toEqual({ kind: 'ignored' });
    expect(read('customer.created', null)).toEqual({ kind: 'ignored' });
  });

  it('refuses one that cannot be read', () => {
    expect(read('charge.refunded', { ...charge, amount: '730' })).toEqual({
      kind: 'refused',
      reason: 'a refunded payment that cannot be read',
    });
  });
});

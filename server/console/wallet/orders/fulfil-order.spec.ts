import { describe, expect, it } from '@jest/globals';
import { MemoryOrders, reportedPayment } from '../../../../test/support/memory-orders.js';
import { orderRow } from '../../../../test/support/stored-rows.js';
import { BalanceTooHighError } from '../../../base/billing/ledger/account-money.service.js';
import { refundKeyOf, fulfilByHand, fulfilOrder } from './fulfil-order.js';
import type { TopUpEntity } from './top-up.entity.js';

const NOW = 1_700_000_100_000;

function payments(...orders: readonly TopUpEntity[]) {
  const memory = new MemoryOrders(...(orders.length === 0 ? [orderRow()] : orders));
  const credits: { readonly userId: number; readonly amount: number; readonly ref: string }[] = [];
  const state = { isGone: false, isFull: false };
  const parts = {
    dataSource: memory.dataSource,
    orders: memory.repository,
    money: {
      credit: async (_manager: unknown, { userId, amount, ref }: (typeof credits)[number]) => {
        if (state.isFull) throw new BalanceTooHighError();
        credits.push({ userId, amount, ref });
        return true;
      },
    },
    isOwnerGone: async () => state.isGone,
  };
  const settle = (changes: Parameters<typeof reportedPayment>[0] = {}) =>
    fulfilOrder(parts, reportedPayment(changes), NOW);
  return { memory, credits, state, parts, settle };
}

describe('fulfilOrder', () => {
  it('credits the value of the order to its owner, however often the payment is reported [PAY-01]', async () => {
    const { memory, credits, settle } = payments();
    expect((await settle()).kind).toBe('credited');
    expect((await settle()).kind).toBe('known');
    expect(credits).toEqual([{ userId: 7, amount: 5_000_000, ref: 'top-up:1' }]);
    expect(memory.orders[0]).toMatchObject({
      status: 'success',
      providerTradeNo: 'P1',
      completeTime: 1_700_000_100,
    });
    expect(memory.kinds).toEqual(['paid']);
  });

  it.each(['expired', 'failed', 'mismatch'])(
    'credits an order that is %s when its payment is heard of',
    async (status) => {
      const { credits, settle } = payments(orderRow({ status }));
      expect((await settle()).kind).toBe('credited');
      expect(credits).toHaveLength(1);
    },
  );

  it('finds no order of that number', async () => {
    const { credits, settle } = payments();
    expect(await settle({ tradeNo: 'OTHER' })).toEqual({ kind: 'unknown-order' });
    expect(credits).toEqual([]);
  });

  it.each([
    ['payment service', { provider: 'stripe' }, {}],
    ['merchant', { merchantId: 'elsewhere' }, {}],
    ['payment method', { method: 'wxpay' }, {}],
    ['session', { providerReference: 'cs_2' }, { providerReference: 'cs_1' }],
  ])('leaves an order with another %s alone', async (what, reported, order) => {
    const { memory, credits, settle } = payments(orderRow(order));
    expect(await settle(reported)).toMatchObject({ kind: 'foreign', what, incident: { kind: 'foreign' } });
    expect(await settle(reported)).toMatchObject({ kind: 'foreign', what, incident: undefined });
    expect([credits, memory.orders[0]?.status]).toEqual([[], 'pending']);
  });

  it('takes a session that either side does not name', async () => {
    expect((await payments(orderRow({ providerReference: 'cs_1' })).settle()).kind).toBe('credited');
    expect((await payments().settle({ providerReference: 'cs_1' })).kind).toBe('credited');
  });

  it.each([
    [{ moneyMinor: 999 }, 'expected 10.00, got 9.99'],
    [{ moneyMinor: 1_001 }, 'expected 10.00, got 10.01'],
    [{ moneyMinor: null }, 'expected 10.00, got no sum'],
    [{ currency: 'usd' }, 'expected 10.00, got 10.00 usd'],
  ])('sets an order aside that was paid with %j, and tells of it once', async (reported, detail) => {
    const { memory, credits, settle } = payments();
    expect(await settle(reported)).toMatchObject({
      kind: 'mismatch',
      incident: { kind: 'mismatch', detail: `payment P1: ${detail}` },
    });
    expect(await settle(reported)).toMatchObject({ kind: 'mismatch', incident: undefined });
    expect([credits, memory.orders[0]?.status]).toEqual([[], 'mismatch']);
  });

  it('does not open a paid order again for a payment of another sum', async () => {
    const { memory, settle } = payments();
    await settle();
    await settle({ providerTradeNo: 'P2', moneyMinor: 1 });
    expect(memory.orders[0]?.status).toBe('success');
  });

  it('credits a payment to one order only', async () => {
    const { credits, settle } = payments(orderRow(), orderRow({ id: 2, tradeNo: 'SECOND' }));
    await settle();
    expect(await settle({ tradeNo: 'SECOND' })).toMatchObject({ kind: 'foreign', what: 'payment' });
    expect(credits).toHaveLength(1);
  });

  it('reports a second payment of one order, and does not credit it', async () => {
    const { memory, credits, settle } = payments();
    await settle();
    expect(await settle({ providerTradeNo: 'P2' })).toMatchObject({
      kind: 'known',
      incident: { kind: 'paid-again' },
    });
    expect(credits).toHaveLength(1);
    expect(memory.kinds).toEqual(['paid', 'paid-again']);
  });

  it.each([
    ['ownerless', { isGone: true, isFull: false }],
    ['account-full', { isGone: false, isFull: true }],
  ])('keeps a payment that is %s for a person, and credits nothing', async (kind, situation) => {
    const { memory, credits, state, settle } = payments();
    Object.assign(state, situation);
    expect(await settle()).toMatchObject({ kind, incident: { kind } });
    expect(await settle()).toMatchObject({ kind, incident: undefined });
    expect(memory.orders[0]).toMatchObject({ status: 'mismatch', providerTradeNo: null });
    expect(credits).toEqual([]);
  });

  it('does not credit a payment that was given back by hand, once the account has room', async () => {
    const { memory, credits, state, settle } = payments();
    state.isFull = true;
    await settle();
    memory.events.push({
      orderId: 1,
      kind: 'refunded-by-hand',
      eventKey: refundKeyOf(1),
      detail: '',
      createdAtMs: 0,
    });
    Object.assign(memory.orders[0] as TopUpEntity, { status: 'failed' });
    state.isFull = false;
    expect((await settle()).kind).toBe('known');
    expect([credits, memory.orders[0]?.status]).toEqual([[], 'failed']);
  });

  it('leaves everything as it was when the database fails', async () => {
    const { memory, parts } = payments();
    const money = { credit: () => Promise.reject(new Error('away')) };
    await expect(fulfilOrder({ ...parts, money }, reportedPayment(), NOW)).rejects.toThrow('away');
    expect([memory.orders[0]?.status, memory.kinds]).toEqual(['pending', []]);
  });
});

describe('fulfilByHand', () => {
  const by = { actorId: 1, userId: 7, reason: 'seen at the bank', nowMs: NOW };
  const nothing = async () => undefined;

  it('credits an order once, also when its payment is reported afterwards', async () => {
    const { memory, credits, parts, settle } = payments();
    expect(await fulfilByHand(parts, orderRow(), by, nothing)).toBe(true);
    expect(await fulfilByHand(parts, orderRow(), by, nothing)).toBe(false);
    expect(await settle()).toEqual({ kind: 'known', order: expect.anything() });
    expect(credits).toHaveLength(1);
    expect(memory.orders[0]).toMatchObject({ completedBy: 1, providerTradeNo: 'P1' });
    expect(memory.kinds).toEqual(['completed-by-hand', 'paid']);
  });

  it('credits another account on request, and records both', async () => {
    const { memory, credits, parts } = payments();
    await fulfilByHand(parts, orderRow(), { ...by, userId: 9 }, nothing);
    expect(credits[0]?.userId).toBe(9);
    expect(memory.orders[0]?.userId).toBe(9);
    expect(memory.events[0]?.detail).toBe('for account 9 instead of 7: seen at the bank');
  });

  it('undoes everything when what belongs to it fails', async () => {
    const { memory, parts } = payments();
    const failing = () => Promise.reject(new Error('no audit'));
    await expect(fulfilByHand(parts, orderRow(), by, failing)).rejects.toThrow('no audit');
    expect([memory.orders[0]?.status, memory.kinds]).toEqual(['pending', []]);
  });
});

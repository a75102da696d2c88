import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { paymentClaim } from '../../../../test/support/memory-orders.js';
import { orderRow } from '../../../../test/support/stored-rows.js';
import type { OrderState, PaymentProvider, ReadNotice } from '../payments/payment-provider.js';
import type { OrderLog } from './order-log.js';
import type { OrderSettlements } from './order-settlements.js';
import { PaymentNotices } from './payment-notices.service.js';
import type { PaymentRemarks } from './payment-remarks.js';
import type { Settlement } from './settle-order.js';
import type { TopUpsRepository } from './top-ups.repository.js';

const order = orderRow();
const trouble = { kind: 'mismatch', detail: 'd' } as const;

function notices(byClaim: () => Promise<Settlement> = async () => ({ kind: 'credited', order })) {
  const done: string[] = [];
  const note = (what: string) => async () => void done.push(what);
  const taker = new PaymentNotices(
    { findByTradeNo: async () => order } as unknown as TopUpsRepository,
    { byClaim } as unknown as OrderSettlements,
    {
      remark: note('remarked'),
      noteUnconfirmed: note('unconfirmed'),
      tellOfTrouble: note('told'),
      adoptEarly: note('adopted'),
    } as unknown as PaymentRemarks,
    { credited: note('logged') } as unknown as OrderLog,
  );
  const take = (read: ReadNotice, state?: OrderState) =>
    taker.take(
      {
        name: 'epay',
        read: () => read,
        query: async () => state,
        needsConfirmation: () => state !== undefined,
      } as unknown as PaymentProvider,
      { text: '', signature: '' },
    );
  return { done, taker, take };
}

const paid = { kind: 'paid', claim: paymentClaim() } as const;

describe('PaymentNotices', () => {
  beforeAll(() => Logger.overrideLogger(false));
  afterAll(() => Logger.overrideLogger(['log', 'warn', 'error', 'fatal']));

  it.each<[ReadNotice['kind'], ReadNotice, string, readonly string[]]>([
    ['refused', { kind: 'refused', reason: 'wrong signature' }, 'refused', []],
    ['ignored', { kind: 'ignored' }, 'done', []],
    [
      'remark',
      {
        kind: 'remark',
        remark: {
          kind: 'refunded',
          tradeNo: null,
          provider: 'epay',
          providerTradeNo: 'P1',
          eventKey: 'e',
          detail: '',
        },
      },
      'done',
      ['remarked'],
    ],
    ['paid', paid, 'done', ['logged', 'adopted']],
  ])('answers a notice that is %s', async (_, read, answer, acts) => {
    const { done, take } = notices();
    expect(await take(read)).toBe(answer);
    expect(done).toEqual(acts);
  });

  it.each<[Settlement, string, readonly string[]]>([
    [{ kind: 'known', order }, 'done', ['adopted']],
    [{ kind: 'known', order, trouble: { kind: 'paid-again', detail: '' } }, 'done', ['told', 'adopted']],
    [{ kind: 'ownerless', order, trouble }, 'done', ['told', 'adopted']],
    [{ kind: 'account-full', order, trouble: undefined }, 'done', ['adopted']],
    [{ kind: 'mismatch', order, trouble }, 'mismatch', ['told', 'adopted']],
    [{ kind: 'foreign', order, what: 'merchant', trouble }, 'refused', ['told']],
    [{ kind: 'unknown-order' }, 'unknown-order', []],
  ])('answers what was settled as %j', async (settlement, answer, acts) => {
    const { done, take } = notices(async () => settlement);
    expect(await take(paid)).toBe(answer);
    expect(done).toEqual(acts);
  });

  it('asks the service to repeat what could not be booked', async () => {
    expect(await notices(() => Promise.reject(new Error('away'))).take(paid)).toBe('later');
  });

  it.each<[string, OrderState]>([
    ['another sum', { kind: 'paid', claim: paymentClaim({ moneyMinor: 1 }) }],
    ['another payment', { kind: 'paid', claim: paymentClaim({ providerTradeNo: 'P2' }) }],
    ['no payment', { kind: 'unpaid' }],
    ['nothing', { kind: 'unknown', reason: 'time-out' }],
  ])('books nothing that needs a confirmation when the service confirms %s', async (_, state) => {
    const { done, take } = notices();
    expect(await take(paid, state)).toBe('later');
    expect(done).toEqual([]);
  });

  it('books what the service confirms, and notes what nobody asks it about', async () => {
    const { done, take } = notices();
    expect(await take(paid, paid)).toBe('done');
    expect(await take(paid, { kind: 'off' })).toBe('later');
    expect(done).toEqual(['logged', 'adopted', 'unconfirmed']);
  });

  it('books one payment of an order after the other, also after one that failed', async () => {
    const steps: string[] = [];
    let count = 0;
    const { taker } = notices(async () => {
      const number = (count += 1);
      steps.push(`begin ${number}`);
      await Promise.resolve();
      steps.push(`end ${number}`);
      if (number === 1) throw new Error('away');
      return { kind: 'unknown-order' };
    });
    const first = taker.book(paymentClaim()).catch(() => undefined);
    await Promise.all([first, taker.book(paymentClaim())]);
    expect(steps).toEqual(['begin 1', 'end 1', 'begin 2', 'end 2']);
  });
});

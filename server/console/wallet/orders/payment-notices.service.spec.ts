import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { reportedPayment } from '../../../../test/support/memory-orders.js';
import { orderRow } from '../../../../test/support/stored-rows.js';
import type { OrderState, PaymentProvider, ReadNotice } from '../payments/payment-provider.js';
import type { OrderLog } from './order-log.js';
import type { OrderFulfilment } from './order-fulfilment.js';
import { PaymentNotices } from './payment-notices.service.js';
import type { PaymentEvents } from './payment-events.js';
import type { Fulfilment } from './fulfil-order.js';
import type { TopUpsRepository } from './top-ups.repository.js';

const order = orderRow();
const incident = { kind: 'mismatch', detail: 'd' } as const;

function notices(byPayment: () => Promise<Fulfilment> = async () => ({ kind: 'credited', order })) {
  const done: string[] = [];
  const note = (what: string) => async () => void done.push(what);
  const taker = new PaymentNotices(
    { findByTradeNo: async () => order } as unknown as TopUpsRepository,
    { byPayment } as unknown as OrderFulfilment,
    {
      keep: note('kept'),
      recordUnconfirmed: note('unconfirmed'),
      notifyOfIncident: note('told'),
      linkEarlyEvents: note('adopted'),
    } as unknown as PaymentEvents,
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

const paid = { kind: 'paid', reported: reportedPayment() } as const;

describe('PaymentNotices', () => {
  beforeAll(() => Logger.overrideLogger(false));
  afterAll(() => Logger.overrideLogger(['log', 'warn', 'error', 'fatal']));

  it.each<[ReadNotice['kind'], ReadNotice, string, readonly string[]]>([
    ['refused', { kind: 'refused', reason: 'wrong signature' }, 'refused', []],
    ['ignored', { kind: 'ignored' }, 'done', []],
    [
      'event',
      {
        kind: 'event',
        event: {
          kind: 'refunded',
          tradeNo: null,
          provider: 'epay',
          providerTradeNo: 'P1',
          eventKey: 'e',
          detail: '',
        },
      },
      'done',
      ['kept'],
    ],
    ['paid', paid, 'done', ['logged', 'adopted']],
  ])('answers a notice that is %s', async (_, read, answer, acts) => {
    const { done, take } = notices();
    expect(await take(read)).toBe(answer);
    expect(done).toEqual(acts);
  });

  it.each<[Fulfilment, string, readonly string[]]>([
    [{ kind: 'known', order }, 'done', ['adopted']],
    [{ kind: 'known', order, incident: { kind: 'paid-again', detail: '' } }, 'done', ['told', 'adopted']],
    [{ kind: 'ownerless', order, incident }, 'done', ['told', 'adopted']],
    [{ kind: 'account-full', order, incident: undefined }, 'done', ['adopted']],
    [{ kind: 'mismatch', order, incident }, 'mismatch', ['told', 'adopted']],
    [{ kind: 'foreign', order, what: 'merchant', incident }, 'refused', ['told']],
    [{ kind: 'unknown-order' }, 'unknown-order', []],
  ])('answers a settled payment with %j', async (settlement, answer, acts) => {
    const { done, take } = notices(async () => settlement);
    expect(await take(paid)).toBe(answer);
    expect(done).toEqual(acts);
  });

  it('requests a repetition of payments that could not be booked', async () => {
    expect(await notices(() => Promise.reject(new Error('away'))).take(paid)).toBe('later');
  });

  it.each<[string, OrderState]>([
    ['another sum', { kind: 'paid', reported: reportedPayment({ moneyMinor: 1 }) }],
    ['another payment', { kind: 'paid', reported: reportedPayment({ providerTradeNo: 'P2' }) }],
    ['no payment', { kind: 'unpaid' }],
    ['nothing', { kind: 'unknown', reason: 'time-out' }],
  ])('books nothing that needs a confirmation when the service confirms %s', async (_, state) => {
    const { done, take } = notices();
    expect(await take(paid, state)).toBe('later');
    expect(done).toEqual([]);
  });

  it('books payments the service confirms, and records those it is never queried about', async () => {
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
    const first = taker.book(reportedPayment()).catch(() => undefined);
    await Promise.all([first, taker.book(reportedPayment())]);
    expect(steps).toEqual(['begin 1', 'end 1', 'begin 2', 'end 2']);
  });
});

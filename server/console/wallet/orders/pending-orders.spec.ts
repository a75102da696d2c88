import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { FakeClock } from '../../../../test/support/fake-clock.js';
import { reportedPayment } from '../../../../test/support/memory-orders.js';
import { orderRow } from '../../../../test/support/stored-rows.js';
import { JobParts } from '../../../infra/schedule/job-parts.js';
import type { OrderState } from '../payments/payment-provider.js';
import type { PaymentProviders } from '../payments/payment-providers.js';
import type { PaymentNotices } from './payment-notices.service.js';
import type { TopUpEntity } from './top-up.entity.js';
import type { TopUpsRepository } from './top-ups.repository.js';
import { PendingOrders } from './pending-orders.js';

const NOW = 1_700_000_600;

async function look(
  state: OrderState | Error,
  {
    asked = [],
    overdue = [],
  }: { readonly asked?: readonly TopUpEntity[]; readonly overdue?: readonly TopUpEntity[] },
) {
  const done: unknown[] = [];
  const orders = {
    toAsk: async () => asked,
    overdue: async (before: number) => {
      expect(before).toBe(NOW - 86_400);
      return overdue;
    },
    planQuery: async (...plan: unknown[]) => void done.push(['planned', ...plan]),
    end: async (id: number, status: string, event: object) => void done.push([status, id, event]),
  };
  const epay = {
    query: async () => {
      done.push('asked');
      if (state instanceof Error) throw state;
      return state;
    },
  };
  const pending = new PendingOrders(
    orders as unknown as TopUpsRepository,
    { byName: (name: string) => (name === 'epay' ? epay : undefined) } as unknown as PaymentProviders,
    {
      book: async ({ tradeNo }: { tradeNo: string }) => void done.push(['booked', tradeNo]),
    } as unknown as PaymentNotices,
    new FakeClock(NOW * 1_000),
  );
  const parts = new JobParts();
  await pending.poll(parts);
  return { done, parts };
}

describe('PendingOrders', () => {
  beforeAll(() => Logger.overrideLogger(false));
  afterAll(() => Logger.overrideLogger(['log', 'warn', 'error', 'fatal']));

  it('plans the next query before it sends one, and books the payment', async () => {
    const { done } = await look({ kind: 'paid', reported: reportedPayment() }, { asked: [orderRow()] });
    expect(done).toEqual([['planned', 1, NOW + 1_200, 1], 'asked', ['booked', 'USR7NOABC1']]);
  });

  it.each<OrderState>([
    { kind: 'unpaid' },
    { kind: 'closed' },
    { kind: 'off' },
    { kind: 'unknown', reason: '' },
  ])('books nothing when the service answers %j', async (state) => {
    const { done } = await look(state, { asked: [orderRow()] });
    expect(done).toEqual([['planned', 1, NOW + 1_200, 1], 'asked']);
  });

  it('plans and sends no query for an order of a removed service', async () => {
    const { done } = await look({ kind: 'unpaid' }, { asked: [orderRow({ provider: 'gone' })] });
    expect(done).toEqual([['planned', 1, NOW + 1_200, 1]]);
  });

  it('continues with the next order when one fails, names it, and ends unpaid ones', async () => {
    const asked = [orderRow(), orderRow({ id: 2, tradeNo: 'SECOND' })];
    const { done, parts } = await look(new Error('odd answer'), { asked, overdue: [orderRow({ id: 3 })] });
    expect(done.filter((act) => act === 'asked')).toHaveLength(2);
    expect(done.at(-1)).toEqual([
      'expired',
      3,
      { eventKey: 'order:3:expired', detail: '', nowMs: NOW * 1_000 },
    ]);
    expect(() => parts.throwIfAnyFailed()).toThrow('order USR7NOABC1: odd answer; order SECOND: odd answer');
  });
});

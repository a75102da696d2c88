import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { FakeClock } from '../../../../test/support/fake-clock.js';
import { memoryRateLimiter } from '../../../../test/support/memory-rate-limiter.js';
import { orderRow } from '../../../../test/support/stored-rows.js';
import type { Actor } from '../../../base/access/current-actor.js';
import type { AccountsService } from '../../../base/users/accounts.service.js';
import type { TopUpOffers } from '../payments/top-up-offers.js';
import { MAX_PENDING, OrderPlacement } from './order-placement.js';
import type { TopUpEntity } from './top-up.entity.js';
import type { TopUpsRepository } from './top-ups.repository.js';

const payer = { id: 7, group: 'vip' } as Actor;
const input = { amount: 10, payment_method: 'zfb' };

function placement({ start = async (): Promise<object> => ({ kind: 'form', url: 'u', fields: {} }) } = {}) {
  const rows: TopUpEntity[] = [];
  const done: unknown[] = [];
  const counts = { before: 0, within: 0 };
  const provider = { name: 'epay', terms: () => ({ currency: 'jpy' }), merchantId: () => 'shop', start };
  const orders = {
    countPending: async (_userId: number, manager?: unknown) =>
      manager === undefined ? counts.before : counts.within,
    insert: async (
      columns: Partial<TopUpEntity>,
      { before }: { before: (manager: unknown) => Promise<void> },
    ) => {
      await before({});
      rows.push(orderRow({ id: rows.length + 1, ...columns }));
      return rows.at(-1);
    },
    setReference: async (...reference: unknown[]) => void done.push(reference),
    end: async (id: number, status: string, { detail }: { detail: string }) =>
      void done.push([id, status, detail]),
  };
  const clock = new FakeClock();
  const placing = new OrderPlacement(
    {
      ofMethod: () => ({ provider, method: 'alipay' }),
      price: (_provider: unknown, group: string) => ({
        units: 10,
        moneyMinor: group === 'vip' ? 900 : 1_000,
        quota: 5,
      }),
    } as unknown as TopUpOffers,
    orders as unknown as TopUpsRepository,
    memoryRateLimiter(clock),
    {
      lock: async (_manager: unknown, id: number) => void done.push(['locked', id]),
    } as unknown as AccountsService,
    clock,
  );
  const pay = () => placing.pay(payer, input).catch((error: { code: string }) => error.code);
  return { rows, done, counts, clock, pay };
}

describe('OrderPlacement', () => {
  beforeAll(() => Logger.overrideLogger(false));
  afterAll(() => Logger.overrideLogger(['log', 'warn', 'error', 'fatal']));

  it('fixes account, price, currency, method and merchant when the order is made', async () => {
    const { rows, done, pay } = placement();
    expect(await pay()).toMatchObject({ start: { kind: 'form' }, tradeNo: rows[0]?.tradeNo });
    expect(rows[0]).toMatchObject({
      userId: 7,
      moneyMinor: 900,
      quotaToCredit: 5,
      currency: 'jpy',
      provider: 'epay',
      paymentMethod: 'alipay',
      merchantId: 'shop',
      nextQueryTime: 1_700_000_600,
    });
    expect(rows[0]?.tradeNo).toMatch(/^USR7NO[0-9A-Z]{6}1700000000$/);
    expect(done).toEqual([['locked', 7]]);
  });

  it('keeps what the service calls the order', async () => {
    const start = async () => ({ kind: 'redirect', url: 'https://pay', providerReference: 'cs_1' });
    const { done, pay } = placement({ start });
    await pay();
    expect(done).toContainEqual([1, 'cs_1']);
  });

  it.each([
    ['before anything is counted', { before: MAX_PENDING, within: 0 }],
    ['when others were made meanwhile', { before: 0, within: MAX_PENDING }],
  ])('refuses more unpaid orders than an account may have, %s', async (_, pending) => {
    const { rows, counts, pay } = placement();
    Object.assign(counts, pending);
    expect(await pay()).toBe('topup_too_many_pending');
    expect(rows).toEqual([]);
    Object.assign(counts, { before: MAX_PENDING - 1, within: MAX_PENDING - 1 });
    expect(await pay()).toMatchObject({ start: expect.anything() });
  });

  it('makes ten orders an hour for an account, and no more', async () => {
    const { rows, clock, pay } = placement();
    for (let made = 0; made < 10; made += 1) await pay();
    expect(await pay()).toBe('too_many_requests');
    clock.advance(3_600_001);
    expect(await pay()).toMatchObject({ start: expect.anything() });
    expect(rows).toHaveLength(11);
  });

  it('ends an order the service refused, with its message cut short', async () => {
    const start = () => Promise.reject(new Error('x'.repeat(500)));
    const { done, pay } = placement({ start });
    expect(await pay()).toBe('topup_start_failed');
    expect(done).toContainEqual([1, 'failed', `Error: ${'x'.repeat(200)}`]);
  });
});

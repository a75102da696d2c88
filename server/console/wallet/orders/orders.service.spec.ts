import { describe, expect, it } from '@jest/globals';
import { codeOf } from '../../../../test/support/code-of.js';
import { anActor } from '../../../../test/support/people.js';
import { orderRow } from '../../../../test/support/stored-rows.js';
import type { AccountsService } from '../../../base/users/accounts.service.js';
import type { OrderQuery } from '../dto/top-up.dto.js';
import type { Reversal } from './order-status.js';
import { OrdersService } from './orders.service.js';
import type { TopUpEntity } from './top-up.entity.js';
import type { OrderFilter, TopUpsRepository } from './top-ups.repository.js';

function service(changes: Partial<TopUpEntity> = {}, reversal?: Reversal) {
  const filters: OrderFilter[] = [];
  const row = orderRow(changes);
  const orders = new OrdersService(
    {
      findByTradeNo: async (tradeNo: string) => (tradeNo === row.tradeNo ? row : null),
      reversalsOf: async () => new Map(reversal === undefined ? [] : [[row.id, reversal]]),
      page: async (filter: OrderFilter) => {
        filters.push(filter);
        return { rows: [row], total: 1 };
      },
    } as unknown as TopUpsRepository,
    { findIdentity: async () => null } as unknown as AccountsService,
  );
  return { orders, filters };
}
const query = (changes: Partial<OrderQuery> = {}) =>
  ({
    p: 1,
    page_size: 10,
    user_id: 0,
    keyword: '',
    status: '',
    provider: '',
    start_timestamp: 0,
    end_timestamp: 0,
    ...changes,
  }) as OrderQuery;

describe('OrdersService', () => {
  it('shows an order to its owner only', async () => {
    const { orders } = service();
    expect(await orders.getOwn(anActor(), 'USR7NOABC1')).toMatchObject({ money_text: '10.00', money: 10 });
    expect(await codeOf(orders.getOwn(anActor({ id: 8 }), 'USR7NOABC1'))).toBe('not_found');
    expect(await codeOf(orders.getOwn(anActor(), 'OTHER'))).toBe('not_found');
  });

  it("lists the caller's own orders, whatever account the query names", async () => {
    const { orders, filters } = service();
    await orders.listOwn(anActor(), query({ user_id: 8 }));
    await orders.list(query({ user_id: 8 }));
    await orders.list(query());
    expect(filters.map(({ userId }) => userId)).toEqual([7, 8, undefined]);
  });

  it.each<[string, Reversal | undefined, string]>([
    ['success', undefined, 'success'],
    ['success', 'refunded', 'refunded'],
    ['success', 'disputed', 'disputed'],
    ['pending', 'refunded', 'pending'],
  ])('shows an order that is %s and was %s as %s', async (status, reversal, shown) => {
    expect(await service({ status }, reversal).orders.getOwn(anActor(), 'USR7NOABC1')).toMatchObject({
      status: shown,
    });
  });

  it('shows sums of a currency without parts as they are', async () => {
    expect(
      await service({ currency: 'jpy', moneyMinor: 1_500 }).orders.getOwn(anActor(), 'USR7NOABC1'),
    ).toMatchObject({ money_text: '1500' });
  });

  it('names no account that is gone', async () => {
    expect((await service().orders.list(query())).items[0]).toMatchObject({
      username: '',
      provider_trade_no: '',
    });
  });

  it('refuses pages that no database should count to', async () => {
    expect(await codeOf(service().orders.list(query({ p: 100_000_000 })))).toBe('page_out_of_reach');
  });
});

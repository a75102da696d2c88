import { fromOne, type PageNumbers } from '../../../common/query.js';
import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../common/errors/domain-error.js';
import { MAX_OFFSET, type Page } from '../../../common/page.js';
import type { Actor } from '../../../base/access/current-actor.js';
import { AccountsService } from '../../../base/users/accounts.service.js';
import type {
  AdminOrderDetailView,
  AdminOrderView,
  OrderQuery,
  OrderView,
  OwnOrderQuery,
} from '../dto/top-up.dto.js';
import { ORDER_STATUS, type Reversal } from './order-status.js';
import type { TopUpEntity } from './top-up.entity.js';
import { formatMoney, minorDigitsOf } from '../payments/top-up-price.js';
import { type OrderFilter, TopUpsRepository } from './top-ups.repository.js';

/** Payment orders as their owners and administrators see them. */
@Injectable()
export class OrdersService {
  constructor(
    private readonly orders: TopUpsRepository,
    private readonly accounts: AccountsService,
  ) {}

  /** The caller's own, newest first. Fails: page_out_of_reach. */
  async listOwn(actor: Actor, query: OwnOrderQuery): Promise<Page<OrderView>> {
    const filter = { ...toFilter({ ...query, provider: '', user_id: 0 }), userId: actor.id };
    return this.page(query, filter, async (rows, reversals) =>
      rows.map((row) => presentOrder(row, reversals.get(row.id))),
    );
  }

  /** One of the caller's own: what the return page shows. Fails: not_found. */
  async getOwn(actor: Actor, tradeNo: string): Promise<OrderView> {
    const order = await this.orders.findByTradeNo(tradeNo);
    if (order === null || order.userId !== actor.id) throw new DomainError('not_found');
    return presentOrder(order, await this.reversalOf(order));
  }

  /** Orders of all accounts, newest first. Fails: page_out_of_reach. */
  async list(query: OrderQuery): Promise<Page<AdminOrderView>> {
    return this.page(query, toFilter(query), (rows, reversals) =>
      Promise.all(rows.map((row) => this.present(row, reversals.get(row.id)))),
    );
  }

  /** An order with its events. Fails: not_found. */
  async get(tradeNo: string): Promise<AdminOrderDetailView> {
    const order = await this.orders.getByTradeNo(tradeNo);
    const events = await this.orders.eventsOf(order.id);
    return {
      ...(await this.present(order, await this.reversalOf(order))),
      events: events.map(({ kind, detail, actorId, createdAtMs }) => ({
        kind,
        detail,
        actor_id: actorId,
        created_at: Math.floor(createdAtMs / 1000),
      })),
    };
  }

  private async page<T>(
    query: PageNumbers & { readonly page_size: number },
    filter: OrderFilter,
    present: (
      rows: readonly TopUpEntity[],
      reversals: ReadonlyMap<number, Reversal>,
    ) => Promise<readonly T[]>,
  ): Promise<Page<T>> {
    const page = fromOne(query);
    const { page_size: size } = query;
    const offset = (page - 1) * size;
    if (offset >= MAX_OFFSET) throw new DomainError('page_out_of_reach', { max: MAX_OFFSET });
    const { rows, total } = await this.orders.page(filter, offset, size);
    const reversals = await this.orders.reversalsOf(rows.map(({ id }) => id));
    return { items: await present(rows, reversals), total, page, page_size: size };
  }

  private async reversalOf({ id }: TopUpEntity): Promise<Reversal | undefined> {
    return (await this.orders.reversalsOf([id])).get(id);
  }

  private async present(order: TopUpEntity, reversal: Reversal | undefined): Promise<AdminOrderView> {
    const account = await this.accounts.findIdentity(order.userId);
    return {
      ...presentOrder(order, reversal),
      username: account?.username ?? '',
      provider_trade_no: order.providerTradeNo ?? '',
      completed_by: order.completedBy,
    };
  }
}

function presentOrder(order: TopUpEntity, reversal: Reversal | undefined): OrderView {
  const money = formatMoney(order.moneyMinor, minorDigitsOf(order.currency));
  return {
    id: order.id,
    user_id: order.userId,
    trade_no: order.tradeNo,
    amount: order.amount,
    quota: order.quotaToCredit,
    money: Number(money),
    money_text: money,
    currency: order.currency,
    provider: order.provider,
    payment_method: order.paymentMethod,
    status: order.status === ORDER_STATUS.success ? (reversal ?? order.status) : order.status,
    create_time: order.createTime,
    complete_time: order.completeTime,
  };
}

const toFilter = (query: OrderQuery): OrderFilter => ({
  ...(query.user_id > 0 ? { userId: query.user_id } : {}),
  keyword: query.keyword,
  status: query.status,
  provider: query.provider,
  fromSeconds: query.start_timestamp,
  toSeconds: query.end_timestamp,
});

import { fromOne, type PageNumbers } from '../../../common/query.js';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { DomainError } from '../../../common/errors/domain-error.js';
import { MAX_OFFSET, type Page } from '../../../common/page.js';
import { cleanText } from '../../../common/text.js';
import { runInTransaction } from '../../../infra/database/run-in-transaction.js';
import { Clock } from '../../../relay-core/ports/clock.js';
import { AuditLog } from '../../audit/audit-log.js';
import type { Actor } from '../../access/current-actor.js';
import { AccountMoney, BalanceTooHighError } from '../../billing/ledger/account-money.service.js';
import { AccountsService } from '../../accounts/accounts.service.js';
import { assertMayActOn } from '../../accounts/may-act-on.js';
import { ROLE } from '../../access/user.codes.js';
import type {
  AdminOrderDetailView,
  AdminOrderView,
  CompleteOrder,
  RefundOrder,
  OrderQuery,
  OrderView,
  OwnOrderQuery,
} from '../dto/top-up.dto.js';
import { ORDER_STATUS, type Reversal } from './order-status.js';
import { refundKeyOf, settleByHand } from './settle-order.js';
import { TopUpEvents } from './top-up-events.js';
import type { TopUpEntity } from './top-up.entity.js';
import { formatMoney, minorDigitsOf } from '../payments/top-up-price.js';
import { type OrderFilter, TopUpsRepository } from './top-ups.repository.js';

/** Payment orders as their owners and administrators see them. */
@Injectable()
export class OrdersService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly orders: TopUpsRepository,
    private readonly money: AccountMoney,
    private readonly accounts: AccountsService,
    private readonly audit: AuditLog,
    private readonly events: TopUpEvents,
    private readonly clock: Clock,
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

  /** Everybody's, newest first. Fails: page_out_of_reach. */
  async list(query: OrderQuery): Promise<Page<AdminOrderView>> {
    return this.page(query, toFilter(query), (rows, reversals) =>
      Promise.all(rows.map((row) => this.present(row, reversals.get(row.id)))),
    );
  }

  /** An order with its story. Fails: not_found. */
  async get(tradeNo: string): Promise<AdminOrderDetailView> {
    const order = await this.getRow(tradeNo);
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

  /**
   * Credits an order that was paid and never heard of. Once, whatever the payment service says afterwards.
   * Fails: not_found, reason_required, topup_not_completable, order_has_owner, not_permitted, user_not_found, user_out_of_reach,
   * balance_too_high.
   */
  async complete(actor: Actor, input: CompleteOrder): Promise<AdminOrderDetailView> {
    const reason = cleanText(input.reason);
    if (reason === '') throw new DomainError('reason_required');
    const order = await this.getRow(input.trade_no);
    const userId = input.user_id === 0 ? order.userId : input.user_id;
    if (userId !== order.userId) await this.assertMayReassign(actor, order);
    const owner = await this.accounts.findIdentity(userId);
    if (owner === null) throw new DomainError('user_not_found');
    assertMayActOn('add_quota', actor, owner);
    const parts = { dataSource: this.dataSource, orders: this.orders, money: this.money };
    const by = { actorId: actor.id, userId, reason, nowMs: this.clock.nowMs() };
    const ordered = userId === order.userId ? {} : { ordered_by: order.userId };
    const isNew = await settleByHand(parts, order, by, async (manager) => {
      // Whoever leaves meanwhile gets nothing; the account is held until this ends.
      if (await this.accounts.isGone(manager, userId)) throw new DomainError('user_not_found');
      await this.audit.record(manager, {
        actorId: actor.id,
        actorRole: actor.role,
        action: 'order.complete',
        targetType: 'order',
        targetId: order.tradeNo,
        detail: {
          user_id: userId,
          ...ordered,
          quota: order.quotaToCredit,
          previous_status: order.status,
          reason,
        },
      });
    }).catch((error: unknown) => {
      if (error instanceof BalanceTooHighError) throw new DomainError('balance_too_high');
      throw error;
    });
    if (!isNew) throw new DomainError('topup_not_completable');
    await this.events.credited({ ...order, userId });
    return this.get(input.trade_no);
  }

  /**
   * Closes an order that waits for a person, because its payment was given back at the payment service: nothing is credited.
   * Fails: not_found, reason_required, order_not_refundable.
   */
  async refund(actor: Actor, input: RefundOrder): Promise<AdminOrderDetailView> {
    const reason = cleanText(input.reason);
    if (reason === '') throw new DomainError('reason_required');
    const order = await this.getRow(input.trade_no);
    await runInTransaction(this.dataSource, async (manager) => {
      const { mismatch, failed } = ORDER_STATUS;
      if (!(await this.orders.changeStatus(manager, order.id, [mismatch], failed)))
        throw new DomainError('order_not_refundable');
      await this.orders.note(manager, {
        orderId: order.id,
        kind: 'refunded-by-hand',
        eventKey: refundKeyOf(order.id),
        detail: reason,
        actorId: actor.id,
        createdAtMs: this.clock.nowMs(),
      });
      await this.audit.record(manager, {
        actorId: actor.id,
        actorRole: actor.role,
        action: 'order.refund',
        targetType: 'order',
        targetId: order.tradeNo,
        detail: { user_id: order.userId, reason },
      });
    });
    return this.get(input.trade_no);
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

  /** To another account goes only what cannot reach the one that ordered, and only root decides to whom. */
  private async assertMayReassign(actor: Actor, order: TopUpEntity): Promise<void> {
    if (actor.role < ROLE.root) throw new DomainError('not_permitted');
    if ((await this.accounts.findIdentity(order.userId)) !== null) throw new DomainError('order_has_owner');
  }

  private async getRow(tradeNo: string): Promise<TopUpEntity> {
    const order = await this.orders.findByTradeNo(tradeNo);
    if (order === null) throw new DomainError('not_found');
    return order;
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

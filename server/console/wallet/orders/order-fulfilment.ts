import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { DomainError } from '../../../common/errors/domain-error.js';
import { runInTransaction } from '../../../infra/database/run-in-transaction.js';
import { Clock } from '../../../common/clock.js';
import { AccountsService } from '../../../base/users/accounts.service.js';
import { AccountMoney, BalanceTooHighError } from '../../../base/billing/ledger/account-money.service.js';
import type { ReportedPayment } from '../payments/payment-provider.js';
import { ORDER_STATUS } from './order-status.js';
import { refundKeyOf, fulfilByHand, type Fulfilment, fulfilOrder } from './fulfil-order.js';
import type { TopUpEntity } from './top-up.entity.js';
import { TopUpsRepository } from './top-ups.repository.js';

/** Further writes in the transaction of an action, such as its audit row. */
type ExtraWrites = (manager: EntityManager) => Promise<void>;

/** Settles orders, each in one transaction: by a payment service's report, or by hand. */
@Injectable()
export class OrderFulfilment {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly orders: TopUpsRepository,
    private readonly money: AccountMoney,
    private readonly accounts: AccountsService,
    private readonly clock: Clock,
  ) {}

  /** Settles an order by a reported payment. Fails: with the database's error. */
  byPayment(reported: ReportedPayment): Promise<Fulfilment> {
    const { dataSource, orders, money } = this;
    const isOwnerGone = (manager: EntityManager, userId: number) => this.accounts.isGone(manager, userId);
    return fulfilOrder({ dataSource, orders, money, isOwnerGone }, reported, this.clock.nowMs());
  }

  /**
   * Credits an order by hand.
   * @param by  `userId` gets it
   * Fails: topup_not_completable when it was paid already, user_not_found, balance_too_high.
   */
  async complete(
    order: TopUpEntity,
    by: { readonly actorId: number; readonly userId: number; readonly reason: string },
    also: ExtraWrites,
  ): Promise<void> {
    const { dataSource, orders, money } = this;
    const nowMs = this.clock.nowMs();
    const isNew = await fulfilByHand(
      { dataSource, orders, money },
      order,
      { ...by, nowMs },
      async (manager) => {
        // An account deregistered meanwhile gets nothing; the account is held until this ends.
        if (await this.accounts.isGone(manager, by.userId)) throw new DomainError('user_not_found');
        await also(manager);
      },
    ).catch((error: unknown) => {
      if (error instanceof BalanceTooHighError) throw new DomainError('balance_too_high');
      throw error;
    });
    if (!isNew) throw new DomainError('topup_not_completable');
  }

  /** Closes an order that waits for a person, because its payment was given back. Fails: order_not_refundable. */
  async close(
    order: TopUpEntity,
    by: { readonly actorId: number; readonly reason: string },
    also: ExtraWrites,
  ): Promise<void> {
    await runInTransaction(this.dataSource, async (manager) => {
      const { mismatch, failed } = ORDER_STATUS;
      if (!(await this.orders.changeStatus(manager, order.id, [mismatch], failed)))
        throw new DomainError('order_not_refundable');
      await this.orders.note(manager, {
        orderId: order.id,
        kind: 'refunded-by-hand',
        eventKey: refundKeyOf(order.id),
        detail: by.reason,
        actorId: by.actorId,
        createdAtMs: this.clock.nowMs(),
      });
      await also(manager);
    });
  }
}

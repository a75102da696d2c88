import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../common/errors/domain-error.js';
import { cleanText } from '../../../common/text.js';
import type { Actor } from '../../../base/access/current-actor.js';
import { ROLE } from '../../../base/access/user.codes.js';
import { AccountsService } from '../../../base/users/accounts.service.js';
import { assertMayActOn } from '../../../base/users/may-act-on.js';
import type { CompleteOrder, RefundOrder } from '../dto/top-up.dto.js';
import { OrderActs } from './order-acts.js';
import { OrderLog } from './order-log.js';
import { OrderFulfilment } from './order-fulfilment.js';
import type { TopUpEntity } from './top-up.entity.js';
import { TopUpsRepository } from './top-ups.repository.js';

/** Actions of administrators on payment orders. Every action is in the audit log, in the transaction of the action. */
@Injectable()
export class OrderCorrections {
  constructor(
    private readonly orders: TopUpsRepository,
    private readonly fulfilment: OrderFulfilment,
    private readonly accounts: AccountsService,
    private readonly acts: OrderActs,
    private readonly log: OrderLog,
  ) {}

  /**
   * Credits an order whose payment was never reported. Once, whatever the payment service reports afterwards.
   * Fails: not_found, reason_required, topup_not_completable, order_has_owner, not_permitted, user_not_found, user_out_of_reach,
   * balance_too_high, administrator_daily_limit.
   */
  async complete(actor: Actor, input: CompleteOrder): Promise<void> {
    const reason = reasonIn(input);
    const order = await this.orders.getByTradeNo(input.trade_no);
    const userId = input.user_id === 0 ? order.userId : input.user_id;
    if (userId !== order.userId) await this.assertMayReassign(actor, order);
    const owner = await this.accounts.findIdentity(userId);
    if (owner === null) throw new DomainError('user_not_found');
    assertMayActOn('add_quota', actor, owner);
    const ordered = userId === order.userId ? {} : { ordered_by: order.userId };
    await this.fulfilment.complete(order, { actorId: actor.id, userId, reason }, (manager) =>
      this.acts.completed(manager, actor, order, {
        user_id: userId,
        ...ordered,
        quota: order.quotaToCredit,
        previous_status: order.status,
        reason,
      }),
    );
    await this.log.credited({ ...order, userId });
  }

  /**
   * Closes an order that waits for a person, because its payment was given back at the payment service: nothing is credited.
   * Fails: not_found, reason_required, order_not_refundable.
   */
  async refund(actor: Actor, input: RefundOrder): Promise<void> {
    const reason = reasonIn(input);
    const order = await this.orders.getByTradeNo(input.trade_no);
    await this.fulfilment.close(order, { actorId: actor.id, reason }, (manager) =>
      this.acts.refunded(manager, actor, order, { user_id: order.userId, reason }),
    );
  }

  /** To another account goes only what cannot reach the one that ordered, and only root decides to whom. */
  private async assertMayReassign(actor: Actor, order: TopUpEntity): Promise<void> {
    if (actor.role < ROLE.root) throw new DomainError('not_permitted');
    if ((await this.accounts.findIdentity(order.userId)) !== null) throw new DomainError('order_has_owner');
  }
}

/** Fails: reason_required. */
function reasonIn(input: { readonly reason: string }): string {
  const reason = cleanText(input.reason);
  if (reason === '') throw new DomainError('reason_required');
  return reason;
}

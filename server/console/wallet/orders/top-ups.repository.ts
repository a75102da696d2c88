import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import {
  type EntityManager,
  In,
  LessThan,
  MoreThanOrEqual,
  Not,
  Repository,
  type SelectQueryBuilder,
} from 'typeorm';
import { DomainError } from '../../../common/errors/domain-error.js';
import { escapeLike } from '../../../common/text.js';
import {
  ORDER_STATUS,
  type OrderStatus,
  PAID_AGAIN,
  PAYABLE,
  type Reversal,
  REVERSALS,
} from './order-status.js';
import { PaymentEventEntity } from '../payments/payment-event.entity.js';
import { runInTransaction } from '../../../infra/database/run-in-transaction.js';
import { storedForms, storedKey } from '../../../common/stored-key.js';
import { TopUpEntity } from './top-up.entity.js';

export type NewTopUp = Pick<
  TopUpEntity,
  | 'userId'
  | 'amount'
  | 'moneyMinor'
  | 'currency'
  | 'quotaToCredit'
  | 'tradeNo'
  | 'provider'
  | 'paymentMethod'
  | 'merchantId'
  | 'createTime'
  | 'nextQueryTime'
>;

export type NewPaymentEvent = Pick<
  PaymentEventEntity,
  'orderId' | 'kind' | 'eventKey' | 'detail' | 'createdAtMs'
> &
  Partial<Pick<PaymentEventEntity, 'actorId' | 'payment'>>;

/** Key of a payment in events. */
export const paymentKeyOf = (provider: string, providerTradeNo: string): string =>
  `${provider}:${providerTradeNo}`;

export interface OrderFilter {
  readonly userId?: number;
  /** Beginning of a trade number, ours or the service's. */
  readonly keyword: string;
  /** A stored state, a reversal, or `paid-again`; `success` = paid and not reversed. */
  readonly status: string;
  readonly provider: string;
  /** Seconds, inclusive; 0 = open. */
  readonly fromSeconds: number;
  readonly toSeconds: number;
}

/** The only reader and writer of `top_ups` and `payment_events`. Every change of state is a conditional update. */
@Injectable()
export class TopUpsRepository {
  constructor(
    @InjectRepository(TopUpEntity) private readonly orderRows: Repository<TopUpEntity>,
    @InjectRepository(PaymentEventEntity) private readonly eventRows: Repository<PaymentEventEntity>,
  ) {}

  /** @param before  refuses by throwing, in the transaction of the insert */
  async insert(
    order: NewTopUp,
    { nowMs, before }: { readonly nowMs: number; readonly before: (manager: EntityManager) => Promise<void> },
  ): Promise<TopUpEntity> {
    const id = await runInTransaction(this.orderRows.manager.connection, async (manager) => {
      await before(manager);
      const row = this.orders(manager).create({ ...order, providerReference: null, providerTradeNo: null });
      const { identifiers } = await this.orders(manager).insert(row);
      const orderId = Number(identifiers[0]?.['id']);
      const eventKey = `order:${orderId}:created`;
      await this.note(manager, { orderId, kind: 'created', eventKey, detail: '', createdAtMs: nowMs });
      return orderId;
    });
    return this.orders().findOneByOrFail({ id });
  }

  async findByTradeNo(tradeNo: string, manager?: EntityManager): Promise<TopUpEntity | null> {
    return this.orders(manager).findOneBy({ tradeNo });
  }

  /** Fails: not_found. */
  async getByTradeNo(tradeNo: string): Promise<TopUpEntity> {
    const order = await this.findByTradeNo(tradeNo);
    if (order === null) throw new DomainError('not_found');
    return order;
  }

  /** The order a payment was for: the one it paid, or the one whose events name it (another sum, a second payment). */
  async findByPayment(provider: string, providerTradeNo: string): Promise<TopUpEntity | null> {
    const paid = await this.orders().findOneBy({ provider, providerTradeNo: storedKey(providerTradeNo) });
    if (paid !== null) return paid;
    const told = await this.eventRows.findOneBy({
      payment: In(storedForms(paymentKeyOf(provider, providerTradeNo))),
      orderId: Not(0),
    });
    return told === null ? null : this.orders().findOneBy({ id: told.orderId });
  }

  /**
   * Gives the events that came before their payment to its order.
   * @returns those that were given now, by this caller
   */
  async linkEvents(orderId: number, payment: string): Promise<PaymentEventEntity[]> {
    const adopted: PaymentEventEntity[] = [];
    const where = { payment: In(storedForms(payment)), orderId: 0 };
    for (const event of await this.eventRows.find({ where, order: { id: 'ASC' } })) {
      const { affected } = await this.eventRows.update({ id: event.id, orderId: 0 }, { orderId });
      if (affected === 1) adopted.push(event);
    }
    return adopted;
  }

  /** Events that still wait for their payment, from a moment on; others of the same account at the service may never get one. */
  async waitingEvents(sinceMs: number, limit: number): Promise<PaymentEventEntity[]> {
    return this.eventRows.find({
      where: { orderId: 0, createdAtMs: MoreThanOrEqual(sinceMs) },
      order: { id: 'DESC' },
      take: limit,
    });
  }

  async dropWaitingEvents(beforeMs: number): Promise<void> {
    await this.eventRows.delete({ orderId: 0, createdAtMs: LessThan(beforeMs) });
  }

  async setReference(id: number, providerReference: string): Promise<void> {
    await this.orders().update({ id }, { providerReference });
  }

  /** @returns false when the order is in none of these states */
  async changeStatus(
    manager: EntityManager,
    id: number,
    from: readonly OrderStatus[],
    to: OrderStatus,
  ): Promise<boolean> {
    const result = await this.orders(manager).update({ id, status: In([...from]) }, { status: to });
    return result.affected === 1;
  }

  /** Ends an order otherwise than paid, when it still waits. */
  async end(
    id: number,
    status: 'failed' | 'expired',
    event: { readonly eventKey: string; readonly detail: string; readonly nowMs: number },
  ): Promise<void> {
    await runInTransaction(this.orderRows.manager.connection, async (manager) => {
      if (!(await this.changeStatus(manager, id, [ORDER_STATUS.pending], status))) return;
      const { detail, eventKey, nowMs: createdAtMs } = event;
      await this.note(manager, { orderId: id, kind: status, eventKey, detail, createdAtMs });
    });
  }

  /**
   * Marks an order as paid.
   * @returns false when it was paid already: nothing changed then
   * Fails: duplicate key when another order was paid by this payment.
   */
  async pay(
    manager: EntityManager,
    id: number,
    by: {
      readonly providerTradeNo: string | null;
      readonly nowSeconds: number;
      readonly completedBy: number;
      /** Account that is credited instead of the one that ordered. */
      readonly userId?: number;
    },
  ): Promise<boolean> {
    const result = await this.orders(manager).update(
      { id, status: In([...PAYABLE]) },
      {
        status: ORDER_STATUS.success,
        completeTime: by.nowSeconds,
        completedBy: by.completedBy,
        logPending: 1,
        nextQueryTime: 0,
        ...(by.userId === undefined ? {} : { userId: by.userId }),
        ...(by.providerTradeNo === null ? {} : { providerTradeNo: storedKey(by.providerTradeNo) }),
      },
    );
    return result.affected === 1;
  }

  /** Remembers the payment of an order that an administrator had completed by hand. @returns false when one is known */
  async namePayment(manager: EntityManager, id: number, providerTradeNo: string): Promise<boolean> {
    const result = await manager
      .createQueryBuilder()
      .update(TopUpEntity)
      .set({ providerTradeNo: storedKey(providerTradeNo) })
      .where('id = :id AND provider_trade_no IS NULL', { id })
      .execute();
    return result.affected === 1;
  }

  async planQuery(id: number, nextQueryTime: number, queries: number): Promise<void> {
    await this.orders().update({ id }, { nextQueryTime, queries });
  }

  async countPending(userId: number, manager?: EntityManager): Promise<number> {
    return this.orders(manager).countBy({ userId, status: ORDER_STATUS.pending });
  }

  /** Adds an event; one that is there already is left as it is. */
  async note(manager: EntityManager, event: NewPaymentEvent): Promise<void> {
    await manager
      .createQueryBuilder()
      .insert()
      .into(PaymentEventEntity)
      .values({
        actorId: 0,
        ...event,
        eventKey: storedKey(event.eventKey),
        payment: event.payment == null ? null : storedKey(event.payment),
      })
      .orIgnore()
      .updateEntity(false)
      .execute();
  }

  /** True when the order has this event already. */
  async knowsEvent(manager: EntityManager, eventKey: string): Promise<boolean> {
    return manager.existsBy(PaymentEventEntity, { eventKey: In(storedForms(eventKey)) });
  }

  /** Events of an order, oldest first; at most 200. */
  async eventsOf(orderId: number): Promise<PaymentEventEntity[]> {
    return this.eventRows.find({ where: { orderId }, order: { id: 'ASC' }, take: 200 });
  }

  /** The latest reversal of each order that has one. */
  async reversalsOf(orderIds: readonly number[]): Promise<ReadonlyMap<number, Reversal>> {
    if (orderIds.length === 0) return new Map();
    const events = await this.eventRows.find({
      select: { id: true, orderId: true, kind: true },
      where: { orderId: In([...orderIds]), kind: In([...REVERSALS]) },
      order: { id: 'ASC' },
    });
    return new Map(events.map(({ orderId, kind }) => [orderId, kind as Reversal]));
  }

  /** Newest first. */
  async page(
    filter: OrderFilter,
    offset: number,
    limit: number,
  ): Promise<{ rows: TopUpEntity[]; total: number }> {
    const [rows, total] = await narrow(this.orders().createQueryBuilder('top_up'), filter)
      .orderBy('top_up.id', 'DESC')
      .offset(offset)
      .limit(limit)
      .getManyAndCount();
    return { rows, total };
  }

  /** Orders due for a query. */
  async toAsk(nowSeconds: number, limit: number): Promise<TopUpEntity[]> {
    return this.orders()
      .createQueryBuilder('top_up')
      .where('top_up.status IN (:...open)', { open: [ORDER_STATUS.pending, ORDER_STATUS.expired] })
      .andWhere('top_up.nextQueryTime > 0 AND top_up.nextQueryTime <= :nowSeconds', { nowSeconds })
      .orderBy('top_up.nextQueryTime', 'ASC')
      .limit(limit)
      .getMany();
  }

  /** Pending orders from before a moment. */
  async overdue(createdBefore: number, limit: number): Promise<TopUpEntity[]> {
    return this.orders()
      .createQueryBuilder('top_up')
      .where('top_up.status = :pending AND top_up.createTime < :createdBefore', {
        pending: ORDER_STATUS.pending,
        createdBefore,
      })
      .orderBy('top_up.id', 'ASC')
      .limit(limit)
      .getMany();
  }

  /** Paid orders whose log line is still to be written. */
  async withoutLog(completedBefore: number, limit: number): Promise<TopUpEntity[]> {
    return this.orders()
      .createQueryBuilder('top_up')
      .where('top_up.logPending = 1 AND top_up.completeTime <= :completedBefore', { completedBefore })
      .orderBy('top_up.id', 'ASC')
      .limit(limit)
      .getMany();
  }

  async markLogged(id: number): Promise<void> {
    await this.orders().update({ id }, { logPending: 0 });
  }

  private orders(manager?: EntityManager) {
    return manager?.getRepository(TopUpEntity) ?? this.orderRows;
  }
}

function narrow(
  query: SelectQueryBuilder<TopUpEntity>,
  filter: OrderFilter,
): SelectQueryBuilder<TopUpEntity> {
  const { userId, keyword, status, provider, fromSeconds, toSeconds } = filter;
  if (userId !== undefined) query.andWhere('top_up.userId = :userId', { userId });
  if (status !== '') narrowByStatus(query, status);
  if (provider !== '') query.andWhere('top_up.provider = :provider', { provider });
  if (fromSeconds > 0) query.andWhere('top_up.createTime >= :fromSeconds', { fromSeconds });
  if (toSeconds > 0) query.andWhere('top_up.createTime <= :toSeconds', { toSeconds });
  if (keyword !== '') {
    query.andWhere(
      `(top_up.tradeNo LIKE :start ESCAPE '!' OR top_up.providerTradeNo LIKE :start ESCAPE '!')`,
      {
        start: `${escapeLike(keyword)}%`,
      },
    );
  }
  return query;
}

function narrowByStatus(query: SelectQueryBuilder<TopUpEntity>, status: string): void {
  if (status === PAID_AGAIN) {
    const again = query
      .subQuery()
      .select('event.id')
      .from(PaymentEventEntity, 'event')
      .where('event.orderId = top_up.id AND event.kind = :again');
    query.andWhere(`EXISTS ${again.getQuery()}`, { again: PAID_AGAIN });
    return;
  }
  const reversal = REVERSALS.find((known) => known === status);
  query.andWhere('top_up.status = :status', {
    status: reversal === undefined ? status : ORDER_STATUS.success,
  });
  if (reversal === undefined && status !== ORDER_STATUS.success) return;
  // The latest of several reversals is the state: none after it, and for paid orders none at all.
  const reversals = query
    .subQuery()
    .select('event.id')
    .from(PaymentEventEntity, 'event')
    .where('event.orderId = top_up.id');
  if (reversal === undefined) {
    query.andWhere(`NOT EXISTS ${reversals.andWhere('event.kind IN (:...reversals)').getQuery()}`);
  } else {
    const later = query
      .subQuery()
      .select('later.id')
      .from(PaymentEventEntity, 'later')
      .where('later.orderId = event.orderId AND later.id > event.id AND later.kind IN (:...reversals)');
    reversals.andWhere('event.kind = :reversal').andWhere(`NOT EXISTS ${later.getQuery()}`);
    query.andWhere(`EXISTS ${reversals.getQuery()}`, { reversal });
  }
  query.setParameter('reversals', [...REVERSALS]);
}

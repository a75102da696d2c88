import type { DataSource, EntityManager } from 'typeorm';
import { PAYABLE } from '../../server/console/wallet/orders/order-status.js';
import type { TopUpEntity } from '../../server/console/wallet/orders/top-up.entity.js';
import { type TopUpsRepository } from '../../server/console/wallet/orders/top-ups.repository.js';
import type { ReportedPayment } from '../../server/console/wallet/payments/payment-provider.js';

type NewEvent = Parameters<TopUpsRepository['note']>[1];

/** Payment orders and their events without a database: a transaction that fails leaves what there was. */
export class MemoryOrders {
  orders: TopUpEntity[];
  events: NewEvent[] = [];

  constructor(...orders: readonly TopUpEntity[]) {
    this.orders = [...orders];
  }

  get kinds(): string[] {
    return this.events.map(({ kind }) => kind);
  }

  readonly dataSource = {
    manager: {},
    transaction: async <T>(work: (manager: EntityManager) => Promise<T>): Promise<T> => {
      const before = { orders: this.orders.map((order) => ({ ...order })), events: [...this.events] };
      try {
        return await work({} as EntityManager);
      } catch (error) {
        Object.assign(this, before);
        throw error;
      }
    },
  } as unknown as DataSource;

  readonly repository = {
    findByTradeNo: async (tradeNo: string) => this.find((order) => order.tradeNo === tradeNo),
    getByTradeNo: async (tradeNo: string) => this.find((order) => order.tradeNo === tradeNo),
    findByPayment: async (provider: string, providerTradeNo: string) =>
      this.find((order) => order.provider === provider && order.providerTradeNo === providerTradeNo),
    pay: async (_manager: EntityManager, id: number, by: Parameters<TopUpsRepository['pay']>[2]) => {
      const { providerTradeNo, nowSeconds: completeTime, completedBy, userId } = by;
      const other = this.orders.find((order) => order.id !== id && order.providerTradeNo === providerTradeNo);
      if (providerTradeNo !== null && other !== undefined)
        throw Object.assign(new Error('duplicate'), { code: '23505' });
      return this.change(id, PAYABLE, {
        status: 'success',
        completeTime,
        completedBy,
        ...(providerTradeNo === null ? {} : { providerTradeNo }),
        ...(userId === undefined ? {} : { userId }),
      });
    },
    namePayment: async (_manager: EntityManager, id: number, providerTradeNo: string) =>
      this.orders.some((order) => order.id === id && order.providerTradeNo === null) &&
      this.change(id, undefined, { providerTradeNo }),
    changeStatus: async (_manager: EntityManager, id: number, from: readonly string[], status: string) =>
      this.change(id, from, { status }),
    end: async (id: number, status: string, { eventKey, detail }: { eventKey: string; detail: string }) => {
      if (this.change(id, ['pending'], { status }))
        this.events.push({ orderId: id, kind: status, eventKey, detail, createdAtMs: 0 });
    },
    knowsEvent: async (_manager: EntityManager, key: string) =>
      this.events.some(({ eventKey }) => eventKey === key),
    note: async (_manager: EntityManager, event: NewEvent) => {
      if (!this.events.some(({ eventKey }) => eventKey === event.eventKey)) this.events.push(event);
    },
    linkEvents: async (orderId: number, payment: string) => {
      const waiting = this.events.filter((event) => event.orderId === 0 && event.payment === payment);
      this.events = this.events.map((event) => (waiting.includes(event) ? { ...event, orderId } : event));
      return waiting;
    },
  } as unknown as TopUpsRepository;

  private find(isIt: (order: TopUpEntity) => boolean): TopUpEntity | null {
    const order = this.orders.find(isIt);
    return order === undefined ? null : { ...order };
  }

  private change(id: number, from: readonly string[] | undefined, columns: Partial<TopUpEntity>): boolean {
    const row = this.orders.find((order) => order.id === id);
    if (row === undefined || (from !== undefined && !from.includes(row.status))) return false;
    Object.assign(row, columns);
    return true;
  }
}

/** Payment report for the order of `orderRow`. */
export const reportedPayment = (changes: Partial<ReportedPayment> = {}): ReportedPayment => ({
  provider: 'epay',
  tradeNo: 'USR7NOABC1',
  providerTradeNo: 'P1',
  moneyMinor: 1_000,
  currency: '',
  method: 'alipay',
  merchantId: 'shop',
  ...changes,
});

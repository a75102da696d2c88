import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, In, MoreThanOrEqual } from 'typeorm';
import { Clock } from '../../../common/clock.js';
import { ORDER_INCIDENTS, type Incident, ORDER_STATUS } from './order-status.js';
import { PaymentEventEntity } from '../payments/payment-event.entity.js';
import { TopUpEntity } from './top-up.entity.js';

/** Time an unsettled mismatch is reported. */
const MISMATCH_SECONDS = 30 * 86_400;
/** Time an incident is reported: the books do not record that it was dealt with. */
const INCIDENT_MS = 86_400_000;

/** Orders a person has to look at, for one and the same reason. */
export interface OrderIncidentCount {
  /** `mismatch`: paid otherwise than agreed, and not settled. */
  readonly kind: 'mismatch' | Incident;
  /** Above 0. */
  readonly count: number;
  /** When the first of them began. */
  readonly sinceMs: number;
}

interface Counted {
  readonly kind: OrderIncidentCount['kind'];
  readonly count: string | number;
  readonly oldest: string | number | null;
}

/** Reports of payment services that the books cannot settle by themselves, for monitoring. */
@Injectable()
export class OrderIncidents {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  /** Mismatches of 30 days that are not settled, and what happened to orders within the last day. Kinds without any are left out. */
  async read(): Promise<OrderIncidentCount[]> {
    const nowMs = this.clock.nowMs();
    const [mismatched, incidents] = await Promise.all([
      this.mismatched(Math.floor(nowMs / 1_000) - MISMATCH_SECONDS),
      this.incidents(nowMs - INCIDENT_MS),
    ]);
    return [mismatched, ...incidents].filter(({ count }) => count > 0);
  }

  private async mismatched(sinceSeconds: number): Promise<OrderIncidentCount> {
    const row = await this.dataSource
      .getRepository(TopUpEntity)
      .createQueryBuilder('order')
      .select('COUNT(*)', 'count')
      .addSelect('MIN(order.createTime)', 'oldest')
      .where({ status: ORDER_STATUS.mismatch, createTime: MoreThanOrEqual(sinceSeconds) })
      .getRawOne<Omit<Counted, 'kind'>>();
    return {
      kind: 'mismatch',
      count: Number(row?.count ?? 0),
      sinceMs: Number(row?.oldest ?? 0) * 1_000,
    };
  }

  private async incidents(sinceMs: number): Promise<OrderIncidentCount[]> {
    const rows = await this.dataSource
      .getRepository(PaymentEventEntity)
      .createQueryBuilder('event')
      .select('event.kind', 'kind')
      .addSelect('COUNT(DISTINCT event.orderId)', 'count')
      .addSelect('MIN(event.createdAtMs)', 'oldest')
      .where({ kind: In([...ORDER_INCIDENTS]), createdAtMs: MoreThanOrEqual(sinceMs) })
      .groupBy('event.kind')
      .orderBy('event.kind')
      .getRawMany<Counted>();
    return rows.map(({ kind, count, oldest }) => ({ kind, count: Number(count), sinceMs: Number(oldest) }));
  }
}

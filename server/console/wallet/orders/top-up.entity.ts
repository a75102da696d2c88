import { Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import {
  IntegerColumn,
  QuotaColumn,
  SecondsColumn,
  SmallColumn,
  TextColumn,
} from '../../../infra/database/columns.js';

/** A payment order. Amount, money and quota are fixed when it is made; later changes of options do not touch it. */
@Entity('top_ups')
@Index('top_ups_provider_trade_no', ['provider', 'providerTradeNo'], { unique: true })
@Index('top_ups_user_id_id', ['userId', 'id'])
@Index('top_ups_status_next_query_time', ['status', 'nextQueryTime'])
export class TopUpEntity {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  @SmallColumn('user_id')
  userId!: number;

  /** Whole units of what is credited, as consoles of this API family show it; `quotaToCredit` is exact. */
  @IntegerColumn('amount', { default: 0 })
  amount!: number;

  /** Money asked from the payer in the smallest part of its currency; above 0. */
  @IntegerColumn('money_minor', { default: 0 })
  moneyMinor!: number;

  /** Lower-case currency code; empty = the currency of the payment service. */
  @TextColumn('currency', 8)
  currency!: string;

  @QuotaColumn('quota_to_credit')
  quotaToCredit!: number;

  /** Our number of the order, which the provider repeats. */
  @Index('top_ups_trade_no', { unique: true })
  @TextColumn('trade_no', 64)
  tradeNo!: string;

  /** epay, stripe. */
  @TextColumn('provider', 16)
  provider!: string;

  /** alipay, wxpay, …, stripe. */
  @TextColumn('payment_method', 64)
  paymentMethod!: string;

  /** Our account at the provider when the order was made. */
  @TextColumn('merchant_id', 255)
  merchantId!: string;

  /** Provider's id of the order before it is paid (Stripe: the session); null = none. */
  @TextColumn('provider_reference', 191, { nullable: true, default: null })
  providerReference!: string | null;

  /** The provider's number of the payment; null until paid. */
  @TextColumn('provider_trade_no', 191, { nullable: true, default: null })
  providerTradeNo!: string | null;

  /** pending, success, expired, failed, mismatch. */
  @TextColumn('status', 16, { default: 'pending' })
  status!: string;

  @SecondsColumn('create_time')
  createTime!: number;

  /** 0 = not paid. */
  @SecondsColumn('complete_time')
  completeTime!: number;

  /** Time of the next query for the order; 0 = none. */
  @SecondsColumn('next_query_time')
  nextQueryTime!: number;

  /** Number of queries. */
  @SmallColumn('queries', { default: 0 })
  queries!: number;

  /** Administrator who completed it by hand; 0 = reported by the provider. */
  @SmallColumn('completed_by', { default: 0 })
  completedBy!: number;

  /** 1 = paid, its log line is still to be written. */
  @Index('top_ups_log_pending', { where: 'log_pending = 1' })
  @SmallColumn('log_pending', { default: 0 })
  logPending!: number;
}

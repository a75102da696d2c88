import { Entity, Index } from 'typeorm';
import {
  BigIdColumn,
  LongTextColumn,
  MillisecondsColumn,
  SmallColumn,
  TextColumn,
} from '../../../infra/database/columns.js';

/** Something that happened to an order, for administrators. Rows never change; each event is there once. */
@Entity('payment_events')
@Index('payment_events_kind_created_at_ms', ['kind', 'createdAtMs'])
export class PaymentEventEntity {
  @BigIdColumn('id')
  id!: number;

  /** 0 = unknown yet: its payment has not been reported. */
  @Index('payment_events_order_id')
  @SmallColumn('order_id')
  orderId!: number;

  /** created, paid, paid-again, mismatch, foreign, ownerless, account-full, unconfirmed, expired, failed, refunded, disputed, dispute-closed, completed-by-hand, refunded-by-hand. */
  @TextColumn('kind', 32)
  kind!: string;

  /** Makes the event happen once: the provider's number of it, or the order and its kind. */
  @Index('payment_events_event_key', { unique: true })
  @TextColumn('event_key', 191)
  eventKey!: string;

  /** Payment of the event, as a `paymentKeyOf`; null for events about the order alone, and in older rows. */
  @Index('payment_events_payment')
  @TextColumn('payment', 191, { nullable: true, default: null })
  payment!: string | null;

  /** 0 = no account of ours. */
  @SmallColumn('actor_id', { default: 0 })
  actorId!: number;

  @LongTextColumn('detail')
  detail!: string;

  @MillisecondsColumn('created_at_ms')
  createdAtMs!: number;
}

import { Entity, PrimaryColumn } from 'typeorm';
import {
  LongTextColumn,
  MillisecondsColumn,
  QuotaColumn,
  SmallColumn,
  TextColumn,
} from '../../../infra/database/columns.js';

/** The final charge of one call: exactly one row per call id, never changed. */
@Entity('settlements')
export class SettlementEntity {
  /** Call id, UUIDv7. */
  @PrimaryColumn({ name: 'request_id', type: 'varchar', length: 36 })
  requestId!: string;

  @SmallColumn('user_id')
  userId!: number;

  /** Null in the playground. */
  @SmallColumn('token_id', { nullable: true, default: null })
  tokenId!: number | null;

  /** True when the token was limited, so that the charge counted against it. */
  @SmallColumn('token_limited', { default: 0 })
  tokenLimited!: number;

  @SmallColumn('channel_id', { default: 0 })
  channelId!: number;

  @TextColumn('model', 255)
  model!: string;

  /** JSON of relay-core/model/usage.ts. */
  @LongTextColumn('usage')
  usage!: string;

  /** reported, counted, estimated, none. */
  @TextColumn('evidence', 16)
  evidence!: string;

  /** Amount the account paid. charged + writeoff = price(usage, price_snapshot). */
  @QuotaColumn('charged')
  charged!: number;

  /** The part the floor did not allow to charge; booked to the house. */
  @QuotaColumn('writeoff')
  writeoff!: number;

  /** ok, partial, client_abort, limit, recovered. */
  @TextColumn('outcome', 16)
  outcome!: string;

  /** Which of `price_snapshots` it was charged by, or in older rows that document itself: enough to recompute it. */
  @LongTextColumn('price_snapshot')
  priceSnapshot!: string;

  @MillisecondsColumn('created_at_ms')
  createdAtMs!: number;

  /** Limits and periods it counts under; null = none. The form is in base/limits/limit-marks.ts. */
  @LongTextColumn('limits', { nullable: true, default: null, select: false })
  limits?: string | null;
}

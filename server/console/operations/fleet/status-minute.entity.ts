import { Entity, PrimaryColumn } from 'typeorm';
import { IntegerColumn, QuotaColumn, SmallColumn } from '../../../infra/database/columns.js';

/** One minute of all workers together; an hour of them is kept. */
@Entity('status_minutes')
export class StatusMinuteEntity {
  /** Minutes since 1970. */
  @PrimaryColumn({ name: 'minute', type: 'integer' })
  minute!: number;

  @IntegerColumn('calls', { default: 0 })
  calls!: number;

  /** Failures that were not the caller's. */
  @IntegerColumn('errors', { default: 0 })
  errors!: number;

  /** Milliseconds; null = nothing was streamed or answered. */
  @IntegerColumn('first_token_p95_ms', { nullable: true, default: null })
  firstTokenP95Ms!: number | null;

  @IntegerColumn('settlement_lag_ms', { default: 0 })
  settlementLagMs!: number;

  @QuotaColumn('writeoff_quota')
  writeoffQuota!: number;

  /** Calls that were charged more than was set aside for them. */
  @IntegerColumn('overrun_calls', { default: 0 })
  overrunCalls!: number;

  /** Quota charged beyond the reservations. */
  @QuotaColumn('overrun_quota')
  overrunQuota!: number;

  /** Workers whose figures are in it. */
  @SmallColumn('workers', { default: 0 })
  workers!: number;
}

import { Entity, Index, PrimaryColumn } from 'typeorm';
import { MillisecondsColumn, safeInteger } from '../../infra/database/columns.js';

/** A warning that was sent: once for each limit, value, period and share of the amount, over all instances. */
@Entity('limit_warnings')
export class LimitWarningEntity {
  @PrimaryColumn({ name: 'limit_id', type: 'integer' })
  limitId!: number;

  /** Empty, or the id or value where the limit applies to each. */
  @PrimaryColumn({ name: 'value', type: 'varchar', length: 191 })
  value!: string;

  /** Start of the period, milliseconds. */
  @PrimaryColumn({ name: 'period_start_ms', type: 'bigint', transformer: safeInteger })
  periodStartMs!: number;

  /** Share of the amount. */
  @PrimaryColumn({ name: 'percent', type: 'integer' })
  percent!: number;

  @Index('limit_warnings_warned_at_ms')
  @MillisecondsColumn('warned_at_ms')
  warnedAtMs!: number;
}

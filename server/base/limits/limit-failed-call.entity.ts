import { Entity, Index, PrimaryColumn } from 'typeorm';
import { LongTextColumn, MillisecondsColumn } from '../../infra/database/columns.js';

/** A call that went upstream and failed: it has no settlement, and counts under limits of requests. */
@Entity('limit_failed_calls')
@Index('limit_failed_calls_created_at_ms', ['createdAtMs'])
export class LimitFailedCallEntity {
  @PrimaryColumn({ name: 'request_id', type: 'varchar', length: 36 })
  requestId!: string;

  /** Limits and periods it counts under (limit-marks.ts). */
  @LongTextColumn('limits')
  limits!: string;

  @MillisecondsColumn('created_at_ms')
  createdAtMs!: number;
}

import { Entity, PrimaryColumn } from 'typeorm';
import { MillisecondsColumn, QuotaColumn } from '../../infra/database/columns.js';

/** An account that was warned of a balance below the threshold; removed when the balance is seen above it again. */
@Entity('quota_warnings')
export class QuotaWarningEntity {
  @PrimaryColumn({ name: 'user_id', type: 'integer' })
  userId!: number;

  @MillisecondsColumn('warned_at_ms')
  warnedAtMs!: number;

  /** Balance of the account at that time. */
  @QuotaColumn('balance')
  balance!: number;
}

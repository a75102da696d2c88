import { Entity, PrimaryColumn } from 'typeorm';
import { MillisecondsColumn, QuotaColumn } from '../../infra/database/columns.js';

/** An account that was told its balance is below the threshold; gone when the balance is seen above it again. */
@Entity('quota_warnings')
export class QuotaWarningEntity {
  @PrimaryColumn({ name: 'user_id', type: 'integer' })
  userId!: number;

  @MillisecondsColumn('warned_at_ms')
  warnedAtMs!: number;

  /** What the account had then. */
  @QuotaColumn('balance')
  balance!: number;
}

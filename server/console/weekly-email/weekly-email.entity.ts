import { Entity, Index, PrimaryColumn } from 'typeorm';
import { MillisecondsColumn, SmallColumn } from '../../infra/database/columns.js';

/** The weekly summary of an account. The row stays when it is switched off, so that no week is sent twice. */
@Entity('weekly_emails')
export class WeeklyEmailEntity {
  @PrimaryColumn({ name: 'user_id', type: 'integer' })
  userId!: number;

  /** Moment of the next attempt; null = switched off. */
  @Index('weekly_emails_due_at_ms')
  @MillisecondsColumn('due_at_ms', { nullable: true, default: null })
  dueAtMs!: number | null;

  /** Number of the last week that was sent (see `weekAt`); 0 = none. */
  @SmallColumn('last_week', { default: 0 })
  lastWeek!: number;

  /** Attempts for the week that is due that failed. */
  @SmallColumn('failures', { default: 0 })
  failures!: number;
}

import { Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import {
  LongTextColumn,
  MillisecondsColumn,
  SmallColumn,
  TextColumn,
} from '../../../infra/database/columns.js';

/** An alert, from its start until it is resolved. */
@Entity('alerts')
@Index('alerts_over_at_ms', ['overAtMs'])
export class AlertEntity {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  /** Name of the rule, finding-rules.ts. */
  @TextColumn('rule', 48)
  rule!: string;

  /** Subject within the rule: an instance, a model, a channel; empty = the installation. */
  @TextColumn('subject', 191)
  subject!: string;

  /** warning, fault. */
  @TextColumn('severity', 16)
  severity!: string;

  /** JSON object: values for the messages of the rule. */
  @LongTextColumn('facts')
  facts!: string;

  /** Rule and subject while it lasts, null afterwards: the database lets each begin once. */
  @Index('alerts_open_key', { unique: true })
  @TextColumn('open_key', 255, { nullable: true, default: null })
  openKey!: string | null;

  /** When the condition began. */
  @MillisecondsColumn('since_ms')
  sinceMs!: number;

  @MillisecondsColumn('opened_at_ms')
  openedAtMs!: number;

  /** Null = it lasts. */
  @MillisecondsColumn('over_at_ms', { nullable: true, default: null })
  overAtMs!: number | null;

  /** Number of restarts within the quiet time. */
  @SmallColumn('repeats', { default: 0 })
  repeats!: number;

  /** When its start was last sent to recipients; 0 = not yet. */
  @MillisecondsColumn('told_at_ms')
  notifiedAtMs!: number;

  /** Failed attempts to send since the last success. */
  @SmallColumn('tell_attempts', { default: 0 })
  notifyAttempts!: number;

  /** Reason of the last failed attempt; empty = it did not fail. */
  @TextColumn('tell_fault', 500)
  notifyFault!: string;

  /** 1 = recipients were sent the start and not yet the end. */
  @SmallColumn('owes_recovery', { default: 0 })
  owesRecovery!: number;

  /** 0 = not acknowledged. */
  @SmallColumn('acknowledged_by', { default: 0 })
  acknowledgedBy!: number;

  @TextColumn('acknowledged_name', 64)
  acknowledgedName!: string;

  @MillisecondsColumn('acknowledged_at_ms')
  acknowledgedAtMs!: number;
}

import { Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import {
  LongTextColumn,
  MillisecondsColumn,
  SmallColumn,
  TextColumn,
} from '../../../infra/database/columns.js';

/** Something somebody had to know, from when it began until it was over. */
@Entity('alerts')
@Index('alerts_over_at_ms', ['overAtMs'])
export class AlertEntity {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  /** Name of the rule, finding-rules.ts. */
  @TextColumn('rule', 48)
  rule!: string;

  /** What it is about within the rule: an instance, a model, a channel; empty = the installation. */
  @TextColumn('subject', 191)
  subject!: string;

  /** warning, fault. */
  @TextColumn('severity', 16)
  severity!: string;

  /** JSON object: what the sentences of the rule speak of. */
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

  /** How often it began again within the quiet time. */
  @SmallColumn('repeats', { default: 0 })
  repeats!: number;

  /** When its beginning was sent to receivers last; 0 = not yet. */
  @MillisecondsColumn('told_at_ms')
  notifiedAtMs!: number;

  /** Attempts to tell that failed since the last success. */
  @SmallColumn('tell_attempts', { default: 0 })
  notifyAttempts!: number;

  /** Why telling failed last; empty = it did not. */
  @TextColumn('tell_fault', 500)
  notifyFault!: string;

  /** 1 = receivers were sent the beginning and not yet the end. */
  @SmallColumn('owes_recovery', { default: 0 })
  owesRecovery!: number;

  /** 0 = nobody. */
  @SmallColumn('acknowledged_by', { default: 0 })
  acknowledgedBy!: number;

  @TextColumn('acknowledged_name', 64)
  acknowledgedName!: string;

  @MillisecondsColumn('acknowledged_at_ms')
  acknowledgedAtMs!: number;
}

import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import {
  FlagColumn,
  IntegerColumn,
  MillisecondsColumn,
  SmallColumn,
  TextColumn,
} from '../../infra/database/columns.js';
import type {
  LimitAction,
  LimitDefinition,
  LimitMeasure,
  LimitPeriod,
  LimitScope,
} from './limit-definition.js';

/** One limit. Its use is in `limit_use`. */
@Entity('limits')
@Index('limits_scope_subject', ['scope', 'subject'])
@Index('limits_account_id', ['accountId'])
export class LimitEntity implements LimitDefinition {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  @TextColumn('name', 100)
  name!: string;

  @TextColumn('scope', 16)
  scope!: LimitScope;

  @TextColumn('subject', 191)
  subject!: string;

  @SmallColumn('account_id', { nullable: true, default: null })
  accountId!: number | null;

  @FlagColumn('each')
  each!: boolean;

  @TextColumn('model', 255)
  model!: string;

  @TextColumn('measure', 16)
  measure!: LimitMeasure;

  @IntegerColumn('amount', { default: 0 })
  amount!: number;

  @TextColumn('period', 16)
  period!: LimitPeriod | '';

  @FlagColumn('rolling')
  rolling!: boolean;

  @TextColumn('action', 16)
  action!: LimitAction;

  /** Model that calls go on to at the limit; empty = none. */
  @TextColumn('fallback_model', 255)
  fallbackModel!: string;

  /** JSON list of percents of the amount; empty = no warnings. */
  @TextColumn('warn_at', 100)
  warnAt!: string;

  /** Calls are admitted while the use is unknown. */
  @FlagColumn('admit_unknown')
  admitUnknown!: boolean;

  @Column({ name: 'enabled', type: 'boolean', default: true })
  enabled!: boolean;

  @IntegerColumn('override_amount', { nullable: true, default: null })
  overrideAmount!: number | null;

  @MillisecondsColumn('override_until_ms', { nullable: true, default: null })
  overrideUntilMs!: number | null;

  /** Account that set the override; 0 = none. */
  @SmallColumn('override_by', { default: 0 })
  overrideBy!: number;

  @TextColumn('override_reason', 500)
  overrideReason!: string;

  @SmallColumn('created_by', { default: 0 })
  createdBy!: number;

  /** A limit of a user's own, beside those that others set. */
  @FlagColumn('by_user')
  byUser!: boolean;

  @MillisecondsColumn('created_at_ms')
  createdAtMs!: number;

  @MillisecondsColumn('updated_at_ms')
  updatedAtMs!: number;

  /** Rises with every change. */
  @SmallColumn('version', { default: 1 })
  version!: number;
}

import { Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import {
  CounterColumn,
  FlagColumn,
  LongTextColumn,
  MillisecondsColumn,
  QuotaColumn,
  SecondsColumn,
  SmallColumn,
  TextColumn,
} from '../../infra/database/columns.js';

/** An API token. `remainQuota`, `usedQuota` and `refundedQuota` change only through the billing module. */
@Entity('tokens')
export class TokenEntity {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  @Index('tokens_user_id')
  @SmallColumn('user_id')
  userId!: number;

  /** Keyed SHA-256 of the key (see token-key.ts), hexadecimal: how a call finds its token. */
  @Index('tokens_key_digest', { unique: true })
  @TextColumn('key_digest', 64)
  keyDigest!: string;

  /** The key itself, encrypted; the owner may copy it later. */
  @LongTextColumn('key_encrypted', { select: false })
  keyEncrypted!: string;

  /** 1 enabled, 2 disabled. Expired (3) and exhausted (4) are derived when reading. */
  @SmallColumn('status', { default: 1 })
  status!: number;

  @TextColumn('name', 64)
  name!: string;

  @SecondsColumn('created_time')
  createdTime!: number;

  @SecondsColumn('accessed_time')
  accessedTime!: number;

  /** Seconds; -1 = never. */
  @SecondsColumn('expired_time', { default: -1 })
  expiredTime!: number;

  /** Unreserved quota of a limited token; untouched while `unlimitedQuota`. */
  @QuotaColumn('remain_quota')
  remainQuota!: number;

  @FlagColumn('unlimited_quota')
  unlimitedQuota!: boolean;

  @FlagColumn('model_limits_enabled')
  modelLimitsEnabled!: boolean;

  /** Comma-separated model names. */
  @LongTextColumn('model_limits')
  modelLimits!: string;

  /** One address or CIDR range per line; empty = everybody. */
  @LongTextColumn('allow_ips')
  allowIps!: string;

  @CounterColumn('used_quota')
  usedQuota!: number;

  /** Sum of refunds of charges of this token, whether they raised its allowance or not. */
  @CounterColumn('refunded_quota')
  refundedQuota!: number;

  /** Empty = the owner's group. */
  @TextColumn('group', 64)
  group!: string;

  @MillisecondsColumn('deleted_at_ms', { nullable: true, default: null })
  deletedAtMs!: number | null;
}

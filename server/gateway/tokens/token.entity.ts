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

  /** The key itself, encrypted; the owner may copy it later. Kept for 30 days after a deletion. */
  @LongTextColumn('key_encrypted', { select: false })
  keyEncrypted!: string;

  /** Import the token came with (`imports.id`); 0 = it was made here. */
  @SmallColumn('import_id', { default: 0 })
  importId!: number;

  /**
   * Form of an imported key: `plain` = the key as its owner sends it, `sha256` = only the SHA-256 of the whole key is known, so that
   * `key_encrypted` is empty. Empty = a key made here.
   */
  @TextColumn('key_form', 8)
  keyForm!: string;

  /** Last characters of a key that is known as SHA-256 only. */
  @TextColumn('key_ending', 8)
  keyEnding!: string;

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

  /** One address or CIDR range per line; empty = all addresses. */
  @LongTextColumn('allow_ips')
  allowIps!: string;

  /** Comma list of tags that every call of the token has. */
  @TextColumn('tags', 700)
  tags!: string;

  /** Calls that name no end user are refused. */
  @FlagColumn('needs_end_user')
  needsEndUser!: boolean;

  @CounterColumn('used_quota')
  usedQuota!: number;

  /** Sum of refunds of charges of this token, whether they raised its allowance or not. */
  @CounterColumn('refunded_quota')
  refundedQuota!: number;

  /** Empty = the owner's group. */
  @TextColumn('group', 64)
  group!: string;

  /** Moment of the lock; null = not locked. While it is set the token counts as disabled, and its owner cannot change it. */
  @MillisecondsColumn('locked_at_ms', { nullable: true, default: null })
  lockedAtMs!: number | null;

  /** Account of the administrator who locked it; 0 = not locked. */
  @SmallColumn('locked_by_id', { default: 0 })
  lockedById!: number;

  @TextColumn('lock_reason', 200)
  lockReason!: string;

  /** The status that unlocking restores. */
  @SmallColumn('status_before_lock', { default: 1 })
  statusBeforeLock!: number;

  /** Moment of the last refused call; null = none yet. */
  @MillisecondsColumn('refused_at_ms', { nullable: true, default: null })
  refusedAtMs!: number | null;

  /** Kind of the last refusal, as `RelayError` names it. */
  @TextColumn('refused_kind', 40)
  refusedKind!: string;

  /** Its sentence as the caller read it, without secrets. */
  @TextColumn('refused_text', 300)
  refusedText!: string;

  @Index('tokens_deleted_at')
  @MillisecondsColumn('deleted_at_ms', { nullable: true, default: null })
  deletedAtMs!: number | null;

  /** Account that deleted the row; null = not deleted, or deleted by a version that kept nothing. */
  @SmallColumn('deleted_by', { nullable: true, default: null })
  deletedBy!: number | null;

  /** Moment the sealed key of the deleted row was removed; null = it was not. */
  @MillisecondsColumn('wiped_at_ms', { nullable: true, default: null })
  wipedAtMs!: number | null;
}

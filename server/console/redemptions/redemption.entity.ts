import { Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import {
  LongTextColumn,
  MillisecondsColumn,
  QuotaColumn,
  SecondsColumn,
  SmallColumn,
  TextColumn,
} from '../../infra/database/columns.js';

/** A code that is worth quota once. Used rows never change, deletion hides a row and keeps it. */
@Entity('redemptions')
export class RedemptionEntity {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  /** Creator of the code. */
  @Index('redemptions_user_id')
  @SmallColumn('user_id')
  userId!: number;

  /** Keyed digest of the code, hexadecimal: a copied database alone redeems nothing. */
  @Index('redemptions_key_digest', { unique: true })
  @TextColumn('key_digest', 64)
  keyDigest!: string;

  /** The code, sealed by SecretBox at the place of its digest. */
  @LongTextColumn('key_encrypted', { select: false })
  keyEncrypted!: string;

  /** 1 unused, 2 disabled, 3 used. */
  @SmallColumn('status', { default: 1 })
  status!: number;

  @Index('redemptions_name')
  @TextColumn('name', 64)
  name!: string;

  /** Quota of the code; above 0. */
  @QuotaColumn('quota')
  quota!: number;

  @SecondsColumn('created_time')
  createdTime!: number;

  /** 0 = not redeemed. */
  @SecondsColumn('redeemed_time')
  redeemedTime!: number;

  /** From this moment on it is worth nothing; 0 = never. */
  @SecondsColumn('expired_time')
  expiredTime!: number;

  /** 0 = not redeemed. */
  @SmallColumn('used_user_id', { default: 0 })
  usedUserId!: number;

  /** 1 = redeemed, its log line is still to be written. */
  @Index('redemptions_log_pending', { where: 'log_pending = 1' })
  @SmallColumn('log_pending', { default: 0 })
  logPending!: number;

  @Index('redemptions_deleted_at')
  @MillisecondsColumn('deleted_at_ms', { nullable: true, default: null })
  deletedAtMs!: number | null;

  /** Account that deleted the row; null = not deleted, or deleted by a version that kept nothing. */
  @SmallColumn('deleted_by', { nullable: true, default: null })
  deletedBy!: number | null;

  /** Moment the sealed key of the deleted row was removed; null = it was not. */
  @MillisecondsColumn('wiped_at_ms', { nullable: true, default: null })
  wipedAtMs!: number | null;
}

import { Entity, Index } from 'typeorm';
import {
  BigIdColumn,
  LongTextColumn,
  MillisecondsColumn,
  QuotaColumn,
  SmallColumn,
  TextColumn,
} from '../../../infra/database/columns.js';

/** Money in or out of an account other than calls. Rows never change. */
@Entity('ledger')
@Index('ledger_kind_ref', ['kind', 'ref'], { unique: true })
export class LedgerEntryEntity {
  @BigIdColumn('id')
  id!: number;

  @Index('ledger_user_id')
  @SmallColumn('user_id')
  userId!: number;

  /** setup, grant_new, grant_invitee, topup, redeem, aff_in, adjust, correction, refund, import. */
  @TextColumn('kind', 32)
  kind!: string;

  /** Not 0. */
  @QuotaColumn('amount')
  amount!: number;

  /** `users.quota` right after this entry. */
  @QuotaColumn('quota_after')
  quotaAfter!: number;

  /** Makes the movement happen once: order id, code id, operation id. */
  @TextColumn('ref', 64)
  ref!: string;

  @SmallColumn('actor_id', { default: 0 })
  actorId!: number;

  @LongTextColumn('reason')
  reason!: string;

  @MillisecondsColumn('created_at_ms')
  createdAtMs!: number;
}

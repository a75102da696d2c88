import { Entity, Index } from 'typeorm';
import {
  BigIdColumn,
  MillisecondsColumn,
  QuotaColumn,
  SmallColumn,
  TextColumn,
} from '../../../infra/database/columns.js';

/** A change of a limited token's allowance. Rows never change. */
@Entity('token_grants')
@Index('token_grants_kind_ref', ['kind', 'ref'], { unique: true })
export class TokenGrantEntity {
  @BigIdColumn('id')
  id!: number;

  @Index('token_grants_token_id')
  @SmallColumn('token_id')
  tokenId!: number;

  /** create, edit, overrun, refund. */
  @TextColumn('kind', 32)
  kind!: string;

  @QuotaColumn('amount')
  amount!: number;

  @SmallColumn('actor_id', { default: 0 })
  actorId!: number;

  @TextColumn('ref', 64)
  ref!: string;

  @MillisecondsColumn('created_at_ms')
  createdAtMs!: number;
}

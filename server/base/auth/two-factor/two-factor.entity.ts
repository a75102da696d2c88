import { Entity, PrimaryColumn } from 'typeorm';
import { IntegerColumn, LongTextColumn, MillisecondsColumn } from '../../../infra/database/columns.js';

/** Authenticator app of an account. A row exists exactly while codes are required. */
@Entity('two_factor')
export class TwoFactorEntity {
  @PrimaryColumn({ name: 'user_id', type: 'integer' })
  userId!: number;

  /** Base32 secret, sealed for `two_factor:{user id}`. */
  @LongTextColumn('secret_sealed')
  secretSealed!: string;

  /** Time step of the newest code that was accepted: it and older ones are used up. */
  @IntegerColumn('last_step', { default: 0 })
  lastStep!: number;

  @MillisecondsColumn('created_at_ms')
  createdAtMs!: number;
}

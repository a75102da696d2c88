import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { MillisecondsColumn, SmallColumn } from '../../../infra/database/columns.js';

/** To which account the id of something kept at a vendor was handed out, and where that is kept. */
@Entity('stored_ids')
@Index('stored_ids_until_ms', ['untilMs'])
export class StoredIdEntity {
  /** SHA-256 of the id, base64url: the stored value gives no access. */
  @PrimaryColumn({ name: 'digest', type: 'varchar', length: 43 })
  digest!: string;

  @SmallColumn('user_id')
  userId!: number;

  /** Channel it is kept behind; null = handed out before this was written down. */
  @SmallColumn('channel_id', { nullable: true })
  channelId!: number | null;

  /** Which address and key of the channel: a keyed digest. */
  @Column({ name: 'vendor_account', type: 'varchar', length: 43, nullable: true })
  vendorAccount!: string | null;

  /** Tokens the vendor read for the answer it last came with; null = not known. */
  @SmallColumn('input_tokens', { nullable: true })
  inputTokens!: number | null;

  /** When it is forgotten, milliseconds since 1970. */
  @MillisecondsColumn('until_ms')
  untilMs!: number;
}

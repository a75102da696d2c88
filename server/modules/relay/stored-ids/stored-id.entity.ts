import { Entity, Index, PrimaryColumn } from 'typeorm';
import { MillisecondsColumn, SmallColumn } from '../../../infra/database/columns.js';

/** To which account the id of something kept at a vendor was handed out. */
@Entity('stored_ids')
@Index('stored_ids_until_ms', ['untilMs'])
export class StoredIdEntity {
  /** SHA-256 of the id, base64url: nobody can name anything with what stands here. */
  @PrimaryColumn({ name: 'digest', type: 'varchar', length: 43 })
  digest!: string;

  @SmallColumn('user_id')
  userId!: number;

  /** When it is forgotten, milliseconds since 1970. */
  @MillisecondsColumn('until_ms')
  untilMs!: number;
}

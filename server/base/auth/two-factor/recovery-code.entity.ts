import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import { SmallColumn } from '../../../infra/database/columns.js';

/** A code that works once instead of the authenticator app. A used one is gone. */
@Entity('recovery_codes')
@Index('recovery_codes_user_id_digest', ['userId', 'digest'], { unique: true })
export class RecoveryCodeEntity {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  @SmallColumn('user_id')
  userId!: number;

  /** Keyed digest of user and code, hexadecimal. */
  @Column({ name: 'digest', type: 'varchar', length: 64 })
  digest!: string;
}

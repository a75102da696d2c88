import { Entity, PrimaryColumn } from 'typeorm';
import { SecondsColumn, TextColumn } from '../../infra/database/columns.js';

/** Its single row (id 1) means set-up is done; the fixed id makes two parallel set-ups impossible. */
@Entity('setups')
export class SetupEntity {
  @PrimaryColumn({ name: 'id', type: 'integer' })
  id!: number;

  @TextColumn('version', 50)
  version!: string;

  @SecondsColumn('initialized_at')
  initializedAt!: number;
}

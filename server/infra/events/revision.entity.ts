import { Entity, PrimaryColumn } from 'typeorm';
import { IntegerColumn } from '../database/columns.js';

/** How often one part of the shared settings changed. The sum over all parts is the number of the state they are in together. */
@Entity('revisions')
export class RevisionEntity {
  @PrimaryColumn({ name: 'name', type: 'varchar', length: 32 })
  name!: string;

  @IntegerColumn('number', { default: 0 })
  number!: number;
}

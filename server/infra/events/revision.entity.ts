import { Entity, PrimaryColumn } from 'typeorm';
import { IntegerColumn } from '../database/columns.js';

/** Number of changes of one part of the shared settings. The sum over all parts is the revision of their common state. */
@Entity('revisions')
export class RevisionEntity {
  @PrimaryColumn({ name: 'name', type: 'varchar', length: 32 })
  name!: string;

  @IntegerColumn('number', { default: 0 })
  number!: number;
}

import { Entity, Index, PrimaryColumn } from 'typeorm';
import { LongTextColumn, MillisecondsColumn } from '../database/columns.js';

/** Something a person began and has to finish within minutes. */
@Entity('steps_under_way')
@Index('steps_under_way_until_ms', ['untilMs'])
export class PendingVerificationEntity {
  /** Kind of verification, and a digest of the client's secret: the row alone does not suffice to finish it. */
  @PrimaryColumn({ name: 'key', type: 'varchar', length: 191 })
  key!: string;

  /** JSON. */
  @LongTextColumn('value')
  value!: string;

  /** When it is over, milliseconds of the database's clock; the row may go then. */
  @MillisecondsColumn('until_ms')
  untilMs!: number;
}

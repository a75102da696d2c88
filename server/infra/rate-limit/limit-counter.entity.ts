import { Entity, Index, PrimaryColumn } from 'typeorm';
import { LongTextColumn, MillisecondsColumn } from '../database/columns.js';

/** A limit that is counted in the database while the shared store is away. */
@Entity('limit_counters')
@Index('limit_counters_until_ms', ['untilMs'])
export class LimitCounterEntity {
  @PrimaryColumn({ name: 'key', type: 'varchar', length: 191 })
  key!: string;

  /** JSON list of the moments that count, oldest first, milliseconds of the database's clock. */
  @LongTextColumn('moments')
  moments!: string;

  /** When the last of them stops counting; the row may go then. */
  @MillisecondsColumn('until_ms')
  untilMs!: number;
}

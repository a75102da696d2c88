import { Entity, PrimaryGeneratedColumn } from 'typeorm';
import {
  IntegerColumn,
  LongTextColumn,
  MillisecondsColumn,
  SmallColumn,
  TextColumn,
} from '../../infra/database/columns.js';

/** A source that was imported, once or several times. */
@Entity('imports')
export class ImportEntity {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  /** new-api, one-api, litellm. */
  @TextColumn('product', 16, { default: undefined })
  product!: string;

  @TextColumn('product_version', 64)
  productVersion!: string;

  /** running, done, failed, stopped, undone. */
  @TextColumn('status', 16, { default: undefined })
  status!: string;

  /** 1 = rows keep the numbers they had in the source, because nothing was here. */
  @SmallColumn('keeps_numbers', { default: 0 })
  keepsNumbers!: number;

  @SmallColumn('runs', { default: 0 })
  runs!: number;

  /** Number of the last line of the source's log that was imported; 0 = none. */
  @IntegerColumn('log_position', { default: 0 })
  logPosition!: number;

  /** JSON of the last run's report; empty = it has not ended. */
  @LongTextColumn('report')
  report!: string;

  /** Account that started the last run; 0 = the command line. */
  @SmallColumn('actor_id', { default: 0 })
  actorId!: number;

  @MillisecondsColumn('created_at_ms')
  createdAtMs!: number;

  /** Null while it runs, or since its process died. */
  @MillisecondsColumn('ended_at_ms', { nullable: true, default: null })
  endedAtMs!: number | null;
}

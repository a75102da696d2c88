import { Entity, PrimaryGeneratedColumn } from 'typeorm';
import { LongTextColumn, MillisecondsColumn, SmallColumn } from '../../../infra/database/columns.js';

/** One daily look at the books; the last thirty are kept. */
@Entity('books_checks')
export class BooksCheckEntity {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  @MillisecondsColumn('started_at_ms')
  startedAtMs!: number;

  @MillisecondsColumn('ended_at_ms')
  endedAtMs!: number;

  /** Differences found; −1 = the books could not be read. */
  @SmallColumn('differences', { default: 0 })
  differences!: number;

  /** JSON array of the first differences, check-money.ts. */
  @LongTextColumn('detail')
  detail!: string;
}

import { Entity, Index } from 'typeorm';
import { BigIdColumn, LongTextColumn, SmallColumn, TextColumn } from '../../infra/database/columns.js';

/** Which row here came from which row of a source, and what that row was like then. Written with the row, in one transaction. */
@Entity('imported_rows')
@Index('imported_rows_source', ['importId', 'kind', 'sourceId'], { unique: true })
export class ImportedRowEntity {
  @BigIdColumn('id')
  id!: number;

  @SmallColumn('import_id')
  importId!: number;

  /** user, token, channel, code, order, limit. */
  @TextColumn('kind', 16, { default: undefined })
  kind!: string;

  @TextColumn('source_id', 191, { default: undefined })
  sourceId!: string;

  @SmallColumn('target_id', { default: 0 })
  targetId!: number;

  /** SHA-256 of the row as it was read, without its figures: compared to find a change in the source since. */
  @TextColumn('source_mark', 64)
  sourceMark!: string;

  /** JSON of the figures it had in the source; empty = it has none. */
  @LongTextColumn('figures')
  figures!: string;
}

import { Entity, PrimaryGeneratedColumn } from 'typeorm';
import { IntegerColumn, MillisecondsColumn, TextColumn } from '../../../infra/database/columns.js';

/** An uploaded file, which lies in the data folder of one instance. One is kept at a time. */
@Entity('import_uploads')
export class ImportUploadEntity {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  /** Name of the file in the data folder. */
  @TextColumn('upload', 36, { default: undefined })
  upload!: string;

  @TextColumn('name', 191)
  name!: string;

  /** Instance that has the file. */
  @TextColumn('place', 191)
  place!: string;

  /** Bytes when complete, and bytes so far. */
  @IntegerColumn('size', { default: 0 })
  size!: number;

  @IntegerColumn('received', { default: 0 })
  received!: number;

  @IntegerColumn('log_received', { default: 0 })
  logReceived!: number;

  @MillisecondsColumn('created_at_ms')
  createdAtMs!: number;
}

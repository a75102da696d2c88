import { Entity, PrimaryColumn } from 'typeorm';
import {
  LongTextColumn,
  MillisecondsColumn,
  SmallColumn,
  TextColumn,
} from '../../../infra/database/columns.js';

/** Latest report of a worker, kept a day after its last one so that a vanished worker is noticed and a restarting one counted. */
@Entity('worker_reports')
export class WorkerReportEntity {
  @PrimaryColumn({ name: 'boot_id', type: 'varchar', length: 36 })
  bootId!: string;

  @TextColumn('instance', 64)
  instance!: string;

  @SmallColumn('worker', { default: 0 })
  worker!: number;

  /** Time by the database's clock, like the column below. */
  @MillisecondsColumn('started_at_ms')
  startedAtMs!: number;

  @MillisecondsColumn('last_seen_ms')
  lastSeenMs!: number;

  /** JSON, worker-report.ts. */
  @LongTextColumn('report')
  report!: string;
}

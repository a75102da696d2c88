import { Entity, PrimaryGeneratedColumn } from 'typeorm';
import {
  IntegerColumn,
  LongTextColumn,
  MillisecondsColumn,
  SmallColumn,
  TextColumn,
} from '../../../infra/database/columns.js';

/** trial = writes nothing. */
export const RUN_KINDS = ['trial', 'import', 'undo'] as const;
export type RunKind = (typeof RUN_KINDS)[number];

/** `running` without a lease = its process is gone. */
export const RUN_STATUSES = ['running', 'done', 'failed', 'stopped', 'lost'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

/** A run that the console started. The address of its source is stored nowhere: it may hold a password. */
@Entity('import_runs')
export class ImportRunEntity {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  @TextColumn('kind', 8, { default: undefined })
  kind!: RunKind;

  @TextColumn('status', 16, { default: undefined })
  status!: RunStatus;

  /** 0 = a source that was never imported. */
  @SmallColumn('import_id', { default: 0 })
  importId!: number;

  /** Name of the file, or server and database, without user and password. */
  @TextColumn('source', 191)
  source!: string;

  /** JSON of the part that is being written and its rows; empty = none yet. */
  @LongTextColumn('progress')
  progress!: string;

  /** JSON; empty = it has not ended well. */
  @LongTextColumn('report')
  report!: string;

  /** Reason of a failure, with what to do; without secrets. */
  @TextColumn('fault', 500)
  fault!: string;

  /** 1 = an administrator asked it to stop. */
  @SmallColumn('stop_asked', { default: 0 })
  stopAsked!: number;

  /** Number of its lease. */
  @IntegerColumn('fence', { default: 0 })
  fence!: number;

  @SmallColumn('actor_id', { default: 0 })
  actorId!: number;

  @MillisecondsColumn('started_at_ms')
  startedAtMs!: number;

  @MillisecondsColumn('ended_at_ms', { nullable: true, default: null })
  endedAtMs!: number | null;
}

import { Entity, PrimaryColumn } from 'typeorm';
import { IntegerColumn, MillisecondsColumn, TextColumn } from '../database/columns.js';

/**
 * Result of the last run of a job; empty = it never ran. `running` with a lease in the past = its worker is gone; `lost` = it was
 * gone, and the job runs again.
 */
export const JOB_OUTCOMES = ['', 'running', 'done', 'failed', 'lost'] as const;
export type JobOutcome = (typeof JOB_OUTCOMES)[number];

/** A recurring job of all instances: who has it, until when, and how it went. All moments are of the database's clock. */
@Entity('jobs')
export class JobEntity {
  @PrimaryColumn({ name: 'name', type: 'varchar', length: 64 })
  name!: string;

  /** Grows with every run: a run with a smaller number was overtaken and must not do anything any more. */
  @IntegerColumn('fence', { default: 0 })
  fence!: number;

  /** Boot id of the worker that ran it last. */
  @TextColumn('owner', 36)
  owner!: string;

  @TextColumn('host', 191)
  host!: string;

  @MillisecondsColumn('lease_until_ms')
  leaseUntilMs!: number;

  /** Not to be run again before. */
  @MillisecondsColumn('due_at_ms')
  dueAtMs!: number;

  @MillisecondsColumn('started_at_ms')
  startedAtMs!: number;

  @MillisecondsColumn('ended_at_ms')
  endedAtMs!: number;

  @TextColumn('outcome', 16)
  outcome!: JobOutcome;

  /** Why it failed, or what it left undone; without secrets. */
  @TextColumn('message', 500)
  message!: string;
}

import { Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import {
  LongTextColumn,
  QuotaColumn,
  SecondsColumn,
  SmallColumn,
  TextColumn,
} from '../../infra/database/columns.js';
import { SubmissionColumns } from './submission-columns.js';
import { IS_UNFINISHED } from './task.codes.js';

/**
 * Work of another kind than drawings (songs) that an upstream took on. It is inserted in the transaction that books the charge of its
 * submission, and changed by the upstream's news until it is finished; a finished one never changes.
 */
@Entity('tasks')
@Index('tasks_user_id_submit_time', ['userId', 'submitTime'])
@Index('tasks_channel_id_submit_time', ['channelId', 'submitTime'])
export class TaskEntity extends SubmissionColumns {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  /** Id of the call that submitted it: key of its settlement. */
  @Index('tasks_request_id', { unique: true })
  @TextColumn('request_id', 36)
  requestId!: string;

  @SecondsColumn('created_at')
  createdAt!: number;

  @SecondsColumn('updated_at')
  updatedAt!: number;

  /** The upstream's name of it. Different upstreams may use the same. */
  @Index('tasks_task_id')
  @TextColumn('task_id', 128)
  taskId!: string;

  /** Provider: suno. */
  @TextColumn('platform', 30)
  platform!: string;

  /** Quota charged. */
  @QuotaColumn('quota')
  quota!: number;

  /** MUSIC, LYRICS. */
  @TextColumn('action', 40)
  action!: string;

  /** SUCCESS and FAILURE are final; empty = no report yet. */
  @Index('tasks_unfinished', { where: IS_UNFINISHED })
  @TextColumn('status', 20)
  status!: string;

  @LongTextColumn('fail_reason')
  failReason!: string;

  @Index('tasks_submit_time')
  @SecondsColumn('submit_time')
  submitTime!: number;

  @SecondsColumn('start_time')
  startTime!: number;

  @SecondsColumn('finish_time')
  finishTime!: number;

  /** Text such as `30%`. */
  @TextColumn('progress', 20)
  progress!: string;

  /** JSON object: {input}; empty = none. */
  @LongTextColumn('properties')
  properties!: string;

  /** The upstream's record, JSON of any kind; empty = none. */
  @LongTextColumn('data')
  data!: string;

  /** 1 = it failed, the log line about that is still to be written. */
  @Index('tasks_log_pending', { where: 'log_pending = 1' })
  @SmallColumn('log_pending', { default: 0 })
  logPending!: number;
}

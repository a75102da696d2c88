import { Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import {
  LongTextColumn,
  MillisecondsColumn,
  QuotaColumn,
  SmallColumn,
  TextColumn,
} from '../../infra/database/columns.js';
import { SubmissionColumns } from './submission-columns.js';
import { IS_UNFINISHED } from './task.codes.js';

/**
 * A drawing an upstream took on. It is inserted in the transaction that books the charge of its submission, and changed by the
 * upstream's news until it is finished; a finished one never changes.
 */
@Entity('midjourneys')
@Index('midjourneys_user_id_submit_time', ['userId', 'submitTime'])
@Index('midjourneys_channel_id_submit_time', ['channelId', 'submitTime'])
export class DrawingEntity extends SubmissionColumns {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  /** Id of the call that submitted it: key of its settlement. */
  @Index('midjourneys_request_id', { unique: true })
  @TextColumn('request_id', 36)
  requestId!: string;

  /** Upstream's answer code to the submission: 1, 21, 22. */
  @SmallColumn('code', { default: 0 })
  code!: number;

  @TextColumn('action', 40)
  action!: string;

  /** The upstream's name of it. Different upstreams may use the same. */
  @Index('midjourneys_mj_id')
  @TextColumn('mj_id', 128)
  mjId!: string;

  @LongTextColumn('prompt')
  prompt!: string;

  @LongTextColumn('prompt_en')
  promptEn!: string;

  @LongTextColumn('description')
  description!: string;

  /** State text the caller sent along. */
  @LongTextColumn('state')
  state!: string;

  @Index('midjourneys_submit_time')
  @MillisecondsColumn('submit_time')
  submitTime!: number;

  @MillisecondsColumn('start_time')
  startTime!: number;

  @MillisecondsColumn('finish_time')
  finishTime!: number;

  @LongTextColumn('image_url')
  imageUrl!: string;

  /** JSON list of addresses; empty = none. */
  @LongTextColumn('video_urls')
  videoUrls!: string;

  /** SUCCESS and FAILURE are final; empty = no report yet. */
  @Index('midjourneys_unfinished', { where: IS_UNFINISHED })
  @TextColumn('status', 20)
  status!: string;

  /** Text such as `30%`. */
  @TextColumn('progress', 30)
  progress!: string;

  @LongTextColumn('fail_reason')
  failReason!: string;

  /** Quota charged. */
  @QuotaColumn('quota')
  quota!: number;

  /** JSON list; empty = none. */
  @LongTextColumn('buttons')
  buttons!: string;

  /** JSON object; empty = none. */
  @LongTextColumn('properties')
  properties!: string;

  /** 1 = it failed, the log line about that is still to be written. */
  @Index('midjourneys_log_pending', { where: 'log_pending = 1' })
  @SmallColumn('log_pending', { default: 0 })
  logPending!: number;
}

import { Entity, Index } from 'typeorm';
import {
  BigIdColumn,
  FlagColumn,
  IntegerColumn,
  LongTextColumn,
  QuotaColumn,
  SecondsColumn,
  SmallColumn,
  TextColumn,
} from '../../infra/database/columns.js';

/** A line of the usage log. May live in a database of its own (LOG_DATABASE_URL). */
@Entity('logs')
@Index('logs_created_at_id', ['createdAt', 'id'])
@Index('logs_user_id_id', ['userId', 'id'])
@Index('logs_model_name_created_at', ['modelName', 'createdAt'])
@Index('logs_channel_id_created_at', ['channelId', 'createdAt'])
@Index('logs_token_id_id', ['tokenId', 'id'])
@Index('logs_rare_type_created_at', ['type', 'createdAt'], { where: 'type <> 2' })
@Index('logs_had_failed_attempt', ['hadFailedAttempt', 'createdAt', 'id'], {
  where: 'had_failed_attempt = 1',
})
@Index('logs_username_created_at', ['username', 'createdAt'])
export class LogEntity {
  @BigIdColumn('id')
  id!: number;

  @SmallColumn('user_id', { default: 0 })
  userId!: number;

  @SecondsColumn('created_at')
  createdAt!: number;

  /** 1 top-up, 2 consumption, 3 administration, 4 system, 5 error. */
  @SmallColumn('type', { default: 0 })
  type!: number;

  @LongTextColumn('content')
  content!: string;

  /** Names are copied at writing time. */
  @TextColumn('username', 64)
  username!: string;

  @TextColumn('token_name', 64)
  tokenName!: string;

  @TextColumn('model_name', 255)
  modelName!: string;

  @QuotaColumn('quota')
  quota!: number;

  @IntegerColumn('prompt_tokens', { default: 0 })
  promptTokens!: number;

  @IntegerColumn('completion_tokens', { default: 0 })
  completionTokens!: number;

  /** Whole seconds. */
  @IntegerColumn('use_time', { default: 0 })
  useTime!: number;

  @FlagColumn('is_stream')
  isStream!: boolean;

  @SmallColumn('channel_id', { default: 0 })
  channelId!: number;

  @SmallColumn('token_id', { default: 0 })
  tokenId!: number;

  /** 1 = an attempt at a channel failed, whatever became of the call. */
  @SmallColumn('had_failed_attempt', { default: 0 })
  hadFailedAttempt!: number;

  @TextColumn('group', 64)
  group!: string;

  /** Comma list of the tags of a call. */
  @TextColumn('tags', 700)
  tags!: string;

  @TextColumn('end_user', 64)
  endUser!: string;

  /** JSON document with the details of the row (docs/request-path.md); always an object or empty. */
  @LongTextColumn('other')
  other!: string;

  /** Call id (X-Request-Id) of relay calls, null for the rest; unique, so that a replayed spool writes a line once. */
  @Index('logs_request_id', { unique: true })
  @TextColumn('request_id', 36, { nullable: true, default: null })
  requestId!: string | null;
}

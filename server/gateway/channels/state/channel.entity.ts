import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import {
  CounterColumn,
  IntegerColumn,
  LongTextColumn,
  MillisecondsColumn,
  SecondsColumn,
  SmallColumn,
  TextColumn,
} from '../../../infra/database/columns.js';
import { CHANNEL_LENGTHS } from './channel.codes.js';

/** An operator's account at a provider. */
@Entity('channels')
export class ChannelEntity {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  /** Channel type code, see relay-core/providers/registry.ts. */
  @SmallColumn('type', { default: 1 })
  type!: number;

  /** The upstream credential, encrypted; never sent to a client. */
  @LongTextColumn('key', { select: false })
  key!: string;

  @TextColumn('open_ai_organization', CHANNEL_LENGTHS.organization)
  openAiOrganization!: string;

  @TextColumn('test_model', CHANNEL_LENGTHS.testModel)
  testModel!: string;

  /** 1 enabled, 2 disabled by hand, 3 disabled automatically. */
  @SmallColumn('status', { default: 1 })
  status!: number;

  @Index('channels_name')
  @TextColumn('name', CHANNEL_LENGTHS.name)
  name!: string;

  @IntegerColumn('weight', { default: 0 })
  weight!: number;

  @IntegerColumn('priority', { default: 0 })
  priority!: number;

  @SecondsColumn('created_time')
  createdTime!: number;

  @SecondsColumn('test_time')
  testTime!: number;

  /** Why the last test failed; empty = it succeeded, or there was none. */
  @TextColumn('test_failure', CHANNEL_LENGTHS.testFailure)
  testFailure!: string;

  /** Milliseconds of the last successful test; 0 = none succeeded yet. */
  @IntegerColumn('response_time', { default: 0 })
  responseTime!: number;

  /** Empty = the default address of the type. No trailing slash. */
  @TextColumn('base_url', CHANNEL_LENGTHS.baseUrl)
  baseUrl!: string;

  /** Free field whose meaning depends on the type (API version, region, …). */
  @LongTextColumn('other')
  other!: string;

  /** Provider's own unit. */
  @Column({ name: 'balance', type: 'float', default: 0 })
  balance!: number;

  @SecondsColumn('balance_updated_time')
  balanceUpdatedTime!: number;

  /** Comma-separated model names. */
  @LongTextColumn('models')
  models!: string;

  /** Comma-separated group names. */
  @LongTextColumn('group')
  group!: string;

  @CounterColumn('used_quota')
  usedQuota!: number;

  /** JSON object: client model → upstream model; empty = none. */
  @LongTextColumn('model_mapping')
  modelMapping!: string;

  /** JSON object: upstream status → status for the client; empty = none. */
  @LongTextColumn('status_code_mapping')
  statusCodeMapping!: string;

  /** 1 = may be disabled automatically. */
  @SmallColumn('auto_ban', { default: 1 })
  autoBan!: number;

  /** JSON with status_reason, status_time and, where it was not the channel's own, the test that showed it (status_test). */
  @LongTextColumn('other_info')
  otherInfo!: string;

  @Index('channels_tag')
  @TextColumn('tag', CHANNEL_LENGTHS.tag)
  tag!: string;

  /** JSON: proxy, force_format, thinking_to_content, pass_through_body_enabled, system_prompt, …; empty = none. */
  @LongTextColumn('setting')
  setting!: string;

  /** JSON object merged over the request body; empty = none. */
  @LongTextColumn('param_override')
  paramOverride!: string;

  /** JSON object of headers laid over the provider's own; null or empty = none. */
  @LongTextColumn('header_override', { nullable: true, default: null })
  headerOverride!: string | null;

  /** JSON object with settings of the vendor's adapter; null or empty = none. */
  @LongTextColumn('settings', { nullable: true, default: null })
  settings!: string | null;

  /** State of the keys of a channel that has several, see key-ring.ts; null or empty = one key. */
  @LongTextColumn('channel_info', { nullable: true, default: null })
  channelInfo!: string | null;

  /** Longest prompt the channel is given, in tokens; 0 = any. */
  @IntegerColumn('max_input_tokens', { default: 0 })
  maxInputTokens!: number;

  /** Note for administrators. */
  @TextColumn('remark', CHANNEL_LENGTHS.remark)
  remark!: string;

  /** Soft delete: settlements keep pointing here. */
  @Index('channels_deleted_at')
  @MillisecondsColumn('deleted_at_ms', { nullable: true, default: null })
  deletedAtMs!: number | null;

  /** Account that deleted the row; null = not deleted, or deleted by a version that kept nothing. */
  @SmallColumn('deleted_by', { nullable: true, default: null })
  deletedBy!: number | null;

  /** Moment the sealed key of the deleted row was removed; null = it was not. */
  @MillisecondsColumn('wiped_at_ms', { nullable: true, default: null })
  wipedAtMs!: number | null;
}

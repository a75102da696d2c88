import { Entity, Index, PrimaryColumn } from 'typeorm';
import { SecondsColumn, SmallColumn } from '../../infra/database/columns.js';
import type { TagKind } from '../../relay-core/model/tag-text.js';

/** Finds the lines of one tag or end user. Lives beside `logs`. */
@Entity('log_tags')
@Index('log_tags_value', ['kind', 'value', 'userId', 'createdAt', 'requestId'])
@Index('log_tags_user', ['userId', 'kind'])
export class LogTagEntity {
  @PrimaryColumn({ name: 'request_id', type: 'varchar', length: 36 })
  requestId!: string;

  @PrimaryColumn({ name: 'kind', type: 'varchar', length: 16 })
  kind!: TagKind;

  @PrimaryColumn({ name: 'value', type: 'varchar', length: 64 })
  value!: string;

  @SmallColumn('user_id')
  userId!: number;

  @SecondsColumn('created_at')
  createdAt!: number;
}

import { Entity, Index, PrimaryColumn } from 'typeorm';
import { CounterColumn, safeInteger } from '../../../infra/database/columns.js';
import type { TagKind } from '../../../relay-core/model/tag-text.js';

/**
 * Charges of an account by tag or end user and day in UTC. A call with two tags counts under both. Sums of all tags of an account, and of all its
 * end users, stand under `ALL_USERS`.
 */
@Entity('tag_totals')
@Index('tag_totals_created_at', ['createdAt'])
export class TagTotalEntity {
  @PrimaryColumn({ name: 'user_id', type: 'integer' })
  userId!: number;

  @PrimaryColumn({ name: 'kind', type: 'varchar', length: 16 })
  kind!: TagKind;

  /** Start of the day, seconds. */
  @PrimaryColumn({ name: 'created_at', type: 'bigint', transformer: safeInteger })
  createdAt!: number;

  /** Empty = values above TagValuesPerDay; under `ALL_USERS` the id of an account. */
  @PrimaryColumn({ name: 'value', type: 'varchar', length: 64 })
  value!: string;

  @CounterColumn('token_used')
  tokenUsed!: number;

  @CounterColumn('count')
  count!: number;

  @CounterColumn('quota')
  quota!: number;
}

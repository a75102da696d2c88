import { Entity, Index, PrimaryColumn } from 'typeorm';
import { CounterColumn, safeInteger } from '../../../infra/database/columns.js';
import type { ReferenceKind } from './reference-kinds.js';

/** Charges by token or channel and quarter of an hour. Tokens stand under their owner, channels under `ALL_USERS`. */
@Entity('reference_totals')
@Index('reference_totals_created_at', ['createdAt'])
export class ReferenceTotalEntity {
  @PrimaryColumn({ name: 'kind', type: 'varchar', length: 16 })
  kind!: ReferenceKind;

  @PrimaryColumn({ name: 'user_id', type: 'integer' })
  userId!: number;

  /** Start of the quarter of an hour, seconds. */
  @PrimaryColumn({ name: 'created_at', type: 'bigint', transformer: safeInteger })
  createdAt!: number;

  /** Id of the token or channel. */
  @PrimaryColumn({ name: 'reference', type: 'varchar', length: 64 })
  reference!: string;

  @CounterColumn('token_used')
  tokenUsed!: number;

  @CounterColumn('count')
  count!: number;

  @CounterColumn('quota')
  quota!: number;
}

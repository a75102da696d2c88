import { Entity, Index, PrimaryColumn } from 'typeorm';
import { CounterColumn, safeInteger } from '../../../infra/database/columns.js';

/**
 * Consumption per user, model and quarter of an hour, and of all users together per model and quarter: what dashboards read (table name
 * of the API family: quota_data). Rows of earlier releases hold a whole hour, at its start.
 */
@Entity('quota_data')
@Index('quota_data_created_at', ['createdAt'])
export class UsageTotalEntity {
  @PrimaryColumn({ name: 'user_id', type: 'integer' })
  userId!: number;

  @PrimaryColumn({ name: 'model_name', type: 'varchar', length: 255 })
  modelName!: string;

  /** Start of the quarter of an hour, seconds. */
  @PrimaryColumn({ name: 'created_at', type: 'bigint', transformer: safeInteger })
  createdAt!: number;

  @CounterColumn('token_used')
  tokenUsed!: number;

  @CounterColumn('count')
  count!: number;

  @CounterColumn('quota')
  quota!: number;
}

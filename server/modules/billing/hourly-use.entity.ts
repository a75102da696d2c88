import { Entity, Index, PrimaryColumn } from 'typeorm';
import { IntegerColumn, QuotaColumn, safeInteger } from '../../infra/database/columns.js';

/**
 * Consumption per user, model and hour, and of all users together per model and hour: what dashboards read (table name of the API
 * family: quota_data).
 */
@Entity('quota_data')
@Index('quota_data_created_at', ['createdAt'])
export class HourlyUseEntity {
  @PrimaryColumn({ name: 'user_id', type: 'integer' })
  userId!: number;

  @PrimaryColumn({ name: 'model_name', type: 'varchar', length: 255 })
  modelName!: string;

  /** Start of the hour, seconds. */
  @PrimaryColumn({ name: 'created_at', type: 'bigint', transformer: safeInteger })
  createdAt!: number;

  @IntegerColumn('token_used', { default: 0 })
  tokenUsed!: number;

  @IntegerColumn('count', { default: 0 })
  count!: number;

  @QuotaColumn('quota')
  quota!: number;
}

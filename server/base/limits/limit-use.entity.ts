import { Entity, Index, PrimaryColumn } from 'typeorm';
import { IntegerColumn, safeInteger } from '../../infra/database/columns.js';
import type { LimitUseKind } from './limit-definition.js';

/** Use of one limit, value and period; of a rolling limit of one bucket. The use of a period is the sum of its kinds. */
@Entity('limit_use')
@Index('limit_use_period_start_ms', ['periodStartMs'])
export class LimitUseEntity {
  @PrimaryColumn({ name: 'limit_id', type: 'integer' })
  limitId!: number;

  /** Empty, or the id or value where the limit applies to each. */
  @PrimaryColumn({ name: 'value', type: 'varchar', length: 191 })
  value!: string;

  /** Start of the period or bucket, milliseconds; 0 = ever. */
  @PrimaryColumn({ name: 'period_start_ms', type: 'bigint', transformer: safeInteger })
  periodStartMs!: number;

  @PrimaryColumn({ name: 'kind', type: 'varchar', length: 16 })
  kind!: LimitUseKind;

  /** In the unit of the limit's measure. */
  @IntegerColumn('used', { default: 0 })
  used!: number;

  @IntegerColumn('calls', { default: 0 })
  calls!: number;
}

import { Entity, Index, PrimaryColumn } from 'typeorm';
import { IntegerColumn, safeInteger } from '../../../infra/database/columns.js';

/** `part` is leased by its worker, `booked` (below 0) is what booking has moved from there to `limit_use`. */
export type LimitPartKind = 'part' | 'booked';

/** Part of a channel's limit that a worker has leased in a period. What is left of it is the sum of both kinds. */
@Entity('limit_parts')
@Index('limit_parts_owner', ['owner'])
export class LimitPartEntity {
  @PrimaryColumn({ name: 'limit_id', type: 'integer' })
  limitId!: number;

  /** Start of the period or bucket, milliseconds; 0 = ever, or in flight. */
  @PrimaryColumn({ name: 'period_start_ms', type: 'bigint', transformer: safeInteger })
  periodStartMs!: number;

  /** Boot id of the worker. */
  @PrimaryColumn({ name: 'owner', type: 'varchar', length: 64 })
  owner!: string;

  @PrimaryColumn({ name: 'kind', type: 'varchar', length: 16 })
  kind!: LimitPartKind;

  /** In the unit of the limit's measure. */
  @IntegerColumn('amount', { default: 0 })
  amount!: number;
}

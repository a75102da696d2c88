import { Entity, PrimaryColumn } from 'typeorm';
import { IntegerColumn, TextColumn } from '../../infra/database/columns.js';

/** First and last row of the chain. One row, whose lock serialises writers. */
@Entity('audit_chain')
export class AuditChainEntity {
  /** Always 1. */
  @PrimaryColumn({ name: 'id', type: 'integer', default: 1 })
  id!: number;

  /** Last row that the retention rule removed; 0 = none. An `audit.prune` row within the chain vouches for it. */
  @IntegerColumn('base_sequence', { default: 0 })
  baseSequence!: number;

  @TextColumn('base_hash', 64)
  baseHash!: string;

  /** Newest row; 0 = none yet. */
  @IntegerColumn('head_sequence', { default: 0 })
  headSequence!: number;

  @TextColumn('head_hash', 64)
  headHash!: string;
}

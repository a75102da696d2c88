import { Entity, PrimaryColumn } from 'typeorm';
import { CounterColumn, SmallColumn } from '../../../infra/database/columns.js';

/** Use of an imported row before the books here begin. Counters of its owner are this and the charges here. */
@Entity('opening_figures')
export class OpeningFiguresEntity {
  /** account, token, channel; code and order: settled before the import, so that no ledger entry stands for it. */
  @PrimaryColumn({ name: 'scope', type: 'varchar', length: 16 })
  scope!: string;

  @PrimaryColumn({ name: 'owner_id', type: 'integer' })
  ownerId!: number;

  @SmallColumn('import_id', { default: 0 })
  importId!: number;

  @CounterColumn('used_quota')
  usedQuota!: number;

  @CounterColumn('request_count')
  requestCount!: number;

  /** Invitation earnings that were moved to the balance before the import. */
  @CounterColumn('earnings_moved')
  earningsMoved!: number;
}

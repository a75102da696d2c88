import { Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import { LongTextColumn, MillisecondsColumn, SmallColumn, TextColumn } from '../../infra/database/columns.js';

/** Origin of a version. */
const OPTION_VERSION_SOURCES = ['edit', 'reset', 'rollback', 'sync'] as const;
export type OptionVersionSource = (typeof OPTION_VERSION_SOURCES)[number];

/** Options that were saved together; its changes hold their values before and after. */
@Entity('option_versions')
@Index('option_versions_has_prices', ['hasPrices', 'id'])
export class OptionVersionEntity {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  @SmallColumn('actor_id', { default: 0 })
  actorId!: number;

  /** Name at that time. */
  @TextColumn('actor_name', 64)
  actorName!: string;

  @TextColumn('source', 16)
  source!: OptionVersionSource;

  /** Reason given by the actor. */
  @TextColumn('note', 500)
  note!: string;

  /** JSON list of the options that changed. */
  @LongTextColumn('keys')
  keys!: string;

  /** 1 when one of them is a price. */
  @SmallColumn('has_prices', { default: 0 })
  hasPrices!: number;

  @MillisecondsColumn('created_at_ms')
  createdAtMs!: number;
}

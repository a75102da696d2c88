import { Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import { LongTextColumn, MillisecondsColumn, SmallColumn, TextColumn } from '../../infra/database/columns.js';

/** How a version came about. */
const OPTION_VERSION_SOURCES = ['edit', 'reset', 'rollback', 'sync'] as const;
export type OptionVersionSource = (typeof OPTION_VERSION_SOURCES)[number];

/** Options that were saved together; what each was before and after is in its changes. */
@Entity('option_versions')
@Index('option_versions_has_prices', ['hasPrices', 'id'])
export class OptionVersionEntity {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  @SmallColumn('actor_id', { default: 0 })
  actorId!: number;

  /** As it was then. */
  @TextColumn('actor_name', 64)
  actorName!: string;

  @TextColumn('source', 16)
  source!: OptionVersionSource;

  /** Why, in the words of whoever did it. */
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

import { Entity, Index, PrimaryColumn } from 'typeorm';
import { FlagColumn, IntegerColumn, TextColumn } from '../../../infra/database/columns.js';
import { CHANNEL_LENGTHS } from './channel.codes.js';

/** Derived: one row per group, model and channel. Rebuilt with its channel in one transaction. */
@Entity('abilities')
export class AbilityEntity {
  @PrimaryColumn({ name: 'group', type: 'varchar', length: 64 })
  group!: string;

  @PrimaryColumn({ name: 'model', type: 'varchar', length: 255 })
  model!: string;

  @Index('abilities_channel_id')
  @PrimaryColumn({ name: 'channel_id', type: 'integer' })
  channelId!: number;

  /** True exactly while the channel has status 1. */
  @FlagColumn('enabled')
  enabled!: boolean;

  @IntegerColumn('priority', { default: 0 })
  priority!: number;

  @IntegerColumn('weight', { default: 0 })
  weight!: number;

  @TextColumn('tag', CHANNEL_LENGTHS.tag)
  tag!: string;
}

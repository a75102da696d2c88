import { Entity, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import { LongTextColumn, MillisecondsColumn, SmallColumn, TextColumn } from '../../infra/database/columns.js';

/** A stored option; options not stored have the default of option-catalogue.ts. Secrets are stored encrypted. */
@Entity('options')
export class OptionEntity {
  @PrimaryColumn({ name: 'key', type: 'varchar', length: 191 })
  key!: string;

  @LongTextColumn('value')
  value!: string;
}

/** One change of one option; the highest id is the revision all instances converge to. */
@Entity('option_changes')
@Index('option_changes_key_revision', ['key', 'revision'])
export class OptionChangeEntity {
  @PrimaryGeneratedColumn({ type: 'integer' })
  revision!: number;

  @TextColumn('key', 191)
  key!: string;

  /** Null for secrets and for options that were not stored before. */
  @LongTextColumn('old_value', { nullable: true })
  oldValue!: string | null;

  /** Null for secrets. */
  @LongTextColumn('new_value', { nullable: true })
  newValue!: string | null;

  @SmallColumn('actor_id', { default: 0 })
  actorId!: number;

  @MillisecondsColumn('changed_at_ms')
  changedAtMs!: number;

  /** Version it was saved with; null for changes older than versions. */
  @Index('option_changes_version_id')
  @SmallColumn('version_id', { nullable: true, default: null })
  versionId!: number | null;
}

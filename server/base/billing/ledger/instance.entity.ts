import { Entity, PrimaryColumn } from 'typeorm';
import { MillisecondsColumn, TextColumn } from '../../../infra/database/columns.js';

/** A running worker process; its heartbeat tells recovery whether the owner of a hold is dead. */
@Entity('instances')
export class InstanceEntity {
  /** UUIDv7 made at process start. */
  @PrimaryColumn({ name: 'boot_id', type: 'varchar', length: 36 })
  bootId!: string;

  @TextColumn('host', 191)
  host!: string;

  @MillisecondsColumn('started_at_ms')
  startedAtMs!: number;

  @MillisecondsColumn('last_seen_ms')
  lastSeenMs!: number;

  /** Name of the shared store it works with (SharedStore.identity); null = not known yet, or a program that does not say. */
  @TextColumn('store_id', 36, { nullable: true, default: null })
  storeId!: string | null;
}

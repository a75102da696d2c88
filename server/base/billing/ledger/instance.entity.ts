import { Entity, PrimaryColumn } from 'typeorm';
import { MillisecondsColumn, SmallColumn, TextColumn } from '../../../infra/database/columns.js';

/** A running worker process; recovery takes the owner of a hold for dead by the age of its heartbeat. */
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

  /** Name of the shared store it works with (SharedStore.identity); null = not known yet, or a program that does not report it. */
  @TextColumn('store_id', 36, { nullable: true, default: null })
  storeId!: string | null;

  /** 1 = it admits calls under limits; 0 = a program before them. */
  @SmallColumn('counts_limits', { default: 0 })
  countsLimits?: number;
}

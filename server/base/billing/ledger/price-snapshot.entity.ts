import { Entity, PrimaryColumn } from 'typeorm';
import { LongTextColumn, MillisecondsColumn } from '../../../infra/database/columns.js';

/** Prices as calls were settled by them, written once and never changed. */
@Entity('price_snapshots')
export class PriceSnapshotEntity {
  /** See price-snapshots.ts: made of the document, so that the same prices are the same row everywhere. */
  @PrimaryColumn({ name: 'id', type: 'varchar', length: 64 })
  id!: string;

  /** JSON of relay-core/model/price-snapshot.ts. */
  @LongTextColumn('document')
  document!: string;

  @MillisecondsColumn('created_at_ms')
  createdAtMs!: number;
}

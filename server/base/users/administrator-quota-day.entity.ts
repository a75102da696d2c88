import { Entity, PrimaryColumn } from 'typeorm';
import { CounterColumn } from '../../infra/database/columns.js';

/** Quota an administrator added on one day. Only `AdministratorQuota` writes it; the sum never falls. */
@Entity('administrator_quota_days')
export class AdministratorQuotaDayEntity {
  @PrimaryColumn({ name: 'user_id', type: 'integer' })
  userId!: number;

  /** Days since 1970, UTC. */
  @PrimaryColumn({ name: 'day', type: 'integer' })
  day!: number;

  @CounterColumn('added_quota')
  addedQuota!: number;
}

import { Entity, Index, PrimaryColumn } from 'typeorm';
import { MillisecondsColumn, QuotaColumn, SmallColumn, TextColumn } from '../../../infra/database/columns.js';

/** Quota moved out of `users.quota` (scope user) or `tokens.remain_quota` (scope token) before it is spent. */
@Entity('reservations')
@Index('reservations_state_owner', ['state', 'owner'])
@Index('reservations_user_scope_state', ['userId', 'scope', 'state'])
@Index('reservations_token_state', ['tokenId', 'state'])
export class ReservationEntity {
  /** UUIDv7. */
  @PrimaryColumn({ name: 'id', type: 'varchar', length: 36 })
  id!: string;

  /** pool: shared by the calls of an account; call: the fallback while the shared store is away. */
  @TextColumn('kind', 8)
  kind!: 'pool' | 'call';

  @TextColumn('scope', 8)
  scope!: 'user' | 'token';

  @SmallColumn('user_id')
  userId!: number;

  /** Null for scope user. */
  @SmallColumn('token_id', { nullable: true, default: null })
  tokenId!: number | null;

  /** Call id, kind call only. */
  @TextColumn('request_id', 36, { nullable: true, default: null })
  requestId!: string | null;

  /** The run of the shared store this pool belongs to; another epoch's pool is never trusted. */
  @TextColumn('epoch', 64)
  epoch!: string;

  /** Unspent part, never below 0. */
  @QuotaColumn('amount')
  amount!: number;

  /** open, settled, released, recovered. */
  @TextColumn('state', 16, { default: 'open' })
  state!: 'open' | 'settled' | 'released' | 'recovered';

  /** Worst case of the prompt, kind call only: what recovery charges when nothing else is known. */
  @QuotaColumn('prompt_estimate')
  promptEstimate!: number;

  /** Null until the call went upstream, kind call only. */
  @MillisecondsColumn('dispatched_at_ms', { nullable: true, default: null })
  dispatchedAtMs!: number | null;

  /** Boot id of the process that keeps it alive. */
  @TextColumn('owner', 36)
  owner!: string;

  @MillisecondsColumn('lease_until_ms')
  leaseUntilMs!: number;

  @MillisecondsColumn('created_at_ms')
  createdAtMs!: number;
}

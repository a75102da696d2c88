import { Entity, Index, PrimaryColumn } from 'typeorm';
import {
  LongTextColumn,
  MillisecondsColumn,
  safeInteger,
  SmallColumn,
  TextColumn,
} from '../../infra/database/columns.js';

/** An action of an administrator, an account or the system. Rows are added and never changed. */
@Entity('audit_events')
@Index('audit_events_actor_id', ['actorId', 'sequence'])
@Index('audit_events_action', ['action', 'sequence'])
@Index('audit_events_target', ['targetType', 'targetId', 'sequence'])
export class AuditEventEntity {
  /** 1, 2, 3, … without gaps, given under the lock of the chain's row. */
  @PrimaryColumn({ name: 'sequence', type: 'bigint', default: 0, transformer: safeInteger })
  sequence!: number;

  @Index('audit_events_created_at')
  @MillisecondsColumn('created_at_ms')
  createdAtMs!: number;

  /** 0 = the system, or a caller who is not signed in. */
  @SmallColumn('actor_id', { default: 0 })
  actorId!: number;

  /** Role at that moment. */
  @SmallColumn('actor_role', { default: 0 })
  actorRole!: number;

  /** Name at that moment; empty when it was not known. */
  @TextColumn('actor_name', 64)
  actorName!: string;

  @TextColumn('ip', 64)
  ip!: string;

  /** `X-Request-Id` of the call; empty for the system. */
  @TextColumn('request_id', 64)
  requestId!: string;

  /** `thing.verb`, such as `user.disable`. */
  @TextColumn('action', 64)
  action!: string;

  @TextColumn('target_type', 32)
  targetType!: string;

  @TextColumn('target_id', 64)
  targetId!: string;

  /** JSON object with sorted keys; secrets are replaced by the word `changed`. */
  @LongTextColumn('detail')
  detail!: string;

  /** `hash` of the row before; empty in the first. */
  @TextColumn('previous_hash', 64)
  previousHash!: string;

  /** Keyed digest of all columns above, hexadecimal. */
  @TextColumn('hash', 64)
  hash!: string;
}

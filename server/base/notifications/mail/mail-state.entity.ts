import { Entity, PrimaryColumn } from 'typeorm';
import { MillisecondsColumn, SmallColumn, TextColumn } from '../../../infra/database/columns.js';

/** Mail delivery of all instances: last success and last failure; one row. */
@Entity('mail_states')
export class MailStateEntity {
  @PrimaryColumn({ name: 'id', type: 'integer' })
  id!: number;

  /** Digest of the settings the newest mail was sent with; empty = none ever. */
  @TextColumn('proven_settings', 64)
  provenSettings!: string;

  /** First failure since the last mail was sent; 0 = none. */
  @MillisecondsColumn('failing_since_ms')
  failingSinceMs!: number;

  /** Digest of the settings the newest failure was by. */
  @TextColumn('failing_settings', 64)
  failingSettings!: string;

  @SmallColumn('failures', { default: 0 })
  failures!: number;

  /** Error of the newest failure, from the mail server or the network. */
  @TextColumn('fault', 300)
  fault!: string;
}

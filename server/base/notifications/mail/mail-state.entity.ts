import { Entity, PrimaryColumn } from 'typeorm';
import { MillisecondsColumn, SmallColumn, TextColumn } from '../../../infra/database/columns.js';

/** What became of the mails of all instances; one row. */
@Entity('mail_states')
export class MailStateEntity {
  @PrimaryColumn({ name: 'id', type: 'integer' })
  id!: number;

  /** Digest of the settings the newest letter left by; empty = none ever. */
  @TextColumn('proven_settings', 64)
  provenSettings!: string;

  /** First failure since a letter left; 0 = none. */
  @MillisecondsColumn('failing_since_ms')
  failingSinceMs!: number;

  /** Digest of the settings the newest failure was by. */
  @TextColumn('failing_settings', 64)
  failingSettings!: string;

  @SmallColumn('failures', { default: 0 })
  failures!: number;

  /** What the mail server or the network said to the newest failure. */
  @TextColumn('fault', 300)
  fault!: string;
}

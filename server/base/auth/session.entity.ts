import { Entity, Index, PrimaryColumn } from 'typeorm';
import { IntegerColumn, MillisecondsColumn, SmallColumn, TextColumn } from '../../infra/database/columns.js';

/** A login. The cookie holds the id; the server keeps only its digest. */
@Entity('sessions')
export class SessionEntity {
  /** SHA-256 of the session id, hexadecimal. */
  @PrimaryColumn({ name: 'digest', type: 'varchar', length: 64 })
  digest!: string;

  @Index('sessions_user_id')
  @SmallColumn('user_id')
  userId!: number;

  /** `users.auth_version` at login; a session of an older version is over. */
  @IntegerColumn('auth_version')
  authVersion!: number;

  @MillisecondsColumn('created_at_ms')
  createdAtMs!: number;

  @MillisecondsColumn('last_seen_at_ms')
  lastSeenAtMs!: number;

  /** Absolute end; the idle limit is counted from `lastSeenAtMs`. */
  @Index('sessions_expires_at')
  @MillisecondsColumn('expires_at_ms')
  expiresAtMs!: number;

  @TextColumn('ip', 64)
  ip!: string;

  @TextColumn('user_agent', 255)
  userAgent!: string;

  /** `password`, `known-password`, `two-factor`, `passkey`, `mail` or the name of an outside provider; empty in sessions older than this column. */
  @TextColumn('way', 20)
  way!: string;

  /** When the person last proved who they are; 0 = at the login. */
  @MillisecondsColumn('verified_at_ms')
  verifiedAtMs!: number;
}

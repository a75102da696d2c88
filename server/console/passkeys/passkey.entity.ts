import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import {
  FlagColumn,
  IntegerColumn,
  LongTextColumn,
  MillisecondsColumn,
  SmallColumn,
  TextColumn,
} from '../../infra/database/columns.js';

/** A WebAuthn credential of an account. */
@Entity('passkeys')
export class PasskeyEntity {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  @Index('passkeys_user_id')
  @SmallColumn('user_id')
  userId!: number;

  /** SHA-256 of the credential id, hexadecimal: ids may be a kilobyte long. */
  @Index('passkeys_credential_digest', { unique: true })
  @Column({ name: 'credential_digest', type: 'varchar', length: 64 })
  credentialDigest!: string;

  /** base64url */
  @LongTextColumn('credential_id')
  credentialId!: string;

  /** COSE key, base64url. */
  @LongTextColumn('public_key')
  publicKey!: string;

  /** Relying party the passkey was made for: it signs in there and nowhere else. */
  @TextColumn('relying_party', 253)
  relyingParty!: string;

  /** Signatures made so far; 0 when the authenticator does not count. */
  @IntegerColumn('counter', { default: 0 })
  counter!: number;

  /** Comma-separated hints for the browser. */
  @TextColumn('transports', 255)
  transports!: string;

  /** Model of the authenticator; zeros when it does not name it. */
  @TextColumn('aaguid', 36)
  aaguid!: string;

  /** Copied between devices by its maker. */
  @FlagColumn('is_synced')
  isSynced!: boolean;

  @TextColumn('name', 64)
  name!: string;

  @MillisecondsColumn('created_at_ms')
  createdAtMs!: number;

  /** 0 = never. */
  @MillisecondsColumn('last_used_at_ms')
  lastUsedAtMs!: number;
}

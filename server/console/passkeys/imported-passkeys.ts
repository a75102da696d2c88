import type { EntityManager } from 'typeorm';
import { credentialDigestOf } from './credential-digest.js';
import { PasskeyEntity } from './passkey.entity.js';

/** A passkey of another gateway. It signs in while this one is at the same host name. */
export interface ImportedPasskey {
  /** base64url, as the public key (COSE). */
  readonly credentialId: string;
  readonly publicKey: string;
  /** Host name it was made for. */
  readonly relyingParty: string;
  readonly counter: number;
  readonly transports: readonly string[];
  readonly aaguid: string;
  readonly isSynced: boolean;
  readonly createdAtMs: number;
  /** 0 = never. */
  readonly lastUsedAtMs: number;
}

/** Stores the passkeys of an imported account. */
export async function insertImportedPasskeys(
  manager: EntityManager,
  userId: number,
  passkeys: readonly ImportedPasskey[],
): Promise<void> {
  for (const [index, { transports, ...passkey }] of passkeys.entries())
    await manager.getRepository(PasskeyEntity).insert({
      ...passkey,
      userId,
      credentialDigest: credentialDigestOf(passkey.credentialId),
      transports: transports.join(',').slice(0, 255),
      name: `imported ${index + 1}`,
    });
}

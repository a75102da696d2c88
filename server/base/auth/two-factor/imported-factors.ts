import type { EntityManager } from 'typeorm';
import type { SecretBox } from '../../../infra/crypto/secret-box.js';
import { TwoFactorEntity } from './two-factor.entity.js';
import { twoFactorPlace } from './two-factor-place.js';

/** Stores the authenticator app of an imported account. */
export async function insertImportedFactor(
  manager: EntityManager,
  secrets: SecretBox,
  { userId, secret, nowMs }: { readonly userId: number; readonly secret: string; readonly nowMs: number },
): Promise<void> {
  await manager.getRepository(TwoFactorEntity).insert({
    userId,
    secretSealed: secrets.seal('totp', twoFactorPlace(userId), secret),
    lastStep: 0,
    createdAtMs: nowMs,
  });
}

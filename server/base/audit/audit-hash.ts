import type { SecretBox } from '../../infra/crypto/secret-box.js';
import { canonicalJson } from './canonical-json.js';
import type { AuditEventEntity } from './audit-event.entity.js';

/** The columns a row's hash covers. */
export type HashedEvent = Omit<AuditEventEntity, 'hash'>;

/**
 * Keyed digest of a row and, by `previousHash`, of all rows before it; hexadecimal. The key comes from CRYPTO_SECRET: write access
 * to the database alone does not suffice to make a valid chain.
 */
export function hashOf(secrets: SecretBox, event: HashedEvent): string {
  const text = canonicalJson([
    event.previousHash,
    event.sequence,
    event.createdAtMs,
    event.actorId,
    event.actorRole,
    event.actorName,
    event.ip,
    event.requestId,
    event.action,
    event.targetType,
    event.targetId,
    event.detail,
  ]);
  return secrets.sign('audit', text).toString('hex');
}

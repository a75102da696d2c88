import type { AuditEntry } from './audit-log.js';

/** Who acts on which account, for a row of the audit log; without `userId` on their own. */
export const actorAndTarget = (
  actor: { readonly id: number; readonly role: number },
  userId: number = actor.id,
): Pick<AuditEntry, 'actorId' | 'actorRole' | 'targetType' | 'targetId'> => ({
  actorId: actor.id,
  actorRole: actor.role,
  targetType: 'user',
  targetId: userId,
});

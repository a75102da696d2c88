import type { AuditEntry } from './audit-log.js';

/** Actor and target of an audit entry; without `userId` the account acted on itself. */
export const actorAndTarget = (
  actor: { readonly id: number; readonly role: number },
  userId: number = actor.id,
): Pick<AuditEntry, 'actorId' | 'actorRole' | 'targetType' | 'targetId'> => ({
  actorId: actor.id,
  actorRole: actor.role,
  targetType: 'user',
  targetId: userId,
});

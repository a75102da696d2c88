import type { Actor } from '../access/current-actor.js';
import type { AuditAction } from '../audit/audit-actions.js';
import type { AuditEntry } from '../audit/audit-log.js';

/** A row of the audit log about what somebody does to their own account. */
export const ownEvent = (
  actor: Actor,
  action: AuditAction,
  detail: Readonly<Record<string, string>> = {},
): AuditEntry => ({
  actorId: actor.id,
  actorRole: actor.role,
  action,
  targetType: 'user',
  targetId: actor.id,
  detail,
});

import type { Account } from '../accounts/account.js';
import type { AuditEntry } from '../audit/audit-log.js';

/** A row of the audit log about somebody who signs in; the request is not theirs yet, so that it names them itself. */
export const loginEvent = (
  account: Account,
  action: 'login.success' | 'login.code_wrong',
  detail?: Readonly<Record<string, string>>,
): AuditEntry => ({
  actorId: account.id,
  actorRole: account.role,
  actorName: account.username,
  action,
  targetType: 'user',
  targetId: account.id,
  ...(detail === undefined ? {} : { detail }),
});

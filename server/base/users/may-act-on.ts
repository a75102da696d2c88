import { DomainError } from '../../common/errors/domain-error.js';
import type { ErrorCode } from '../../common/errors/error-catalogue.js';
import { ROLE } from '../access/user.codes.js';

/** Actions on another account. */
export type UserAction =
  'read' | 'edit' | 'disable' | 'enable' | 'delete' | 'promote' | 'demote' | 'add_quota';

interface Party {
  readonly id: number;
  readonly role: number;
}

/** Root's own account and other roots are edited, read and given quota, and nothing else. */
const REFUSED_ON_ROOT: ReadonlySet<UserAction> = new Set(['disable', 'delete', 'demote', 'promote']);

/**
 * The one rule about acting on accounts: an administrator reaches ordinary users, root reaches all accounts, root cannot be
 * disabled, deleted or demoted, and only root changes roles.
 * @returns null when allowed, else the reason
 */
export function refusalFor(action: UserAction, actor: Party, target: Party): ErrorCode | null {
  if (actor.role < ROLE.admin) return 'not_permitted';
  const isRoot = actor.role >= ROLE.root;
  const isReachable = isRoot || actor.role > target.role;
  // Administrators may edit their own profile through the administration as well.
  const isOwnProfile = actor.id === target.id && (action === 'read' || action === 'edit');
  if (!isReachable && !isOwnProfile) return 'user_out_of_reach';
  if (target.role >= ROLE.root && REFUSED_ON_ROOT.has(action))
    return action === 'promote' ? 'user_already_admin' : 'user_root_protected';
  if (action === 'promote') {
    if (!isRoot) return 'user_promote_by_root_only';
    if (target.role >= ROLE.admin) return 'user_already_admin';
  }
  if (action === 'demote' && target.role === ROLE.user) return 'user_already_ordinary';
  return null;
}

/** Fails: DomainError with the reason. */
export function assertMayActOn(action: UserAction, actor: Party, target: Party): void {
  const refusal = refusalFor(action, actor, target);
  if (refusal !== null) throw new DomainError(refusal);
}

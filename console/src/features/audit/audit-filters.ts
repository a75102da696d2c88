import { rangeStart } from '../../shared/format/timestamp';
import type { AuditFilters } from './api';

/** Filters in the address, each with the text that means "not filtered". */
export const AUDIT_FILTERS = { action: '', actor: '', type: '', target: '', range: '' } as const;
export type AuditFilterName = keyof typeof AUDIT_FILTERS;

/**
 * Filters for the server. A word without a dot means everything of that thing: `user` asks for `user.*`.
 * @param nowSeconds  seconds since 1970
 */
export function serverFilters(
  { action, actor, type, target, range }: Readonly<Record<AuditFilterName, string>>,
  nowSeconds: number,
): AuditFilters {
  return {
    action: action === '' || /[.*]/.test(action) ? action : `${action}.*`,
    actor_id: /^\d+$/.test(actor) ? actor : '',
    target_type: type,
    target_id: target,
    start_timestamp: rangeStart(range, nowSeconds),
    end_timestamp: '',
  };
}

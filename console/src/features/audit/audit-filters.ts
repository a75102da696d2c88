import type { AuditFilters } from './api';

/** Named ranges, so that "the last day" stays the last day when the page is opened tomorrow; seconds. */
const RANGES = { hour: 3_600, day: 86_400, week: 604_800, month: 2_592_000 } as const;
export type RangeName = keyof typeof RANGES;
export const RANGE_NAMES = Object.keys(RANGES) as RangeName[];

/** Filters in the address, each with the text that means "not filtered". */
export const AUDIT_FILTERS = { action: '', actor: '', type: '', target: '', range: '' } as const;
export type AuditFilterName = keyof typeof AUDIT_FILTERS;

export function isRange(text: string): text is RangeName {
  return Object.hasOwn(RANGES, text);
}

/**
 * Filters for the server. A word without a dot means everything of that thing: `user` asks for `user.*`.
 * @param nowSeconds  seconds since 1970
 */
export function serverFilters(
  { action, actor, type, target, range }: Readonly<Record<AuditFilterName, string>>,
  nowSeconds: number,
): AuditFilters {
  const minute = Math.floor(nowSeconds / 60) * 60;
  return {
    action: action === '' || /[.*]/.test(action) ? action : `${action}.*`,
    actor_id: /^\d+$/.test(actor) ? actor : '',
    target_type: type,
    target_id: target,
    start_timestamp: isRange(range) ? String(minute - RANGES[range]) : '',
    end_timestamp: '',
  };
}

/** Columns the list of accounts is sorted by, largest first; without one it is newest first. */
export const ACCOUNT_SORTS = ['', 'quota', 'used_quota', 'request_count'] as const;
export type AccountSort = (typeof ACCOUNT_SORTS)[number];

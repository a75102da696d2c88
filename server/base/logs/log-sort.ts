/** Columns the usage log is sorted by, largest first; without one it is newest first. */
export const LOG_SORTS = ['quota', 'use_time'] as const;
export type LogSort = (typeof LOG_SORTS)[number];

/** Newest matching lines that are sorted: sorting more would read the log for seconds. A shorter span of time reaches older lines. */
export const MAX_SORTED = 200_000;

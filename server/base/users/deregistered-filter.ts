/** Deregistered accounts in a list: with them, without them, only them. */
export const DEREGISTERED_FILTERS = ['', 'hide', 'only'] as const;
export type DeregisteredFilter = (typeof DEREGISTERED_FILTERS)[number];

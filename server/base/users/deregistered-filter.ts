/** Whether a list of accounts shows those that were deregistered: with them, without them, nothing else. */
export const DEREGISTERED_FILTERS = ['', 'hide', 'only'] as const;
export type DeregisteredFilter = (typeof DEREGISTERED_FILTERS)[number];

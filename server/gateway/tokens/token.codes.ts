/** Token states as clients read them. Only the first two are stored; the others are derived when reading. */
export const TOKEN_STATUS = { enabled: 1, disabled: 2, expired: 3, exhausted: 4 } as const;

/** `expired_time` of a token that never expires. */
export const NEVER = -1;

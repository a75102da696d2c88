/** 1 → 2, 2 → 1 and 1 → 3 are the only changes there are. */
export const REDEMPTION_STATUS = { unused: 1, disabled: 2, used: 3 } as const;

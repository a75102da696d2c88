/** Ledger ref of a failed task's refund. @param requestId  id of the call that submitted it */
export const refundRefOf = (requestId: string): string => `task:${requestId}`;

/** What the ledger names the refund of a failed task by. @param requestId  id of the call that submitted it */
export const refundRefOf = (requestId: string): string => `task:${requestId}`;

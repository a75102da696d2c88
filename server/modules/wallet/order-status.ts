/**
 * pending → success, expired, failed, mismatch; and from each of those to success, since money that was really paid counts
 * whenever it is heard of (PAY-09). Nothing leads out of success.
 */
export const ORDER_STATUS = {
  pending: 'pending',
  success: 'success',
  expired: 'expired',
  failed: 'failed',
  /** The service says it was paid otherwise than agreed: nothing is credited, an administrator looks at it. */
  mismatch: 'mismatch',
} as const;
export type OrderStatus = (typeof ORDER_STATUS)[keyof typeof ORDER_STATUS];

/** States from which an order may still be paid. */
export const PAYABLE: readonly OrderStatus[] = ['pending', 'expired', 'failed', 'mismatch'];

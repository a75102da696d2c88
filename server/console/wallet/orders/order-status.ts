/**
 * pending → success, expired, failed, mismatch; and from each of those to success, since a real payment counts whenever it is
 * reported. Nothing leads out of success.
 */
export const ORDER_STATUS = {
  pending: 'pending',
  success: 'success',
  expired: 'expired',
  failed: 'failed',
  /** Paid otherwise than agreed, or for an account that is gone or full: nothing is credited, an administrator looks at it. */
  mismatch: 'mismatch',
} as const;
/** Reversal of a paid order at the payment service, shown in lists in place of `success`; the credit stays. */
export const REVERSALS = ['refunded', 'disputed'] as const;
export type Reversal = (typeof REVERSALS)[number];

/** Incidents that need a person although the order's own state does not change. */
export const ORDER_INCIDENTS = [
  'paid-again',
  'ownerless',
  'account-full',
  'unconfirmed',
  'foreign',
  ...REVERSALS,
] as const;
export type Incident = (typeof ORDER_INCIDENTS)[number];

/** A filter of lists beside the states: orders that were paid a second time, whatever became of them. */
export const PAID_AGAIN = 'paid-again';

export type OrderStatus = (typeof ORDER_STATUS)[keyof typeof ORDER_STATUS];

/** States from which an order may still be paid. */
export const PAYABLE: readonly OrderStatus[] = ['pending', 'expired', 'failed', 'mismatch'];

import type { Adjustment } from './user-quota.js';

/** Signed, with what the balance was and is. */
export function movement({ amount, balance, reason }: Adjustment): string {
  const sides = balance === undefined ? '' : ` from ${balance - amount} to ${balance}`;
  return `${amount > 0 ? '+' : ''}${amount}${sides}${reason === '' ? '' : ` (${reason})`}`;
}

/** The same as facts of the event. */
export const movementFacts = ({ amount, balance, reason }: Adjustment) => ({
  quota: amount,
  ...(balance === undefined ? {} : { quota_after: balance }),
  ...(reason === '' ? {} : { reason }),
});

/**
 * Pools move whole, safe, non-negative amounts; anything else is a fault of the caller and changes nothing.
 * Fails: throws RangeError.
 */
export function assertAmount(amount: number): void {
  if (!Number.isSafeInteger(amount) || amount < 0)
    throw new RangeError(`not an amount a pool can move: ${amount}`);
}

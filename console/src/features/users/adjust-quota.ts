import type { QuotaMode } from './api';

/** Balance after an adjustment; undefined while no whole number was typed. */
export function balanceAfter(balance: number, mode: QuotaMode, value: number): number | undefined {
  if (!Number.isSafeInteger(value)) return undefined;
  if (mode === 'override') return value;
  return mode === 'add' ? balance + value : balance - value;
}

import type { QuotaMode } from './api';

/** Characters of a reason. */
export const REASON_MAX = 200;

/** Balance after an adjustment; undefined while no whole number was typed. */
export function balanceAfter(balance: number, mode: QuotaMode, value: number): number | undefined {
  if (!Number.isSafeInteger(value)) return undefined;
  if (mode === 'override') return value;
  return mode === 'add' ? balance + value : balance - value;
}

/** Names one adjustment, so that pressing twice or trying again after a lost answer books it once. */
export function newOperationId(): string {
  // crypto.randomUUID exists in secure contexts only; consoles inside a house are often served without TLS.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

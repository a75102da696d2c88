import { refusal } from '../../../relay-core/model/refusals.js';
import type { RelayError } from '../../../relay-core/model/relay-error.js';
import type { Quote } from '../../../relay-core/ports/price-book.js';

const RETRY_AFTER_MS = 2_000;

/** The prompt and at least some answer. */
export function affordableMinimum(quote: Quote): number {
  return Math.min(quote.estimate, quote.promptEstimate + 1);
}

export function quotaInsufficient(scope: 'user' | 'token'): RelayError {
  return { ...refusal(scope === 'user' ? 'balance-too-small' : 'key-quota-too-small'), scope };
}

/** Neither store can read the account's quota. */
export function unavailable(
  name: 'accounts-unreachable' | 'charges-unrecorded' | 'database-behind' = 'accounts-unreachable',
): RelayError {
  return { ...refusal(name), retryAfterMs: RETRY_AFTER_MS };
}

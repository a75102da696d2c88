import type { RelayError } from '../../../relay-core/model/relay-error.js';
import type { Quote } from '../../../relay-core/ports/price-book.js';

const RETRY_AFTER_MS = 2_000;

/** The prompt and at least some answer. */
export function affordableMinimum(quote: Quote): number {
  return Math.min(quote.estimate, quote.promptEstimate + 1);
}

export function quotaInsufficient(scope: 'user' | 'token'): RelayError {
  const message =
    scope === 'user'
      ? 'Your balance is too small for this call. Top up, or ask for a shorter answer.'
      : 'The quota of this API key is too small for this call. Raise it in the console, or ask for a shorter answer.';
  return { kind: 'quota-insufficient', blame: 'caller', scope, message };
}

/** Neither store can say what the account has. */
export function unavailable(
  message = 'The gateway cannot reach its accounts at the moment, please try again shortly.',
): RelayError {
  return { kind: 'unavailable', blame: 'gateway', message, retryAfterMs: RETRY_AFTER_MS };
}

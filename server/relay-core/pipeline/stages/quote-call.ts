import type { Result } from '../../../common/result.js';
import type { Caller, CallShape } from '../../model/call.js';
import type { RelayError } from '../../model/relay-error.js';
import type { Quote } from '../../ports/price-book.js';
import type { RelayPorts } from '../context/relay-ports.js';

/**
 * Stage 4: what may it cost, at prices that stay frozen until it is settled?
 * Fails: price-missing.
 */
export function quoteCall(
  ports: Pick<RelayPorts, 'prices'>,
  input: { readonly caller: Caller; readonly shape: CallShape },
): Result<Quote, RelayError> {
  return ports.prices.quote(input.caller, input.shape);
}

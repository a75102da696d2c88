import { ok, type Result } from '../../../common/result.js';
import type { Caller, CallShape } from '../../model/call.js';
import { mostExpensiveOutput } from '../../model/price-snapshot.js';
import { hidesReasoning } from '../../model/hidden-reasoning.js';
import type { RelayError } from '../../model/relay-error.js';
import type { Quote } from '../../ports/price-book.js';
import type { Hold, RateWindow } from '../../ports/quota-holds.js';
import type { RelayPorts } from '../context/relay-ports.js';

/** A hold, and the output cap to send upstream when it covers less than the worst case. */
export interface Reservation {
  readonly hold: Hold;
  /** Per answer; undefined = the hold covers what was asked. */
  readonly affordableCap: number | undefined;
}

/**
 * Stage 5: the worst case is set aside before a byte goes upstream. A call without a cap that is not streamed, or whose model hides
 * its reasoning, may be given less: it is then capped at what the hold covers.
 * Fails: rate-limited, quota-insufficient, unavailable. Nothing is held after a failure.
 */
export function reserveQuota(
  ports: Pick<RelayPorts, 'quota'>,
  input: {
    readonly callId: string;
    readonly caller: Caller;
    readonly shape: CallShape;
    readonly quote: Quote;
    readonly windows: readonly RateWindow[];
  },
): Result<Reservation, RelayError> | Promise<Result<Reservation, RelayError>> {
  const { callId, caller, shape, quote, windows } = input;
  const affordable =
    shape.operation === 'chat' &&
    shape.outputCap === undefined &&
    (!shape.stream || hidesReasoning(shape.model));
  const held = ports.quota.reserve({ callId, caller, quote, windows, affordable });
  return held instanceof Promise
    ? held.then((hold) => capToHold(ports, input, hold, affordable))
    : capToHold(ports, input, held, affordable);
}

function capToHold(
  ports: Pick<RelayPorts, 'quota'>,
  input: {
    readonly callId: string;
    readonly caller: Caller;
    readonly shape: CallShape;
    readonly quote: Quote;
  },
  held: Result<Hold, RelayError>,
  affordable: boolean,
): Result<Reservation, RelayError> | Promise<Result<Reservation, RelayError>> {
  const { shape, quote, callId, caller } = input;
  if (!held.ok) return held;
  const hold = held.value;
  if (!affordable || hold.amount >= quote.estimate) return ok({ hold, affordableCap: undefined });
  const affordableCap = affordableTokens(quote, shape, hold.amount);
  if (affordableCap >= (quote.leastOutputTokens ?? 1)) return ok({ hold, affordableCap });
  ports.quota.release(hold);
  // Asked for all of it, the holds say whose quota is too small: the account's or the key's. Its windows were counted already.
  const whole = ports.quota.reserve({ callId, caller, quote, windows: [] });
  const toReservation = (again: Result<Hold, RelayError>): Result<Reservation, RelayError> =>
    again.ok ? ok({ hold: again.value, affordableCap: undefined }) : again;
  return whole instanceof Promise ? whole.then(toReservation) : toReservation(whole);
}

/** Most output tokens per answer whose charge stays within the hold. */
function affordableTokens(quote: Quote, shape: CallShape, amount: number): number {
  let low = 0;
  let high = Math.ceil(quote.heldOutputTokens / shape.choices);
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const charge = quote.charge({
      input: { total: shape.promptTokens },
      output: mostExpensiveOutput(quote.snapshot, middle * shape.choices),
    });
    if (charge <= amount) low = middle;
    else high = middle - 1;
  }
  return low;
}

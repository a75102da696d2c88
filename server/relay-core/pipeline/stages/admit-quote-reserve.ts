import { ok, type Result, fail } from '../../../common/result.js';
import type { Caller, CallShape } from '../../model/call.js';
import { mostExpensiveOutput } from '../../model/price-snapshot.js';
import { hidesReasoning } from '../../model/model-family.js';
import type { RelayError } from '../../model/relay-error.js';
import type { Quote } from '../../ports/price-book.js';
import type { Hold, RateWindow } from '../../ports/quota-holds.js';
import type { RelayPorts } from '../context/relay-ports.js';
import type { Operation } from '../../model/operation.js';
import { refusal } from '../../model/refusals.js';
import { hostsOfCall, refuseClosedHosts } from '../request/refuse-hosts.js';
import { promptTexts } from '../request/prompt-texts.js';
import { wordFilterOf } from '../request/word-filter.js';
import type { ClientCall } from '../context/call-types.js';
import { whenKnown } from '../../../common/now-or-later.js';

/**
 * Stage 3: may this caller ask this? The rate windows it answers are passed together with the hold.
 * Fails: model-refused; channel-unavailable, when no channel serves it; rate-limited, when too many calls are in progress;
 * content-refused; invalid-request, when a prompt that must be searched cannot be read, or an address to fetch is a private one.
 */
export function admitCall<O extends Operation>(
  ports: Pick<RelayPorts, 'admission' | 'options' | 'addresses'>,
  input: { readonly caller: Caller; readonly clientCall: ClientCall<O> },
): Result<readonly RateWindow[], RelayError> {
  const { parsed } = input.clientCall;
  const admitted = ports.admission.admit(input.caller, parsed.shape);
  if (!admitted.ok) return admitted;
  const closed = refuseClosedHosts(ports.addresses, hostsOfCall(parsed));
  if (closed !== undefined) return fail(closed);
  const words = ports.options.current().sensitiveWords;
  if (words.length === 0) return admitted;
  const request = parsed.neutral();
  if (!request.ok) return request;
  for (const text of promptTexts(parsed, request.value)) {
    const word = wordFilterOf(words).find(text);
    // The word's number only: neither prompts nor the list go into logs.
    if (word !== -1) return fail({ ...REFUSED, cause: `sensitive word ${word + 1}` });
  }
  return admitted;
}

const REFUSED = refusal('words-refused');

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

/** A hold, and the output cap to send upstream when it covers less than the worst case. */
export interface Reservation {
  readonly hold: Hold;
  /** Tokens per answer; undefined = the hold covers the whole request. */
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
  return whenKnown(held, (hold) => capToHold(ports, input, hold, affordable));
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
  // Asked for all of it, the holds show whose quota is too small: the account's or the key's. Its windows were counted already.
  const whole = ports.quota.reserve({ callId, caller, quote, windows: [] });
  return whenKnown(whole, (again) =>
    again.ok ? ok({ hold: again.value, affordableCap: undefined }) : again,
  );
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

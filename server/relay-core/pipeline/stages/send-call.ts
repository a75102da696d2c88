import type { Operation } from '../../model/operation.js';
import { refusal } from '../../model/refusals.js';
import type { RelayError } from '../../model/relay-error.js';
import type {
  UpstreamExchange,
  UpstreamFault,
  UpstreamRequest,
  UpstreamSink,
} from '../../ports/http-sender.js';
import { type CallParts, PartsExchange } from '../request/parts-exchange.js';
import { PollingExchange, type FindPoll } from '../request/polling-exchange.js';
import type { RelayInput } from '../context/attempt.js';
import { MAX_WHOLE_BYTES } from '../context/limits.js';
import type { RelayPorts } from '../context/relay-ports.js';
import type { ServedCall } from '../context/served-call.js';

/** Input of stages 8 and 9: the call, and the finished request of one attempt. */
export function relayInputOf<O extends Operation>(
  served: ServedCall<O>,
  attempt: Pick<RelayInput<O>, 'translated' | 'worstCase' | 'holdRef' | 'admission' | 'readsMore'>,
): RelayInput<O> {
  const { ports, options, client, clientCall, quote, call, caller } = served;
  const { shape } = clientCall.parsed;
  const { translated, worstCase, holdRef, admission, readsMore } = attempt;
  return {
    ports,
    options,
    client,
    clientCall,
    translated,
    route: translated.route,
    quote,
    worstCase,
    holdRef,
    admission,
    readsMore,
    context: {
      callId: call.callId,
      createdAtSeconds: Math.floor(call.receivedAtMs / 1000),
      model: shape.model,
      ownerId: caller.userId,
      wantsStreamUsage: shape.wantsStreamUsage,
      promptTokens: shape.promptTokens,
    },
    playerId: caller.tokenId === null ? caller.userId : undefined,
  };
}

/**
 * Stage 8: the request leaves; the reply is pushed into the sink.
 * @param input.follow  for vendors that answer later
 * @param input.parts  for calls that leave in several requests
 */
export function sendCall(
  ports: Pick<RelayPorts, 'sender' | 'clock'>,
  input: {
    readonly request: UpstreamRequest;
    readonly sink: UpstreamSink;
    readonly follow?: FindPoll | undefined;
    readonly parts?: CallParts | undefined;
    /** Largest sum of the replies to all parts. */
    readonly maxBytes?: number;
  },
): UpstreamExchange {
  const { request, sink, follow, parts, maxBytes = MAX_WHOLE_BYTES } = input;
  if (parts !== undefined) return new PartsExchange(ports, parts, sink, maxBytes).start();
  if (follow === undefined) return ports.sender.send(request, sink);
  return new PollingExchange(ports, follow, sink).start(request);
}

/** Retry-After while the gateway can open no connection. */
const NO_ROOM_RETRY_MS = 1_000;

/** A transport fault in words fit for a caller: no addresses, no library texts. */
export function describeFault(fault: UpstreamFault): RelayError {
  const { cause } = fault;
  switch (fault.kind) {
    // Ours, and no channel's: another one could not be reached either.
    case 'no-room':
      return { ...refusal('gateway-full'), retryAfterMs: NO_ROOM_RETRY_MS, cause };
    case 'unreachable':
      return { ...refusal('unreachable'), cause };
    case 'refused-by-proxy':
      return { ...refusal('proxy-refused'), cause };
    case 'refused-by-policy':
      return { ...refusal('policy-refused'), cause };
    case 'timeout':
      return { ...refusal('late'), cause };
    case 'too-large':
      return { ...refusal('too-much'), cause };
    case 'reset':
    case 'aborted':
      return { ...refusal('broken-off'), cause };
  }
}

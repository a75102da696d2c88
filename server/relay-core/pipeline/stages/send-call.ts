import { refusal } from '../../model/refusals.js';
import type { RelayError } from '../../model/relay-error.js';
import type {
  UpstreamExchange,
  UpstreamFault,
  UpstreamRequest,
  UpstreamSink,
} from '../../ports/http-sender.js';
import { PollingExchange, type FindPoll } from '../request/polling-exchange.js';
import type { RelayPorts } from '../context/relay-ports.js';

/**
 * Stage 8: the request leaves; the reply is pushed into the sink.
 * @param input.follow  for vendors that answer later
 */
export function sendCall(
  ports: Pick<RelayPorts, 'sender' | 'clock'>,
  input: {
    readonly request: UpstreamRequest;
    readonly sink: UpstreamSink;
    readonly follow?: FindPoll | undefined;
  },
): UpstreamExchange {
  const { request, sink, follow } = input;
  if (follow === undefined) return ports.sender.send(request, sink);
  return new PollingExchange(ports, follow, sink).start(request);
}

/** What a gateway that can open no connection asks clients to wait. */
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

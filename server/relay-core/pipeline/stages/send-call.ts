import { refusal } from '../../model/refusals.js';
import type { RelayError } from '../../model/relay-error.js';
import type {
  UpstreamExchange,
  UpstreamFault,
  UpstreamRequest,
  UpstreamSink,
} from '../../ports/http-sender.js';
import { FollowingExchange, type FindFollowUp } from '../request/follow-up.js';
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
    readonly follow?: FindFollowUp | undefined;
  },
): UpstreamExchange {
  const { request, sink, follow } = input;
  if (follow === undefined) return ports.sender.send(request, sink);
  return new FollowingExchange(ports, follow, sink).start(request);
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
      return {
        kind: 'upstream-unreachable',
        blame: 'upstream',
        message: 'The upstream could not be reached.',
        cause,
      };
    case 'refused-by-proxy':
      return {
        kind: 'upstream-unreachable',
        blame: 'upstream',
        message: "The channel's proxy did not let the call through; tell the administrator.",
        cause,
      };
    case 'refused-by-policy':
      return {
        kind: 'upstream-unreachable',
        blame: 'upstream',
        message:
          "The channel's address is not allowed by the policy for outbound calls; tell the administrator.",
        cause,
      };
    case 'timeout':
      return {
        kind: 'upstream-timeout',
        blame: 'upstream',
        message: 'The upstream did not answer in time.',
        cause,
      };
    case 'too-large':
      return {
        kind: 'upstream-malformed',
        blame: 'upstream',
        message: 'The upstream answered more than is allowed.',
        cause,
      };
    case 'reset':
    case 'aborted':
      return {
        kind: 'upstream-broken',
        blame: 'upstream',
        message: 'The upstream broke off the connection.',
        cause,
      };
  }
}

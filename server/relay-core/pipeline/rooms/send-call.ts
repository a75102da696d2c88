import type { RelayError } from '../../model/relay-error.js';
import type {
  UpstreamExchange,
  UpstreamFault,
  UpstreamRequest,
  UpstreamSink,
} from '../../ports/http-sender.js';
import type { RelayPorts } from '../relay-ports.js';

/** Room 8: the request leaves; the reply is pushed into the sink. */
export function sendCall(
  ports: Pick<RelayPorts, 'sender'>,
  input: { readonly request: UpstreamRequest; readonly sink: UpstreamSink },
): UpstreamExchange {
  return ports.sender.send(input.request, input.sink);
}

/** A transport fault in words fit for a caller: no addresses, no library texts (G9). */
export function describeFault(fault: UpstreamFault): RelayError {
  const { cause } = fault;
  switch (fault.kind) {
    case 'unreachable':
      return {
        kind: 'upstream-unreachable',
        blame: 'upstream',
        message: 'The upstream could not be reached.',
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

import type { UpstreamFault } from '../../relay-core/ports/http-sender.js';
import { OutboundRefusal } from './safe-url.js';

/** A reply that grew past a limit of ours. */
export class ReplyTooLarge extends Error {}

/** A library's error as one of our kinds. The cause stays for the operator's log. */
export function toUpstreamFault(cause: unknown): UpstreamFault {
  return { kind: kindOf(cause), cause };
}

function kindOf(cause: unknown): UpstreamFault['kind'] {
  if (cause instanceof OutboundRefusal) return 'refused-by-policy';
  if (cause instanceof ReplyTooLarge) return 'too-large';
  // Several addresses tried at once fail together; their reasons agree in kind.
  if (cause instanceof AggregateError) return kindOf(cause.errors[0]);
  if (isProxyFault(cause)) return 'refused-by-proxy';
  const code = codeOf(cause);
  switch (code) {
    case 'EMFILE':
    case 'ENFILE':
      return 'no-room';
    case 'UND_ERR_HEADERS_OVERFLOW':
    case 'UND_ERR_RES_EXCEEDED_MAX_SIZE':
      return 'too-large';
    case 'UND_ERR_HEADERS_TIMEOUT':
    case 'UND_ERR_BODY_TIMEOUT':
      return 'timeout';
    case 'UND_ERR_ABORTED':
    case 'UND_ERR_DESTROYED':
    case 'UND_ERR_CLOSED':
      return 'aborted';
    case 'UND_ERR_CONNECT_TIMEOUT':
    case 'ECONNREFUSED':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'ETIMEDOUT':
    case 'EPROTO':
      return 'unreachable';
    default:
      return isCertificateFault(code) ? 'unreachable' : 'reset';
  }
}

const codeOf = (cause: unknown): string =>
  typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : '';

/** Refusals of a channel's proxy: undici has codes for some of them, and messages for the rest. */
const isProxyFault = (cause: unknown): boolean =>
  /^UND_ERR_(?:PRX|SOCKS5)_/.test(codeOf(cause)) ||
  (cause instanceof Error && /^Proxy (?:Authentication Required|response \()/.test(cause.message));

/** OpenSSL names certificate faults in capitals without a common prefix. */
const isCertificateFault = (code: string): boolean => /CERT|ERR_TLS|ERR_SSL|SIGNATURE/.test(code);

/** A sentence for the operator who typed the address: names the kind of fault, and no more. */
export function describeFault(fault: UpstreamFault): string {
  switch (fault.kind) {
    case 'refused-by-policy':
      return fault.cause instanceof OutboundRefusal ? fault.cause.message : 'This address is not called.';
    case 'no-room':
      return 'This gateway has too many files open to connect: close connections, or raise its limit.';
    case 'refused-by-proxy':
      return 'The proxy does not let this through: check its address, its credentials and what it allows.';
    case 'unreachable':
      return 'The upstream cannot be reached: check the address, the certificate and the network.';
    case 'timeout':
      return 'The upstream did not answer in time.';
    case 'too-large':
      return 'The answer of the upstream is too large.';
    case 'reset':
    case 'aborted':
      return 'The upstream broke off before it had answered.';
  }
}

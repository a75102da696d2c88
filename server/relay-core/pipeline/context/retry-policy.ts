import type { RelayError } from '../../model/relay-error.js';
import {
  isInRanges,
  parseStatusRanges,
  RETRIED_STATUSES,
  type StatusRanges,
} from '../../model/status-ranges.js';

const RETRIED: StatusRanges = parseStatusRanges(RETRIED_STATUSES) ?? [];

/**
 * Whether another channel may succeed where this one failed. Only asked
 * while nothing has reached the client.
 * @param statuses  the operator's list; it decides wherever the upstream answered with a failure of its own
 */
export function mayRetry(error: RelayError, statuses: StatusRanges = RETRIED): boolean {
  if (error.blame === 'upstream' && error.isFinal === true) return false;
  switch (error.kind) {
    case 'upstream-key-refused':
    case 'upstream-quota-spent':
    case 'upstream-rate-limited':
    case 'upstream-overloaded':
    case 'upstream-request-rejected':
      return error.upstreamStatus === undefined
        ? error.kind !== 'upstream-request-rejected'
        : isInRanges(statuses, error.upstreamStatus);
    // No status says anything of these.
    case 'upstream-unreachable':
    case 'upstream-malformed':
    case 'upstream-broken':
      return true;
    // The upstream may still be generating, and charging for it; where it said so itself, the operator's list decides.
    case 'upstream-timeout':
      return error.upstreamStatus !== undefined && isInRanges(statuses, error.upstreamStatus);
    // The channel's type is not served: another channel's may be.
    case 'not-implemented':
      return true;
    case 'unauthenticated':
    case 'address-refused':
    case 'account-banned':
    case 'forbidden':
    case 'invalid-request':
    case 'body-too-large':
    case 'unsupported-media':
    case 'model-refused':
    case 'content-refused':
    case 'not-found':
    case 'model-not-found':
    case 'rate-limited':
    case 'quota-insufficient':
    case 'price-missing':
    case 'channel-unavailable':
    case 'unavailable':
    case 'shutting-down':
    case 'internal':
    case 'limit-reached':
    case 'loop-detected':
    case 'client-gone':
      return false;
  }
}

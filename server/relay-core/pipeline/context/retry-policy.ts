import type { RelayError } from '../../model/relay-error.js';
import { isInRanges, parseStatusRanges, type StatusRanges } from '../../model/status-ranges.js';

/**
 * Statuses another channel may do better at, unless the operator says otherwise: 400, 408, 413, 415 and 422 speak of the
 * request itself; after 504 and 524 the vendor may still be working, and charging for it.
 */
const USUAL_STATUSES: StatusRanges =
  parseStatusRanges('100-199,300-399,401-407,409-412,414,416-421,423-499,500-503,505-523,525-599') ?? [];

/**
 * Whether another channel may succeed where this one failed. Only asked
 * while nothing has reached the client.
 * @param statuses  the operator's list; it decides wherever the upstream answered with a failure of its own
 */
export function mayRetry(error: RelayError, statuses: StatusRanges = USUAL_STATUSES): boolean {
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
    // A failure inside a 200 has no status that says anything.
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

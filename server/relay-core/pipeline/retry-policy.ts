import type { RelayError } from '../model/relay-error.js';

/** Statuses that say the request itself is wrong: every channel would say so. */
const REQUEST_FAULTS: ReadonlySet<number> = new Set([400, 408, 413, 415, 422]);

/**
 * Whether another channel may succeed where this one failed (relay reference 3.5, security reference 2.10). Only asked
 * while nothing has reached the client.
 */
export function mayRetry(error: RelayError): boolean {
  switch (error.kind) {
    case 'upstream-key-refused':
    case 'upstream-quota-spent':
    case 'upstream-rate-limited':
    case 'upstream-overloaded':
    case 'upstream-unreachable':
    case 'upstream-malformed':
    case 'upstream-broken':
      return true;
    case 'upstream-request-rejected':
      return error.upstreamStatus !== undefined && !REQUEST_FAULTS.has(error.upstreamStatus);
    // The upstream may still be generating, and charging for it.
    case 'upstream-timeout':
      return false;
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
    case 'client-gone':
      return false;
  }
}

/** Failures that say nothing about the channel: its health is not touched. */
export function isChannelsFault(error: RelayError): boolean {
  return error.blame === 'upstream' && !(error.kind === 'upstream-request-rejected');
}

import type { RelayErrorKind } from './relay-error.js';

/**
 * Status of each failure, in every client API. Exceptions of an API for a single failure, such as Anthropic's 529, stands
 * where that API's errors are written.
 */
export const STATUS_OF_KIND: Readonly<Record<RelayErrorKind, number>> = {
  unauthenticated: 401,
  'address-refused': 403,
  'account-banned': 403,
  forbidden: 403,
  'invalid-request': 400,
  'body-too-large': 413,
  'unsupported-media': 415,
  'model-refused': 403,
  'content-refused': 400,
  'not-found': 404,
  'not-implemented': 501,
  'model-not-found': 404,
  'rate-limited': 429,
  'quota-insufficient': 403,
  'limit-full': 403,
  'price-missing': 400,
  'channel-unavailable': 503,
  'channels-full': 503,
  unavailable: 503,
  'shutting-down': 503,
  internal: 500,
  'loop-detected': 508,
  'limit-reached': 500,
  'client-gone': 499,
  'upstream-key-refused': 502,
  'upstream-quota-spent': 502,
  'upstream-rate-limited': 429,
  'upstream-overloaded': 502,
  'upstream-timeout': 504,
  'upstream-unreachable': 502,
  'upstream-request-rejected': 502,
  'upstream-malformed': 502,
  'upstream-broken': 502,
};

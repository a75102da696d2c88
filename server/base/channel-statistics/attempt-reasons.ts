import type { RelayErrorKind } from '../../relay-core/model/relay-error.js';

/** Why an attempt has no answer; `''` = it answered; `unfinished` = the gateway stopped before the attempt ended. */
export type AttemptReason = RelayErrorKind | '' | 'unfinished';

/** Failures of the provider, its account or the way to it. */
const CHANNEL_FAILURES: ReadonlySet<string> = new Set<AttemptReason>([
  'upstream-key-refused',
  'upstream-quota-spent',
  'upstream-rate-limited',
  'upstream-overloaded',
  'upstream-timeout',
  'upstream-unreachable',
  'upstream-malformed',
  'upstream-broken',
]);

/** Returns true for an attempt without a whole answer, whatever caused it; a client that left and a full channel, which got no request, are none. */
export const isFailedAttempt = (reason: string): boolean =>
  reason !== '' && reason !== 'client-gone' && reason !== 'unfinished' && reason !== 'channels-full';

const NOT_FOUND = 404;

/**
 * Returns true for an attempt that counts as a failure of its channel. A refused request, a client that left and limits of the gateway
 * do not count.
 * A provider that does not find the model or the address does: both are the channel's.
 * @param status  what the provider answered; 0 = it did not answer
 */
export const isChannelFailure = (reason: string, status: number): boolean =>
  CHANNEL_FAILURES.has(reason) || (reason === 'upstream-request-rejected' && status === NOT_FOUND);

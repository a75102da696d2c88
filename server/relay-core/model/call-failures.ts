import { refusal } from './refusals.js';
import type { RelayError } from './relay-error.js';

/** Ways in which calls and sessions alike come to nothing. */
export const CLIENT_LEFT: RelayError = refusal('client-left');
export const NOT_RECORDED: RelayError = {
  ...refusal('not-recorded'),
  retryAfterMs: 5_000,
};

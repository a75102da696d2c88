import type { RelayError } from './relay-error.js';

/** Ways in which calls and sessions alike come to nothing. */
export const CLIENT_LEFT: RelayError = {
  kind: 'client-gone',
  blame: 'caller',
  message: 'The client closed the connection.',
};
export const NOT_RECORDED: RelayError = {
  kind: 'unavailable',
  blame: 'gateway',
  message: 'The gateway cannot take calls at the moment; please try again later.',
  retryAfterMs: 5_000,
};

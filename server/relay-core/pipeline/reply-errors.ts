import type { RelayError } from '../model/relay-error.js';

/** Ways a reply fails that the pipeline itself finds. Sentences for callers: they name neither vendors nor addresses. */
export const CLIENT_LEFT: RelayError = {
  kind: 'client-gone',
  blame: 'caller',
  message: 'The client closed the connection.',
};
export const CLIENT_STALLED: RelayError = {
  kind: 'client-gone',
  blame: 'caller',
  message: 'The client took nothing for a minute.',
};

export const malformed = (message: string): RelayError => ({
  kind: 'upstream-malformed',
  blame: 'upstream',
  message,
});
export const tooLarge = (): RelayError => malformed('The upstream answered more than is allowed.');
export const brokenOff = (): RelayError => ({
  kind: 'upstream-broken',
  blame: 'upstream',
  message: 'The upstream ended the answer before it was complete.',
});
export const timedOut = (): RelayError => ({
  kind: 'upstream-timeout',
  blame: 'upstream',
  message: 'The upstream did not answer in time.',
});
export const limitReached = (message: string): RelayError => ({
  kind: 'limit-reached',
  blame: 'gateway',
  message,
});

import type { RelayError } from '../../model/relay-error.js';
import type { WholeVerdict } from '../../formats/contract/reply-meter.js';
import type { StreamState } from './stream-body.js';

/** Ways a reply fails that the pipeline itself finds. Sentences for callers: they name neither vendors nor addresses. */
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

/**
 * What is wrong with a body by what its meter found; undefined = nothing (yet).
 * @param readInside  understands an error that came inside a 200
 */
export function failureOf(
  found: WholeVerdict | StreamState,
  readInside: () => RelayError,
): RelayError | undefined {
  switch (found) {
    case 'error':
      return readInside();
    case 'malformed':
      return malformed('The upstream answered something that cannot be read.');
    case 'empty':
      return malformed('The upstream gave an empty answer.');
    case 'too-large':
      return tooLarge();
    case 'answer':
    case 'open':
    case 'done':
      return undefined;
  }
}

/** A vendor's own words about its limits would mislead: to the caller it is the model's channels that are busy. */
export function finalError(failure: RelayError | undefined): RelayError | undefined {
  if (failure?.kind !== 'upstream-rate-limited') return failure;
  const { vendorType: _type, vendorCode: _code, vendorParam: _param, ...rest } = failure;
  return { ...rest, message: 'The channels of this model are busy at the moment; please try again later.' };
}

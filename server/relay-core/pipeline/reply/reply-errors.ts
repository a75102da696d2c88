import { refusal } from '../../model/refusals.js';
import type { RelayError } from '../../model/relay-error.js';
import type { WholeVerdict } from '../../formats/contract/reply-meter.js';
import type { StreamState } from './stream-body.js';

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
      return refusal('unreadable');
    case 'empty':
      return refusal('empty');
    case 'too-large':
      return refusal('too-much');
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
  return { ...rest, ...refusal('channels-busy') };
}

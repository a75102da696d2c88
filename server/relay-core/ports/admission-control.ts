import type { Result } from '../../common/result.js';
import type { Caller, CallShape } from '../model/call.js';
import type { RelayError } from '../model/relay-error.js';
import type { RateWindow } from './quota-holds.js';

export abstract class AdmissionControl {
  /**
   * Rules that depend on the request: the token's model limits. Answers the rate windows the hold must pass.
   * Fails: model-refused.
   */
  abstract admit(caller: Caller, shape: CallShape): Result<readonly RateWindow[], RelayError>;

  /**
   * Takes a place in the caller's request windows for work inside of a session: a response, a transcript.
   * Fails: rate-limited, when a window is full; then nothing is counted. Never rejects.
   */
  abstract countRequest(caller: Caller): Result<unknown, RelayError> | Promise<Result<unknown, RelayError>>;

  /** Counts a finished call with a status below 400 into the success window. */
  abstract recordSuccess(caller: Caller): void;
}

import type { Result } from '../../common/result.js';
import type { Caller } from '../model/call.js';
import type { RelayError } from '../model/relay-error.js';

export abstract class CallerDirectory {
  /**
   * Who stands behind an API key, with every check that does not depend on the request's body: known key, status,
   * expiry, address list, owner's status, group still usable, pinning right. Cached for at most a second.
   * @param credential  the text the client sent as key (`sk-…`, optionally with a channel suffix), already isolated
   * Fails: unauthenticated, account-banned, address-refused, forbidden, unavailable (database away).
   */
  abstract identify(
    credential: string,
    clientAddress: string,
  ): Result<Caller, RelayError> | Promise<Result<Caller, RelayError>>;
}

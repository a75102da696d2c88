import type { Result } from '../../common/result.js';
import type { Caller } from '../model/call.js';
import type { RelayError } from '../model/relay-error.js';

export abstract class CallerDirectory {
  /**
   * Finds the caller behind an API key, with every check that does not depend on the request's body: known key, status, expiry,
   * address list, owner's status, group still usable, pinning right. Cached for at most a second.
   * @param credential  the text the client sent as key (`sk-…`, optionally with a channel suffix), already isolated
   * Fails: unauthenticated, account-banned, address-refused, forbidden, unavailable (database away).
   */
  abstract identify(
    credential: string,
    clientAddress: string,
  ): Result<Caller, RelayError> | Promise<Result<Caller, RelayError>>;

  /**
   * Reason this key's running calls must end: it was switched off or deleted, or its account was banned or deleted. A key that
   * expired or used up its quota meanwhile finishes its calls.
   * @returns null = they continue, also while the answer is unknown
   */
  abstract findClosure(credential: string): Promise<RelayError | null>;
}

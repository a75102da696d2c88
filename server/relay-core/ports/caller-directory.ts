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

  /**
   * Why what this key has running must end: it was switched off or deleted, or its account was banned or deleted. A key that expired or
   * used up its quota meanwhile finishes what it began.
   * @returns null = it goes on, also while nobody can say
   */
  abstract findClosure(credential: string): Promise<RelayError | null>;
}

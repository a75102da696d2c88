import type { Result } from '../../common/result.js';
import type { RelayError } from '../model/relay-error.js';
import type { UpstreamRequest } from './http-sender.js';

/** A vendor's access token that has to be fetched and lasts a while. */
export interface TokenGrant {
  readonly token: string;
  readonly lifetimeSeconds: number;
}

/** Request for a token. */
export interface TokenExchange {
  /** Made only when a token has to be fetched; leaves by the relay's own sender. */
  readonly request: () => UpstreamRequest;
  /** The answer's body; undefined = it holds no token. */
  readonly read: (body: Buffer) => TokenGrant | undefined;
  /** Secrets to cut out of the vendor's message when it refuses, beside the request itself. */
  readonly secrets: readonly string[];
}

/** Fetches and remembers access tokens; callers that want the same one at once share one request. */
export abstract class VendorTokens {
  /**
   * @param key  what the token belongs to; holds no secret in clear (a digest of the credential)
   * Fails: upstream-key-refused (the vendor refused, in its own words for the operator), upstream-rate-limited, -overloaded,
   * -unreachable, -timeout.
   */
  abstract tokenOf(key: string, exchange: TokenExchange): Promise<Result<string, RelayError>>;
  /** Forgets a token the vendor no longer takes. */
  abstract forget(key: string): void;
}

import type { Result } from '../../common/result.js';
import type { RelayError } from '../model/relay-error.js';
import type { UpstreamRequest } from './http-sender.js';

/** A vendor's access token that has to be fetched and lasts a while. */
export interface TokenGrant {
  readonly token: string;
  readonly lifetimeSeconds: number;
}

/** Fetches and remembers access tokens; callers that want the same one at once share one request. */
export abstract class VendorTokens {
  /**
   * @param key      what the token belongs to; holds no secret in clear (a digest of the credential)
   * @param request  made only when a token has to be fetched; leaves by the relay's own sender
   * @param read     the answer's body; undefined = it holds no token
   * Fails: upstream-key-refused (the vendor refused), upstream-unreachable, upstream-timeout.
   */
  abstract tokenOf(
    key: string,
    request: () => UpstreamRequest,
    read: (body: Buffer) => TokenGrant | undefined,
  ): Promise<Result<string, RelayError>>;
  /** Forgets a token the vendor no longer takes. */
  abstract forget(key: string): void;
}

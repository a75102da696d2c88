import type { Result } from '../../common/result.js';
import type { MediaKind } from '../model/content.js';
import type { RelayError } from '../model/relay-error.js';

export interface FetchedMedia {
  readonly base64: string;
  readonly mediaType: string;
}

/** Who named the address of a file: the caller in its request, or the upstream in its answer. */
export type MediaSource = 'user' | 'answer';

/** Fetches files callers gave by address, for vendors that want the bytes. */
export abstract class MediaFetcher {
  /**
   * Through the address guard for hostile addresses, without the caller's or any vendor's credentials, with limits on
   * size, time, redirects and type.
   * Fails: invalid-request, with a sentence about the address that names no host.
   */
  abstract fetchFile(
    url: string,
    media: MediaKind,
    namedBy: MediaSource,
  ): Promise<Result<FetchedMedia, RelayError>>;
}

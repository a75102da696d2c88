import type { Result } from '../../common/result.js';
import type { MediaKind } from '../model/content.js';
import type { RelayError } from '../model/relay-error.js';

export interface FetchedMedia {
  readonly base64: string;
  readonly mediaType: string;
}

/** Origin of a file's address: the caller's request, or the upstream's answer. */
export type MediaSource = 'user' | 'answer';

/** Fetches files callers gave by address, for vendors that need the bytes. */
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

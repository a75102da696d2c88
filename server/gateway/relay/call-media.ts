import { fail, type Result } from '../../common/result.js';
import { CLIENT_LEFT } from '../../relay-core/model/call-failures.js';
import type { MediaKind } from '../../relay-core/model/content.js';
import { refusal, requestRefusal } from '../../relay-core/model/refusals.js';
import type { RelayError } from '../../relay-core/model/relay-error.js';
import { type FetchedMedia, MediaFetcher, type MediaSource } from '../../relay-core/ports/media-fetcher.js';
import type { ConcurrencyLimits } from './concurrency-limits.js';

/** Memory of one call's files, as base64. */
const MAX_CALL_BYTES = 64 * 1024 * 1024;
/** The largest file, as base64: without room for it no download starts. */
const MAX_FILE_BYTES = 28 * 1024 * 1024;
/** Concurrent downloads of one call, so that slow servers of one caller do not delay all others. */
const MAX_AT_ONCE = 2;

const RETRY_AFTER_MS = 1_000;

/**
 * The fetcher as one call sees it. What was fetched is held until the call ends, however long its vendor takes, so it
 * counts among the bytes this process may hold: without that, a few hundred short requests that name large files would
 * be answered with all of its memory.
 */
export class CallMedia extends MediaFetcher {
  private heldBytes = 0;
  private underWay = 0;
  private readonly waiting: (() => void)[] = [];
  private isOver = false;

  constructor(
    private readonly files: MediaFetcher,
    private readonly gates: ConcurrencyLimits,
  ) {
    super();
  }

  override async fetchFile(
    url: string,
    media: MediaKind,
    namedBy: MediaSource,
  ): Promise<Result<FetchedMedia, RelayError>> {
    while (this.underWay >= MAX_AT_ONCE) await new Promise<void>((resolve) => this.waiting.push(resolve));
    this.underWay += 1;
    try {
      return await this.fetchOne(url, media, namedBy);
    } finally {
      this.underWay -= 1;
      this.waiting.shift()?.();
    }
  }

  /** The call is over: what it held is free. */
  leave(): void {
    this.isOver = true;
    this.hold(-this.heldBytes);
  }

  private async fetchOne(
    url: string,
    media: MediaKind,
    namedBy: MediaSource,
  ): Promise<Result<FetchedMedia, RelayError>> {
    if (this.isOver) return fail(CLIENT_LEFT);
    // The fetcher bounds running downloads; the kept files are bounded here.
    if (!this.gates.hasRoomFor(MAX_FILE_BYTES)) return fail(FULL);
    const file = await this.files.fetchFile(url, media, namedBy);
    if (!file.ok) return file;
    if (this.isOver) return fail(CLIENT_LEFT);
    const { length } = file.value.base64;
    if (this.heldBytes + length > MAX_CALL_BYTES) return fail(TOO_MUCH);
    this.hold(length);
    return file;
  }

  private hold(bytes: number): void {
    this.heldBytes += bytes;
    this.gates.holdBytes(bytes);
  }
}

const TOO_MUCH: RelayError = requestRefusal(
  `The files this request gives by address are larger than ${(MAX_CALL_BYTES / (1024 * 1024)) * 0.75} MB together. Send fewer or smaller ones.`,
);
const FULL: RelayError = {
  ...refusal('files-full'),
  retryAfterMs: RETRY_AFTER_MS,
};

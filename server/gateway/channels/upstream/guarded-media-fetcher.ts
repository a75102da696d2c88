import { Injectable } from '@nestjs/common';
import { fail, ok, type Result } from '../../../common/result.js';
import type { BoundedReply } from '../../../infra/http-client/fetch-bounded.js';
import { OutboundClient } from '../../../infra/http-client/outbound-client.js';
import { typeOfFileName } from '../../../relay-core/formats/shared/fields/file-names.js';
import type { MediaKind } from '../../../relay-core/model/content.js';
import { refusal } from '../../../relay-core/model/refusals.js';
import type { RelayError } from '../../../relay-core/model/relay-error.js';
import type { UpstreamFault } from '../../../relay-core/ports/http-sender.js';
import {
  type FetchedMedia,
  MediaFetcher,
  type MediaSource,
} from '../../../relay-core/ports/media-fetcher.js';
import { agreedMediaType } from './media-type.js';

/** Limits of one file. */
const LIMITS = { timeoutMs: 20_000, maxBytes: 20 * 1024 * 1024 } as const;
const MAX_REDIRECTS = 3;
/** Maximum number of concurrent downloads over all calls. `CallMedia` bounds the memory of calls. */
const MAX_AT_ONCE = 12;
/** Calls that may wait for their turn; more is a flood. */
const MAX_WAITING = 500;

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * Files by address, through the guard for hostile addresses: https only, no private network, no credentials, few
 * redirects (each through the guard again), bounded time and size, and a type that bytes and sender agree on.
 */
@Injectable()
export class GuardedMediaFetcher extends MediaFetcher {
  private underWay = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly client: OutboundClient) {
    super();
  }

  override async fetchFile(
    url: string,
    media: MediaKind,
    namedBy: MediaSource,
  ): Promise<Result<FetchedMedia, RelayError>> {
    if (this.underWay >= MAX_AT_ONCE) {
      if (this.waiting.length >= MAX_WAITING) return fail(BUSY);
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
    this.underWay += 1;
    try {
      return await this.follow(url, media, namedBy);
    } finally {
      this.underWay -= 1;
      this.waiting.shift()?.();
    }
  }

  private async follow(
    url: string,
    media: MediaKind,
    namedBy: MediaSource,
  ): Promise<Result<FetchedMedia, RelayError>> {
    let address = url;
    // The time is for all hops together.
    const untilMs = performance.now() + LIMITS.timeoutMs;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
      const timeoutMs = Math.max(1, untilMs - performance.now());
      const reply = await this.client.fetch(namedBy, requestFor(address), { ...LIMITS, timeoutMs });
      if (!reply.ok) {
        const { kind, cause } = reply.error;
        return kind === 'no-room' ? fail({ ...BUSY, cause }) : refuse(SENTENCES[kind], cause);
      }
      const { status, headers } = reply.value;
      if (!REDIRECTS.has(status)) return readFile(reply.value, media, address);
      const next = textOf(headers['location']);
      if (next === undefined || !URL.canParse(next, address))
        return refuse(`It answered with status ${status}.`);
      address = new URL(next, address).href;
    }
    return refuse('It redirects too often.');
  }
}

const requestFor = (url: string) => ({
  method: 'GET' as const,
  url,
  headers: { accept: '*/*', 'user-agent': 'tollgate' },
  body: undefined,
});

function readFile(reply: BoundedReply, media: MediaKind, address: string): Result<FetchedMedia, RelayError> {
  if (reply.status !== 200) return refuse(`It answered with status ${reply.status}.`);
  if (reply.body.length === 0) return refuse('It is empty.');
  const named = typeOfFileName(new URL(address).pathname);
  const mediaType = agreedMediaType(reply.body, textOf(reply.headers['content-type']), media, named);
  if (mediaType === undefined) return refuse(`It is not ${NAMES[media]} of a kind that can be read.`);
  return ok({ base64: reply.body.toString('base64'), mediaType });
}

const NAMES: Readonly<Record<MediaKind, string>> = {
  image: 'a picture',
  audio: 'a sound file',
  video: 'a video',
  file: 'a file',
};

const SENTENCES: Readonly<Record<Exclude<UpstreamFault['kind'], 'no-room'>, string>> = {
  unreachable: 'It could not be reached.',
  'refused-by-proxy': 'It could not be reached.',
  timeout: 'It did not answer in time.',
  reset: 'It broke off the connection.',
  aborted: 'It broke off the connection.',
  'too-large': `It is larger than ${LIMITS.maxBytes / (1024 * 1024)} MB.`,
  'refused-by-policy': 'Its address is not one that may be called: only public https addresses are.',
};

const textOf = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value[0] : value;

const BUSY: RelayError = {
  ...refusal('fetches-full'),
  retryAfterMs: 1_000,
};

function refuse(why: string, cause?: unknown): { readonly ok: false; readonly error: RelayError } {
  return fail({
    kind: 'invalid-request',
    blame: 'caller',
    message: `A file given by its address could not be fetched. ${why} Send its bytes in base64 instead.`,
    cause,
  });
}

import { Injectable } from '@nestjs/common';
import { fail, ok, type Result } from '../../common/result.js';
import { OutboundClient } from '../../infra/http/outbound-client.js';
import type { MediaKind } from '../../relay-core/model/content.js';
import type { RelayError } from '../../relay-core/model/relay-error.js';
import { type FetchedMedia, MediaFetcher } from '../../relay-core/ports/media-fetcher.js';

const TYPES: Readonly<Record<MediaKind, RegExp>> = {
  image: /^image\/(?:png|jpeg|webp|gif|heic|heif)$/,
  audio: /^audio\/[a-z0-9.+-]+$/,
  video: /^video\/[a-z0-9.+-]+$/,
  file: /^(?:application\/pdf|text\/[a-z0-9.+-]+|application\/json)$/,
};

/** Fetches callers' files through the guard for hostile addresses. */
@Injectable()
export class GuardedMediaFetcher extends MediaFetcher {
  constructor(private readonly outbound: OutboundClient) {
    super();
  }

  override async fetch(url: string, media: MediaKind): Promise<Result<FetchedMedia, RelayError>> {
    const request = { method: 'GET', url, headers: { accept: '*/*' }, body: undefined } as const;
    const reply = await this.outbound.fetch('hostile-url', request);
    if (!reply.ok || reply.value.status !== 200) return refuse(`The ${media} could not be fetched.`);
    const type = String(reply.value.headers['content-type'] ?? '')
      .split(';', 1)[0]
      ?.trim()
      .toLowerCase();
    if (type === undefined || !TYPES[media].test(type))
      return refuse(`What stands at the address is no ${media} this model can read.`);
    return ok({ base64: reply.value.body.toString('base64'), mediaType: type });
  }
}

const refuse = (message: string) => fail<RelayError>({ kind: 'invalid-request', blame: 'caller', message });

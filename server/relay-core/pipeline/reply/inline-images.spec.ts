import { describe, expect, it } from '@jest/globals';
import { fail, ok } from '../../../common/result.js';
import type { ImageReply } from '../../model/image.js';
import type { MediaFetcher } from '../../ports/media-fetcher.js';
import type { ParsedCall } from '../../formats/contract/api-format.js';
import { inlineImages } from './reply-translation.js';

const callFor = (delivery: 'url' | 'base64' | undefined): ParsedCall<'image'> =>
  ({
    shape: { operation: 'image' },
    neutral: () => ok({ ...(delivery === undefined ? {} : { delivery }) }),
  }) as unknown as ParsedCall<'image'>;

const REPLY: ImageReply = {
  createdAtSeconds: 1,
  usage: undefined,
  images: [
    { source: { kind: 'url', url: 'https://x/1.png' }, revisedPrompt: 'A cat' },
    { source: { kind: 'url', url: 'https://x/lost.png' } },
    { source: { kind: 'base64', base64: 'OWN', mediaType: undefined } },
  ],
};

function fetcher() {
  const asked: string[] = [];
  const media = {
    fetchFile: (url: string) => {
      asked.push(url);
      return Promise.resolve(
        url.includes('lost')
          ? fail({ kind: 'invalid-request', blame: 'caller', message: 'no' })
          : ok({ base64: 'BYTES', mediaType: 'image/png' }),
      );
    },
  } as unknown as MediaFetcher;
  return { media, asked };
}

describe('pictures by address', () => {
  it('makes bytes of them where bytes were asked for; keeps the address of one that cannot be fetched', async () => {
    const { media } = fetcher();
    await expect(inlineImages<'image'>(media, REPLY, callFor('base64'))).resolves.toMatchObject({
      images: [
        { source: { kind: 'base64', base64: 'BYTES', mediaType: 'image/png' }, revisedPrompt: 'A cat' },
        { source: { kind: 'url', url: 'https://x/lost.png' } },
        { source: { kind: 'base64', base64: 'OWN' } },
      ],
    });
  });

  it('leaves them alone otherwise', () => {
    const { media, asked } = fetcher();
    expect(inlineImages<'image'>(media, REPLY, callFor('url'))).toBeUndefined();
    expect(inlineImages<'image'>(media, REPLY, callFor(undefined))).toBeUndefined();
    const bytes = { ...REPLY, images: REPLY.images.slice(2) };
    expect(inlineImages<'image'>(media, bytes, callFor('base64'))).toBeUndefined();
    expect(asked).toEqual([]);
  });
});

import type { ImageReply } from '../../model/image.js';
import type { Operation } from '../../model/operation.js';
import type { MediaFetcher } from '../../ports/media-fetcher.js';
import type { NeutralReply, ParsedCall } from '../../formats/contract/api-format.js';

/**
 * Pictures as bytes, for callers that asked for bytes of a vendor that gives addresses. Fetched
 * through the guard for hostile addresses; a picture that cannot be fetched keeps its address: it is made and paid for.
 * @returns undefined when there is nothing to fetch
 */
export function inlineImages<O extends Operation>(
  media: MediaFetcher,
  reply: NeutralReply<O>,
  call: ParsedCall<O>,
): Promise<NeutralReply<O>> | undefined {
  if (call.shape.operation !== 'image' || !isImageReply(reply)) return undefined;
  const request = call.neutral();
  const wantsBytes = request.ok && 'delivery' in request.value && request.value.delivery === 'base64';
  if (!wantsBytes || !reply.images.some(({ source }) => source.kind === 'url')) return undefined;
  const fetching = reply.images.map(async (image): Promise<ImageReply['images'][number]> => {
    if (image.source.kind !== 'url') return image;
    const file = await media.fetchFile(image.source.url, 'image', 'answer');
    if (!file.ok) return image;
    const { base64, mediaType } = file.value;
    return { ...image, source: { kind: 'base64', base64, mediaType } };
  });
  return Promise.all(fetching).then((images) => ({ ...reply, images }));
}

const isImageReply = <Reply extends object>(reply: Reply): reply is Reply & ImageReply => 'images' in reply;

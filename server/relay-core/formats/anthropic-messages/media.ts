import type { ContentPart, MediaKind } from '../../model/content.js';
import type { Warning } from '../../model/warning.js';
import { given } from '../shared/fields/json-fields.js';
import { MESSAGES_FORMAT } from './id.js';
import { mediaTypeOf, plainMediaType } from '../shared/fields/media-bytes.js';
import type { OutgoingBlock } from './outgoing-block.js';

type Media = Extract<ContentPart, { type: MediaKind }>;

const TEXT_TYPE = /^(?:text\/|application\/(?:json|xml|x-yaml|javascript)$)/;

/** Kinds of files these models cannot take at all. */
export const isUnreadable = (part: ContentPart): boolean => part.type === 'audio' || part.type === 'video';

/** An image or document as a block; audio and video are refused before (refuse-request.ts). */
export function writeMedia(part: Media, warnings: Warning[]): OutgoingBlock | undefined {
  const own = part.vendorOptions?.[MESSAGES_FORMAT];
  const { source, detail } = part;
  if (detail !== undefined && detail !== 'auto') {
    warnings.push({ setting: 'detail', reason: 'this vendor looks at every picture the same way' });
  }
  const mediaType = typeOf(source);
  const isImage = part.type === 'image' || mediaType?.startsWith('image/') === true;
  const named = isImage || part.fileName === undefined ? {} : { title: part.fileName };
  const type = isImage ? 'image' : 'document';
  switch (source.kind) {
    case 'url':
      return { ...own, type, source: { type: 'url', url: source.url }, ...named };
    case 'vendor-file':
      return { ...own, type, source: { type: 'file', file_id: source.fileId }, ...named };
    case 'base64':
      // Claude takes no drawings of this kind as images; their source is text.
      if (mediaType === SVG)
        return { ...own, ...textDocument(source.base64), ...given('title', part.fileName) };
      if (!isImage && mediaType !== undefined && TEXT_TYPE.test(mediaType)) {
        return { ...own, ...textDocument(source.base64), ...named };
      }
      if (part.type === 'audio' || part.type === 'video') {
        warnings.push({ setting: 'messages', reason: `${part.type} was left out: this vendor takes none` });
        return undefined;
      }
      return {
        ...own,
        type,
        source: {
          type: 'base64',
          media_type: mediaType ?? (isImage ? 'image/png' : 'application/pdf'),
          data: source.base64,
        },
        ...named,
      };
  }
}

const SVG = 'image/svg+xml';

const textDocument = (base64: string): OutgoingBlock => ({
  type: 'document',
  source: { type: 'text', media_type: 'text/plain', data: Buffer.from(base64, 'base64').toString('utf8') },
});

function typeOf(source: Media['source']): string | undefined {
  if (source.kind === 'vendor-file') return undefined;
  return source.kind === 'url'
    ? plainMediaType(source.mediaType)
    : mediaTypeOf(source.base64, source.mediaType);
}

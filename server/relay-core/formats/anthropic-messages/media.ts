import type { ContentPart, MediaKind } from '../../model/content.js';
import type { Warning } from '../../model/warning.js';
import { MESSAGES_FORMAT } from './id.js';
import { mediaTypeOf, plainMediaType } from '../shared/fields/media-bytes.js';
import type { OutgoingBlock } from './outgoing-block.js';

type Media = Extract<ContentPart, { type: MediaKind }>;

const TEXT_TYPE = /^(?:text\/|application\/(?:json|xml|x-yaml|javascript)$)/;

/** Kinds of files these models cannot take at all. */
export const isUnreadable = (part: ContentPart): boolean => part.type === 'audio' || part.type === 'video';

/** A picture or document as a block; sound and film are refused before (refuse-request.ts). */
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
      if (!isImage && mediaType !== undefined && TEXT_TYPE.test(mediaType)) {
        const data = Buffer.from(source.base64, 'base64').toString('utf8');
        return { ...own, type, source: { type: 'text', media_type: 'text/plain', data }, ...named };
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

function typeOf(source: Media['source']): string | undefined {
  if (source.kind === 'vendor-file') return undefined;
  return source.kind === 'url'
    ? plainMediaType(source.mediaType)
    : mediaTypeOf(source.base64, source.mediaType);
}

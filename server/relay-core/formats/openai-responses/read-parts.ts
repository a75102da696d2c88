import type { ContentPart, MediaSource } from '../../model/content.js';
import { keepUnknown } from '../../model/vendor-options.js';
import {
  documentOf,
  given,
  isDocument,
  listOf,
  textOf,
  type Document,
} from '../shared/fields/json-fields.js';
import { readMediaAddress } from '../shared/fields/media-address.js';
import { bytesSource, kindOfSource } from '../shared/fields/media-bytes.js';
import { readSource } from './annotations.js';
import { RESPONSES_FORMAT } from './id.js';

const KNOWN_PART_FIELDS: ReadonlySet<string> = new Set([
  'type',
  'text',
  'refusal',
  'annotations',
  'image_url',
  'file_id',
  'detail',
  'file_data',
  'file_url',
  'filename',
  'input_audio',
]);

/** Content of a message or of a tool's output: a text, or a list of parts. */
export function readContent(content: unknown): readonly ContentPart[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  const parts = Array.isArray(content) ? content.flat() : [content];
  return parts.flatMap((part) => {
    if (isDocument(part)) return readPart(part);
    if (part === null || part === undefined) return [];
    return [{ type: 'text' as const, text: typeof part === 'string' ? part : JSON.stringify(part) }];
  });
}

function readPart(part: Document): readonly ContentPart[] {
  const extra = given('vendorOptions', keepUnknown(RESPONSES_FORMAT, part, KNOWN_PART_FIELDS));
  switch (part['type']) {
    case 'input_text':
    case 'output_text':
    case 'text':
    case 'summary_text':
      if (typeof part['text'] !== 'string' && part['text'] !== null) return [vendorPart(part)];
      return [
        { type: 'text', text: textOf(part['text']) ?? '', ...extra },
        ...listOf(part['annotations']).map((annotation): ContentPart => ({
          type: 'source',
          source: readSource(documentOf(annotation)),
        })),
      ];
    case 'refusal':
      return [{ type: 'refusal', text: textOf(part['refusal']) ?? '', ...extra }];
    case 'input_image': {
      // Clients of chats write an object.
      const image = documentOf(part['image_url']);
      const url = textOf(part['image_url']) ?? textOf(image['url']);
      const fileId = textOf(part['file_id']);
      if (url === undefined && fileId === undefined) return [vendorPart(part)];
      const source: MediaSource =
        url === undefined ? { kind: 'vendor-file', fileId: fileId ?? '' } : readMediaAddress(url);
      return [
        {
          type: kindOfSource(source, 'image'),
          source,
          ...given('detail', textOf(part['detail']) ?? textOf(image['detail'])),
          ...extra,
        },
      ];
    }
    case 'input_file':
      return [readFile(part, extra)];
    case 'input_audio': {
      const audio = documentOf(part['input_audio']);
      const base64 = textOf(audio['data']);
      const format = textOf(audio['format']);
      if (base64 === undefined) return [vendorPart(part)];
      const mediaType = format === undefined ? undefined : `audio/${format}`;
      return [{ type: 'audio', source: bytesSource(base64, mediaType), ...extra }];
    }
    default:
      return [vendorPart(part)];
  }
}

function readFile(part: Document, extra: object): ContentPart {
  const fileId = textOf(part['file_id']);
  const bytes = textOf(part['file_data']) ?? textOf(part['file_url']);
  if (fileId === undefined && bytes === undefined) return vendorPart(part);
  const fileName = textOf(part['filename']);
  const source: MediaSource =
    bytes === undefined ? { kind: 'vendor-file', fileId: fileId ?? '' } : readMediaAddress(bytes, fileName);
  return {
    type: kindOfSource(source, 'file'),
    source,
    ...given('fileName', fileName),
    ...given('detail', textOf(part['detail'])),
    ...extra,
  };
}

const vendorPart = (value: Document): ContentPart => ({ type: 'vendor', apiFormat: RESPONSES_FORMAT, value });

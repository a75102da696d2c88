import type { ContentPart, MediaSource } from '../../model/content.js';
import { keepUnknown } from '../../model/vendor-options.js';
import { documentOf, given, listOf, textOf, type Document } from '../shared/fields/json-fields.js';
import { readMediaAddress } from '../shared/fields/media-address.js';
import { bytesSource, kindOfSource } from '../shared/fields/media-bytes.js';
import { readCacheMark } from '../shared/fields/cache-marks.js';
import { CHAT_FORMAT } from './id.js';

const KNOWN_PART_FIELDS: ReadonlySet<string> = new Set([
  'type',
  'text',
  'refusal',
  'thinking',
  'image_url',
  'video_url',
  'audio_url',
  'input_audio',
  'file',
  'cache_control',
]);

/** One content part of a message. Kinds this format alone knows are kept as they are. */
export function readPart(part: Document): ContentPart {
  const extra = {
    ...given('vendorOptions', keepUnknown(CHAT_FORMAT, part, KNOWN_PART_FIELDS)),
    ...readCacheMark(part),
  };
  switch (part['type']) {
    case 'text':
      // A part without its text holds something else: it is refused by its place, not taken for an empty one.
      if (typeof part['text'] !== 'string' && part['text'] !== null) return vendorPart(part);
      return { type: 'text', text: part['text'] ?? '', ...extra };
    case 'refusal':
      return { type: 'refusal', text: textOf(part['refusal']) ?? '', ...extra };
    case 'image_url': {
      // Mistral writes the address as plain text.
      const image = part['image_url'];
      const url = typeof image === 'string' ? image : textOf(documentOf(image)['url']);
      if (url === undefined) return vendorPart(part);
      const source = readMediaAddress(url);
      const detail = textOf(documentOf(image)['detail']);
      return { type: kindOfSource(source, 'image'), source, ...given('detail', detail), ...extra };
    }
    case 'video_url':
    case 'audio_url': {
      const named = part['type'] === 'video_url' ? 'video' : 'audio';
      const url = textOf(documentOf(part[part['type']])['url']);
      if (url === undefined) return vendorPart(part);
      const source = readMediaAddress(url);
      return { type: kindOfSource(source, named), source, ...extra };
    }
    case 'input_audio': {
      const audio = documentOf(part['input_audio']);
      const base64 = textOf(audio['data']);
      const format = textOf(audio['format']);
      if (base64 === undefined) return vendorPart(part);
      return {
        type: 'audio',
        source: bytesSource(base64, format === undefined ? undefined : `audio/${format}`),
        ...extra,
      };
    }
    case 'file':
      return readFile(part, extra);
    // Reasoning as Mistral writes it, and as clients bring back what another dialect called it.
    case 'thinking':
      return { type: 'reasoning', text: thinkingText(part['thinking']), ...extra };
    default:
      return vendorPart(part);
  }
}

function readFile(part: Document, extra: object): ContentPart {
  const file = documentOf(part['file']);
  const fileId = textOf(file['file_id']);
  const bytes = textOf(file['file_data']);
  const fileName = textOf(file['filename']);
  if (fileId === undefined && bytes === undefined) return vendorPart(part);
  const source: MediaSource =
    fileId === undefined ? readMediaAddress(bytes ?? '', fileName) : { kind: 'vendor-file', fileId };
  return {
    type: kindOfSource(source, 'file'),
    source,
    ...given('fileName', fileName),
    ...extra,
  };
}

const vendorPart = (value: Document): ContentPart => ({ type: 'vendor', apiFormat: CHAT_FORMAT, value });

function thinkingText(value: unknown): string {
  if (typeof value === 'string') return value;
  return listOf(value)
    .map((piece) => textOf(documentOf(piece)['text']) ?? '')
    .join('');
}

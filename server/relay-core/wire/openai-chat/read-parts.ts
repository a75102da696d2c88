import type { ContentPart, MediaSource } from '../../model/content.js';
import { keepUnknown, type VendorOptions } from '../../model/vendor-options.js';
import { documentOf, textOf, type Document } from '../json-fields.js';
import { CHAT_WIRE } from './id.js';

const KNOWN_PART_MEMBERS: ReadonlySet<string> = new Set([
  'type',
  'text',
  'refusal',
  'thinking',
  'image_url',
  'video_url',
  'input_audio',
  'file',
]);
const DATA_URL = /^data:([^;,]*)(?:;[^,]*)?,/;

/** One content part of a message. Kinds this wire alone knows are kept as they are. */
export function readPart(part: Document): ContentPart {
  const extra = keepUnknown(CHAT_WIRE, part, KNOWN_PART_MEMBERS);
  switch (part['type']) {
    case 'text':
      return { type: 'text', text: textOf(part['text']) ?? '', ...options(extra) };
    case 'refusal':
      return { type: 'refusal', text: textOf(part['refusal']) ?? '', ...options(extra) };
    case 'image_url': {
      // Mistral writes the address as plain text.
      const image = part['image_url'];
      const url = typeof image === 'string' ? image : textOf(documentOf(image)['url']);
      if (url === undefined) return vendorPart(part);
      const detail = textOf(documentOf(image)['detail']);
      return {
        type: 'image',
        source: readAddress(url),
        ...(detail === undefined ? {} : { detail }),
        ...options(extra),
      };
    }
    case 'video_url': {
      const url = textOf(documentOf(part['video_url'])['url']);
      return url === undefined
        ? vendorPart(part)
        : { type: 'video', source: readAddress(url), ...options(extra) };
    }
    case 'input_audio': {
      const audio = documentOf(part['input_audio']);
      const base64 = textOf(audio['data']);
      const format = textOf(audio['format']);
      if (base64 === undefined) return vendorPart(part);
      return {
        type: 'audio',
        source: { kind: 'base64', base64, mediaType: format === undefined ? undefined : `audio/${format}` },
        ...options(extra),
      };
    }
    case 'file':
      return readFile(part, extra);
    default:
      return vendorPart(part);
  }
}

function readFile(part: Document, extra: VendorOptions | undefined): ContentPart {
  const file = documentOf(part['file']);
  const fileId = textOf(file['file_id']);
  const bytes = textOf(file['file_data']);
  const fileName = textOf(file['filename']);
  if (fileId === undefined && bytes === undefined) return vendorPart(part);
  return {
    type: 'file',
    source: fileId === undefined ? readAddress(bytes ?? '') : { kind: 'vendor-file', fileId },
    ...(fileName === undefined ? {} : { fileName }),
    ...options(extra),
  };
}

/** An address, a data URL, or bare base64. */
function readAddress(text: string): MediaSource {
  if (/^https?:\/\//i.test(text)) return { kind: 'url', url: text };
  const match = DATA_URL.exec(text);
  if (match === null) return text.includes('://') ? { kind: 'url', url: text } : base64(text, undefined);
  return base64(text.slice(match[0].length), match[1] === '' ? undefined : match[1]);
}

const base64 = (text: string, mediaType: string | undefined): MediaSource => ({
  kind: 'base64',
  base64: text,
  mediaType,
});

const vendorPart = (value: Document): ContentPart => ({ type: 'vendor', wire: CHAT_WIRE, value });

const options = (vendorOptions: VendorOptions | undefined) =>
  vendorOptions === undefined ? {} : { vendorOptions };

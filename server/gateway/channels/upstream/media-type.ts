import type { MediaKind } from '../../../relay-core/model/content.js';

/** First bytes of the kinds of files models read: at an offset, these bytes. Wikipedia "list of file signatures" (read 2026-11-21). */
const SIGNATURES: readonly (readonly [mediaType: string, offset: number, bytes: string])[] = [
  ['image/png', 0, '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', 0, '\xff\xd8\xff'],
  ['image/gif', 0, 'GIF8'],
  ['image/webp', 8, 'WEBP'],
  ['image/bmp', 0, 'BM'],
  ['image/heic', 4, 'ftypheic'],
  ['image/heic', 4, 'ftypheix'],
  ['image/heif', 4, 'ftypmif1'],
  ['image/heif', 4, 'ftypmsf1'],
  ['image/avif', 4, 'ftypavif'],
  ['video/quicktime', 4, 'ftypqt'],
  ['audio/mp4', 4, 'ftypM4A'],
  ['video/mp4', 4, 'ftyp'],
  ['video/webm', 0, '\x1a\x45\xdf\xa3'],
  ['video/x-flv', 0, 'FLV\x01'],
  ['video/avi', 8, 'AVI '],
  ['video/mpeg', 0, '\x00\x00\x01\xba'],
  ['video/mpeg', 0, '\x00\x00\x01\xb3'],
  ['audio/wav', 8, 'WAVE'],
  ['audio/flac', 0, 'fLaC'],
  ['audio/ogg', 0, 'OggS'],
  ['audio/aiff', 8, 'AIFF'],
  ['audio/mpeg', 0, 'ID3'],
  ['audio/mpeg', 0, '\xff\xfb'],
  ['audio/mpeg', 0, '\xff\xf3'],
  ['audio/mpeg', 0, '\xff\xf2'],
  ['audio/aac', 0, '\xff\xf1'],
  ['audio/aac', 0, '\xff\xf9'],
  ['application/pdf', 0, '%PDF-'],
];

/** Type of a file by its first bytes; undefined = none of the kinds models read. */
export function sniffMediaType(bytes: Buffer): string | undefined {
  for (const [mediaType, offset, signature] of SIGNATURES) {
    if (bytes.toString('latin1', offset, offset + signature.length) === signature) return mediaType;
  }
  return undefined;
}

/** Containers for audio as well as video: the declared type decides. */
const AUDIO_OR_VIDEO_CONTAINERS: ReadonlyMap<string, string> = new Map([
  ['video/mp4', 'audio/mp4'],
  ['video/webm', 'audio/webm'],
  ['audio/ogg', 'video/ogg'],
]);
const UNKNOWN_TYPES: ReadonlySet<string> = new Set(['', 'application/octet-stream', 'binary/octet-stream']);
/** Texts a model may be given as a file. Nothing that a browser would run. */
const TEXT_TYPES =
  /^(text\/(plain|csv|markdown|x-[a-z0-9.+-]+)|application\/(json|x-ndjson|rtf|yaml|x-yaml))$/;

/**
 * Type of a fetched file on which its bytes and its sender agree.
 * @param declared  the sender's content type, with parameters
 * @param named  type by the file's name, for senders with an unspecific type
 * @returns undefined when they do not agree, or when another type was requested
 */
export function agreedMediaType(
  bytes: Buffer,
  declared: string | undefined,
  media: MediaKind,
  named?: string,
): string | undefined {
  const said = (declared ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const sniffed = sniffMediaType(bytes);
  if (sniffed === undefined) {
    const type = UNKNOWN_TYPES.has(said) ? (named ?? '') : said;
    const isText = media === 'file' && TEXT_TYPES.test(type) && !bytes.includes(0);
    return isText ? type : undefined;
  }
  const other = AUDIO_OR_VIDEO_CONTAINERS.get(sniffed);
  const mediaType = other !== undefined && (said === other || familyOf(other) === media) ? other : sniffed;
  const agrees = UNKNOWN_TYPES.has(said) || familyOf(said) === familyOf(mediaType);
  if (!agrees) return undefined;
  return media === 'file' || familyOf(mediaType) === media ? mediaType : undefined;
}

const familyOf = (mediaType: string): string => mediaType.split('/', 1)[0] ?? '';

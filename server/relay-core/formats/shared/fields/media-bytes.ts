import type { MediaKind, MediaSource } from '../../../model/content.js';
import { standardBase64 } from './base64.js';
import { readDataUrl } from './data-url.js';
import { typeOfFileName } from './file-names.js';

/** Base64 characters in which every sign below lies. */
const HEAD_LENGTH = 64;

/** Signatures of files: bytes as latin1, their place, the type. */
const SIGNS: readonly (readonly [start: string, at: number, mediaType: string])[] = [
  ['\x89PNG\r\n\x1a\n', 0, 'image/png'],
  ['\xff\xd8\xff', 0, 'image/jpeg'],
  ['GIF87a', 0, 'image/gif'],
  ['GIF89a', 0, 'image/gif'],
  ['WEBP', 8, 'image/webp'],
  ['BM', 0, 'image/bmp'],
  ['II*\0', 0, 'image/tiff'],
  ['MM\0*', 0, 'image/tiff'],
  ['ftypavif', 4, 'image/avif'],
  ['ftypheic', 4, 'image/heic'],
  ['ftypheix', 4, 'image/heic'],
  ['ftypmif1', 4, 'image/heif'],
  ['%PDF-', 0, 'application/pdf'],
  ['WAVE', 8, 'audio/wav'],
  ['ID3', 0, 'audio/mp3'],
  ['\xff\xfb', 0, 'audio/mp3'],
  ['fLaC', 0, 'audio/flac'],
  ['OggS', 0, 'audio/ogg'],
  ['ftypM4A', 4, 'audio/m4a'],
  ['ftypqt', 4, 'video/quicktime'],
  ['ftyp', 4, 'video/mp4'],
  ['\x1a\x45\xdf\xa3', 0, 'video/webm'],
];
/** A signature so short that other files may begin with it: it decides only where nothing better is known. */
const WEAK: ReadonlySet<string> = new Set(['image/bmp', 'audio/mp3']);
/** Types without information. */
const SILENT =
  /^(?:application\/(?:octet-stream|unknown|binary)|binary\/octet-stream|(?:image|audio|video)\/\*|\*\/\*)$/;
/** Names people write for types that have another one. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['image/jpg', 'image/jpeg'],
  ['image/pjpeg', 'image/jpeg'],
  ['image/x-png', 'image/png'],
  ['application/x-pdf', 'application/pdf'],
  ['audio/mpeg', 'audio/mp3'],
  ['audio/mpga', 'audio/mp3'],
  ['audio/x-wav', 'audio/wav'],
  ['audio/wave', 'audio/wav'],
  ['audio/vnd.wave', 'audio/wav'],
  ['audio/x-m4a', 'audio/m4a'],
  ['audio/x-flac', 'audio/flac'],
]);

/** A media type without parameters, under its own name; undefined = unknown. */
export function plainMediaType(mediaType: string | undefined): string | undefined {
  const plain = (mediaType?.split(';', 1)[0] ?? '').trim().toLowerCase();
  if (plain === '' || SILENT.test(plain)) return undefined;
  return ALIASES.get(plain) ?? plain;
}

/**
 * Type of a file: its bytes decide for images and PDF, whatever the caller wrote, because vendors look and refuse what
 * differs; for sound and films where the caller named none that fits.
 */
export function mediaTypeOf(base64: string, declared: string | undefined): string | undefined {
  const named = plainMediaType(declared);
  const head = Buffer.from(base64.slice(0, HEAD_LENGTH), 'base64').toString('latin1');
  const found = SIGNS.find(([start, at]) => head.startsWith(start, at))?.[2];
  if (found === undefined) return named;
  if (named === undefined) return found;
  if (WEAK.has(found)) return named;
  const isSeen = found.startsWith('image/') || found === 'application/pdf';
  return isSeen || named.startsWith('image/') ? found : named;
}

/**
 * A file's bytes as a caller or a vendor wrote them: in base64, or as a data URL where only base64 belongs.
 * @param fileName  decides the type where neither the bytes nor the declared type do
 */
export function bytesSource(text: string, declared: string | undefined, fileName?: string): MediaSource {
  const url = readDataUrl(text);
  const base64 = standardBase64(url === undefined ? text : url.base64);
  const named = plainMediaType(url?.mediaType) ?? plainMediaType(declared) ?? typeOfFileName(fileName);
  return { kind: 'base64', base64, mediaType: mediaTypeOf(base64, named) };
}

/** The kind of part a file is, by its type where that decides: a PDF given as an image is a file. */
export function kindOfSource(source: MediaSource, named: MediaKind): MediaKind {
  const mediaType = source.kind === 'vendor-file' ? undefined : source.mediaType;
  if (mediaType === undefined) return named;
  const family = mediaType.split('/', 1)[0];
  if (family === 'image' || family === 'audio' || family === 'video') return family;
  return 'file';
}

/** Subtype of `audio/`, as the APIs of audio name their formats. */
export const audioFormatOf = (mediaType: string | undefined): string =>
  plainMediaType(mediaType)?.replace(/^audio\//, '') ?? 'wav';

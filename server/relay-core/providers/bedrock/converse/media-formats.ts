import type { ContentPart, MediaSource } from '../../../model/content.js';
import { isStoredElsewhere } from '../../../formats/shared/fields/dropped-fields.js';

/** Format names of images by media type. */
const IMAGES: ReadonlyMap<string, string> = new Map([
  ['image/png', 'png'],
  ['image/jpeg', 'jpeg'],
  ['image/gif', 'gif'],
  ['image/webp', 'webp'],
]);
const VIDEOS: ReadonlyMap<string, string> = new Map([
  ['video/x-matroska', 'mkv'],
  ['video/quicktime', 'mov'],
  ['video/mp4', 'mp4'],
  ['video/webm', 'webm'],
  ['video/x-flv', 'flv'],
  ['video/mpeg', 'mpeg'],
  ['video/mpg', 'mpg'],
  ['video/x-ms-wmv', 'wmv'],
  ['video/3gpp', 'three_gp'],
]);
const DOCUMENTS: ReadonlyMap<string, string> = new Map([
  ['application/pdf', 'pdf'],
  ['text/csv', 'csv'],
  ['application/msword', 'doc'],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'docx'],
  ['application/vnd.ms-excel', 'xls'],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'xlsx'],
  ['text/html', 'html'],
  ['text/plain', 'txt'],
  ['text/markdown', 'md'],
]);
const DOCUMENT_ENDINGS: ReadonlySet<string> = new Set(DOCUMENTS.values());

const plain = (mediaType: string | undefined): string =>
  (mediaType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';

/** The vendor's format name of an image; undefined = it takes no such kind. */
export const imageFormat = (mediaType: string | undefined): string | undefined =>
  IMAGES.get(plain(mediaType));

const videoFormat = (mediaType: string | undefined): string | undefined => VIDEOS.get(plain(mediaType));

/** The vendor's word for a file, by its type, else by the ending of its name. */
function documentFormat(mediaType: string | undefined, fileName: string | undefined): string | undefined {
  const known = DOCUMENTS.get(plain(mediaType));
  if (known !== undefined) return known;
  const ending = /\.([a-z]{2,4})$/i.exec(fileName ?? '')?.[1]?.toLowerCase();
  return ending !== undefined && DOCUMENT_ENDINGS.has(ending) ? ending : undefined;
}

const MAX_NAME_LENGTH = 200;

/** A file's name with the characters the vendor takes: letters, digits, single spaces, hyphens, brackets. */
export function documentName(fileName: string | undefined): string | undefined {
  const name = (fileName ?? '')
    .replace(/\.[a-z0-9]{1,5}$/i, '')
    .replace(/[^A-Za-z0-9 ()[\]-]+/g, ' ')
    .replace(/\s+/g, ' ')
    .slice(0, MAX_NAME_LENGTH)
    .trim();
  return name === '' ? undefined : name;
}

type Media = Extract<ContentPart, { type: 'image' | 'audio' | 'video' | 'file' }>;

/** The vendor's word for the kind of a medium; undefined = it takes no such kind. */
export function mediaFormat(part: Media): string | undefined {
  const { source } = part;
  const mediaType = source.kind === 'vendor-file' ? undefined : source.mediaType;
  const ending = isStoredAtAws(source) ? source.url : part.fileName;
  if (part.type === 'image')
    return imageFormat(mediaType) ?? /\.(png|jpeg|gif|webp)$/.exec(ending ?? '')?.[1];
  if (part.type === 'video') return videoFormat(mediaType) ?? 'mp4';
  return documentFormat(mediaType, ending);
}

const isStoredAtAws = (source: MediaSource): source is Extract<MediaSource, { kind: 'url' }> =>
  source.kind === 'url' && source.url.startsWith('s3://');

/** Words, and media of the kinds the vendor has words for; what is behind an address is known when it was fetched. */
export function supportsPart(part: ContentPart): boolean {
  if (part.type === 'audio' || isStoredElsewhere(part)) return false;
  const isMedia = part.type === 'image' || part.type === 'file' || part.type === 'video';
  if (!isMedia || part.source.kind !== 'base64') return true;
  return (mediaFormat(part) ?? imageFormat(part.source.mediaType)) !== undefined;
}

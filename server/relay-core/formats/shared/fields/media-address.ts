import type { MediaSource } from '../../../model/content.js';
import { readDataUrl } from './data-url.js';
import { bytesSource } from './media-bytes.js';

/** Base64 has no colon. */
const ADDRESS = /^\s*[a-z][a-z0-9+.-]*:\/\//i;

/**
 * Meaning of a format's one text for a file: an address, a data URL, or bare base64.
 * @param fileName  decides the type of bytes that nothing else identifies
 */
export function readMediaAddress(text: string, fileName?: string): MediaSource {
  if (ADDRESS.test(text) && readDataUrl(text) === undefined) return { kind: 'url', url: text.trim() };
  return bytesSource(text, undefined, fileName);
}

/** A file as one text: its address, or its bytes as a data URL. */
export function writeMediaAddress(source: MediaSource, defaultType: string): string {
  if (source.kind === 'url') return source.url;
  if (source.kind === 'vendor-file') return source.fileId;
  return `data:${source.mediaType ?? defaultType};base64,${source.base64}`;
}

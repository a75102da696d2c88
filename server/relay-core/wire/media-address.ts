import type { MediaSource } from '../model/content.js';

const DATA_URL = /^data:([^;,]*)(?:;[^,]*)?,/;

/** What a wire's one text for a file means: an address, a data URL, or bare base64. */
export function readMediaAddress(text: string): MediaSource {
  if (/^https?:\/\//i.test(text)) return { kind: 'url', url: text };
  const match = DATA_URL.exec(text);
  if (match === null) return text.includes('://') ? { kind: 'url', url: text } : base64(text, undefined);
  return base64(text.slice(match[0].length), match[1] === '' ? undefined : match[1]);
}

/** A file as one text: its address, or its bytes as a data URL. */
export function writeMediaAddress(source: MediaSource, defaultType: string): string {
  if (source.kind === 'url') return source.url;
  if (source.kind === 'vendor-file') return source.fileId;
  return `data:${source.mediaType ?? defaultType};base64,${source.base64}`;
}

const base64 = (text: string, mediaType: string | undefined): MediaSource => ({
  kind: 'base64',
  base64: text,
  mediaType,
});

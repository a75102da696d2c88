import type { MediaSource } from '../../../model/content.js';
import { bytesSource } from './media-bytes.js';

/** Longest head of a data URL: a media type and its parameters. */
const MAX_HEAD_LENGTH = 1_024;

/** What a wire's one text for a file means: an address, a data URL, or bare base64. */
export function readMediaAddress(text: string): MediaSource {
  if (/^\s*https?:\/\//i.test(text)) return { kind: 'url', url: text };
  if (/^\s*data:/i.test(text)) {
    const source = readDataUrl(text);
    if (source !== undefined) return source;
  }
  return text.includes('://') ? { kind: 'url', url: text } : bytesSource(text, undefined);
}

/**
 * A data URL by RFC 2397: scheme, type and `base64` in any case, parameters, percent signs, and line feeds as clients leave
 * them in. Undefined = it has no comma, so no data.
 */
function readDataUrl(text: string): MediaSource | undefined {
  const start = text.indexOf(':') + 1;
  const comma = text.slice(start, start + MAX_HEAD_LENGTH).indexOf(',');
  if (comma === -1) return undefined;
  const head = percentDecoded(text.slice(start, start + comma)).toString('utf8');
  const data = text.slice(start + comma + 1);
  const [type = '', ...parameters] = head.split(';').map((piece) => piece.trim());
  if (parameters.at(-1)?.toLowerCase() === 'base64') {
    const base64 = data.includes('%') ? percentDecoded(data).toString('latin1') : data;
    return bytesSource(base64, type);
  }
  return bytesSource(percentDecoded(data).toString('base64'), type === '' ? 'text/plain' : type);
}

const ESCAPED = /%([0-9a-f]{2})/gi;

/** Percent signs may stand for any byte, so that no text decoder can read them. */
function percentDecoded(text: string): Buffer {
  const bytes = Buffer.from(text, 'utf8').toString('latin1');
  return Buffer.from(
    bytes.replace(ESCAPED, (_match, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );
}

/** A file as one text: its address, or its bytes as a data URL. */
export function writeMediaAddress(source: MediaSource, defaultType: string): string {
  if (source.kind === 'url') return source.url;
  if (source.kind === 'vendor-file') return source.fileId;
  return `data:${source.mediaType ?? defaultType};base64,${source.base64}`;
}

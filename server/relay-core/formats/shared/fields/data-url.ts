/** Longest head of a data URL: a media type and its parameters. */
const MAX_HEAD_LENGTH = 1_024;
const SCHEME = /^\s*data:/i;

/** Content of a data URL. */
export interface DataUrl {
  /** In base64, as it was written. */
  readonly base64: string;
  /** Media type as it was written; empty = it names none. */
  readonly mediaType: string;
}

/**
 * A data URL by RFC 2397: scheme, type and `base64` in any case, parameters, percent signs, and line feeds as clients leave
 * them in. Undefined = it is none, or has no comma, so no data.
 */
export function readDataUrl(text: string): DataUrl | undefined {
  if (!SCHEME.test(text)) return undefined;
  const start = text.indexOf(':') + 1;
  const comma = text.slice(start, start + MAX_HEAD_LENGTH).indexOf(',');
  if (comma === -1) return undefined;
  const head = percentDecoded(text.slice(start, start + comma)).toString('utf8');
  const data = text.slice(start + comma + 1);
  const [type = '', ...parameters] = head.split(';').map((piece) => piece.trim());
  if (parameters.at(-1)?.toLowerCase() === 'base64') {
    const base64 = data.includes('%') ? percentDecoded(data).toString('latin1') : data;
    return { base64, mediaType: type };
  }
  return { base64: percentDecoded(data).toString('base64'), mediaType: type === '' ? 'text/plain' : type };
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

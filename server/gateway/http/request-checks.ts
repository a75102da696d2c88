import type { IncomingHttpHeaders } from 'node:http';
import { refusal } from '../../relay-core/model/refusals.js';
import type { RelayError } from '../../relay-core/model/relay-error.js';
import { codingOf, KNOWN_CODINGS } from './unpack-body.js';

/** One media type, parameters allowed, nothing else around it. */
const JSON_TYPE =
  /^application\/([a-z0-9.+-]+\+)?json(?:; ?[a-z0-9!#$&^_.+-]+=(?:[a-z0-9!#$&^_.+-]+|"[^"\\\u0000-\u001f]*"))*;?$/i;

/** Forms carry files; their boundary is the form reader's to judge. */
const FORM_TYPE = /^multipart\/form-data;/i;

export type BodyType = 'json' | 'multipart' | 'json-or-multipart';

const WANTED: Readonly<Record<BodyType, RelayError>> = {
  json: refusal('json-wanted'),
  multipart: refusal('form-wanted'),
  'json-or-multipart': refusal('json-or-form-wanted'),
};

function isAccepted(type: string, bodyType: BodyType): boolean {
  if (bodyType !== 'multipart' && JSON_TYPE.test(type)) return true;
  return bodyType !== 'json' && FORM_TYPE.test(type);
}

/**
 * Checks the headers of a request with a body, before the body is read.
 * @returns null when they are accepted
 */
export function checkBodyHeaders(
  headers: IncomingHttpHeaders,
  bodyType: BodyType = 'json',
): RelayError | null {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && codingOf(encoding) === null) {
    return refusal('coding-unknown', { codings: KNOWN_CODINGS });
  }
  const type = headers['content-type'];
  // The form nearly every client writes.
  if (type === 'application/json' && bodyType !== 'multipart') return null;
  if (type === undefined || !isAccepted(type, bodyType)) return WANTED[bodyType];
  if (namesForeignCharset(type)) return refusal('charset-foreign');
  return null;
}

/**
 * JSON is UTF-8 whatever the header, but a reader that believes the header would see another text.
 * @param type  a content type; undefined has no charset
 */
export function namesForeignCharset(type: string | undefined): boolean {
  if (type === undefined || type.length <= JSON_TYPE_LENGTH) return false;
  for (const [, name] of type.matchAll(CHARSET)) {
    if (name !== undefined && !ALLOWED_CHARSETS.has(name.toLowerCase())) return true;
  }
  return false;
}

const JSON_TYPE_LENGTH = 'application/json'.length;
const CHARSET = /;\s*charset\s*=\s*"?([^";\s]*)/gi;
const ALLOWED_CHARSETS: ReadonlySet<string> = new Set(['utf-8', 'utf8', 'us-ascii']);

/** Length of the body in bytes; undefined when it is absent or not a number. */
export function contentLengthOf(headers: IncomingHttpHeaders): number | undefined {
  const text = headers['content-length'];
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

const CREDENTIAL_HEADERS = new Set(['authorization', 'x-api-key', 'x-goog-api-key']);

/**
 * True when a credential header came twice. Node keeps the first and drops the rest, so that only the raw list shows it.
 * @param rawHeaders  names and values in turn
 */
export function repeatsCredential(rawHeaders: readonly string[]): boolean {
  let seen = '';
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    // Lengths decide for nearly every header without a look at its letters.
    if (name.length !== 13 && name.length !== 9 && name.length !== 14) continue;
    const folded = name.toLowerCase();
    if (!CREDENTIAL_HEADERS.has(folded)) continue;
    if (seen === folded) return true;
    seen = folded;
  }
  return false;
}

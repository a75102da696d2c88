import { isSafePattern } from '../../../model/safe-pattern.js';
import { TAGGING_HEADERS } from '../call-tags.js';

/**
 * Headers that are never overridden: framing and hop-by-hop ones, addresses of the way here, and browser headers.
 */
const FORBIDDEN: ReadonlySet<string> = new Set([
  'host',
  'content-length',
  'content-type',
  'content-encoding',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'te',
  'trailer',
  'upgrade',
  'expect',
  'accept-encoding',
  'cookie',
  'set-cookie',
  'forwarded',
  'via',
  'x-real-ip',
  'origin',
  'referer',
  'proxy-authorization',
  'proxy-authenticate',
]);
const FORBIDDEN_PREFIXES: readonly string[] = ['proxy-', 'x-forwarded-', 'sec-', 'cf-', ':'];
/** Headers with callers' own keys: never copied from a caller. */
const CALLER_CREDENTIALS: ReadonlySet<string> = new Set([
  'authorization',
  'x-api-key',
  'x-goog-api-key',
  'api-key',
  'mj-api-secret',
  'sec-websocket-protocol',
]);

const NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/;
const VALUE = /^[\t\x20-\x7e]{0,4096}$/;
const PATTERN_KEY = /^(?:re|regex):/;
const PLACEHOLDER = /\{(api_key|client_header:([A-Za-z0-9_-]{1,100}))\}/g;

export type CallerHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** Returns true when an operator may write this header. */
export function isOverridableHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return (
    NAME.test(name) && !FORBIDDEN.has(lower) && !FORBIDDEN_PREFIXES.some((prefix) => lower.startsWith(prefix))
  );
}

/** A caller's header that may travel on when the operator asks for it; undefined = absent, or never. */
export function callerHeader(headers: CallerHeaders, name: string): string | undefined {
  const lower = name.toLowerCase();
  if (CALLER_CREDENTIALS.has(lower) || TAGGING_HEADERS.has(lower) || !isOverridableHeader(lower))
    return undefined;
  const value = Object.hasOwn(headers, lower) ? headers[lower] : undefined;
  const text = Array.isArray(value) ? value.join(', ') : value;
  return text !== undefined && VALUE.test(text) ? text : undefined;
}

/** Fault of an override document: the offending key; undefined = none. */
export function faultOfHeaderOverride(document: Readonly<Record<string, unknown>>): string | undefined {
  for (const [key, value] of Object.entries(document)) {
    const isPattern = key === '*' || PATTERN_KEY.test(key);
    if (isPattern ? !isPassRule(key) : !isOverridableHeader(key)) return key;
    if (typeof value !== 'string' || !VALUE.test(value)) return key;
  }
  return undefined;
}

/** Words in braces that look like a placeholder and are none (`{apikey}`, `{header:X}`): they would be sent as they stand. */
export const unknownPlaceholder = (template: string): string | undefined =>
  template.replaceAll(PLACEHOLDER, '').match(/\{[A-Za-z_][\w-]*(?::[\w-]*)?\}/)?.[0];

const isPassRule = (key: string): boolean => key === '*' || isSafePattern(key.replace(PATTERN_KEY, ''));

/**
 * Lays a channel's header override over the headers of a request. `{api_key}` is the channel's key,
 * `{client_header:Name}` a header of the caller; a value that needs a header the caller did not send is left out. A key
 * `*` or `re:…` passes the caller's headers of matching names, credentials excepted.
 * @param headers  names in lower case
 */
export function overrideHeaders(
  headers: Readonly<Record<string, string>>,
  override: Readonly<Record<string, string>> | undefined,
  source: { readonly credential: string; readonly callerHeaders: CallerHeaders },
): Readonly<Record<string, string>> {
  if (override === undefined) return headers;
  const result: Record<string, string> = { ...headers };
  for (const [key, template] of Object.entries(override)) {
    const isPattern = key === '*' || PATTERN_KEY.test(key);
    if (isPattern) passMatching(result, key, source.callerHeaders);
    else {
      const value = fill(template, source);
      if (value !== undefined && isOverridableHeader(key)) result[key.toLowerCase()] = value;
    }
  }
  return result;
}

function passMatching(result: Record<string, string>, key: string, callerHeaders: CallerHeaders): void {
  const pattern = key === '*' ? /./ : RegExp(key.replace(PATTERN_KEY, ''), 'iu');
  for (const name of Object.keys(callerHeaders)) {
    // The provider's own headers stay: they may be signed, or carry the key.
    if (name.length > 100 || Object.hasOwn(result, name) || !pattern.test(name)) continue;
    const value = callerHeader(callerHeaders, name);
    if (value !== undefined) result[name] = value;
  }
}

/** Undefined = a header of the caller that the value needs is not there, or the result is no header value. */
function fill(
  template: string,
  source: { readonly credential: string; readonly callerHeaders: CallerHeaders },
): string | undefined {
  let isComplete = true;
  const value = template.replaceAll(PLACEHOLDER, (_match, word: string, name: string | undefined) => {
    if (word === 'api_key') return source.credential;
    const sent = callerHeader(source.callerHeaders, name ?? '');
    if (sent === undefined) isComplete = false;
    return sent ?? '';
  });
  return isComplete && VALUE.test(value) ? value : undefined;
}

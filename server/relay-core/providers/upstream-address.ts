import { fail, ok, type Result } from '../../common/result.js';
import type { RelayError } from '../model/relay-error.js';

const VERSION_AT_END = /\/v\d+[a-z0-9]*$/i;
const LEADING_VERSION = /^(?:\/[a-z-]+)*?\/v\d+[a-z0-9]*(?=\/)/i;
/** A segment that takes the one before it away: a model of that name would lead somewhere else. */
const DOT_SEGMENT = /\/\.{1,2}(?=[/?#]|$)/;
const CLOUDFLARE_GATEWAY = 'https://gateway.ai.cloudflare.com';

/**
 * Joins a channel's base address and an operation's path. A base that already ends in a version (`…/v1`,
 * `…/api/paas/v4`) replaces the path's own prefix and version; Cloudflare's AI gateway has none.
 * Fails: upstream-unreachable when the result is not a plain http(s) address on the base's own host (CH-04).
 */
export function joinAddress(baseUrl: string, path: string): Result<string, RelayError> {
  const base = baseUrl.trim().replace(/\/+$/, '');
  return checkAddress(base + tailFor(base, path), base);
}

function tailFor(base: string, path: string): string {
  if (VERSION_AT_END.test(base) || base.startsWith(CLOUDFLARE_GATEWAY))
    return path.replace(LEADING_VERSION, '');
  // `…/compatible-mode` typed without the version: its part of the path is already there.
  const version = path.search(/\/v\d+[a-z0-9]*\//i);
  return version > 0 && base.endsWith(path.slice(0, version)) ? path.slice(version) : path;
}

/** A base address that is itself the full address; `{model}` stands for the model's name. */
export function fullAddress(baseUrl: string, model: string): Result<string, RelayError> {
  return checkAddress(baseUrl.trim().replaceAll('{model}', encodeURIComponent(model)), baseUrl);
}

function checkAddress(address: string, base: string): Result<string, RelayError> {
  if (DOT_SEGMENT.test(address)) return unusable();
  let parsed: URL;
  let origin: URL;
  try {
    parsed = new URL(address);
    origin = new URL(base.replaceAll('{model}', 'model'));
  } catch (cause) {
    return unusable(cause);
  }
  const isPlain =
    (parsed.protocol === 'https:' || parsed.protocol === 'http:') &&
    parsed.username === '' &&
    parsed.password === '' &&
    parsed.hash === '' &&
    parsed.host === origin.host;
  return isPlain ? ok(parsed.href) : unusable();
}

function unusable(cause?: unknown): { readonly ok: false; readonly error: RelayError } {
  return fail({
    kind: 'upstream-unreachable',
    blame: 'upstream',
    message: 'The base address of the channel cannot be used; ask the administrator to check it.',
    cause,
  });
}

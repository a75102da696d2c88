import { fail, ok, type Result } from '../../../common/result.js';
import { refusal } from '../../model/refusals.js';
import type { RelayError } from '../../model/relay-error.js';
import { readBase } from './base-address.js';

const LEADING_VERSION = /^(?:\/[a-z-]+)*?\/v\d+[a-z0-9]*(?=\/)/i;
/** A segment that takes the one before it away: a model of that name would lead somewhere else. */
const DOT_SEGMENT = /\/\.{1,2}(?=[/?#]|$)/;

/**
 * Joins a channel's base address and an operation's path, which meet once: what the base already has of the path is not written
 * again, and a base that ends in a version (`…/v1`, `…/api/paas/v4`) replaces the path's own prefix and version.
 * Fails: upstream-unreachable when the result is not a plain http(s) address on the base's own host.
 */
export function joinAddress(baseUrl: string, path: string): Result<string, RelayError> {
  const { root, isComplete } = readBase(baseUrl);
  return checkAddress(root + tailFor(root, isComplete, path), root);
}

function tailFor(root: string, isComplete: boolean, path: string): string {
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
    // Not the host, which may have the name of a segment.
    if (root.endsWith(path.slice(0, end)) && root.at(-1 - end) !== '/') return path.slice(end);
  }
  return isComplete ? path.replace(LEADING_VERSION, '') : path;
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
  return fail({ ...refusal('base-unusable'), cause });
}

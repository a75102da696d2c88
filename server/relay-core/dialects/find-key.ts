import { fail, ok, type Result } from '../../common/result.js';
import { refusal, type RefusalName } from '../model/refusals.js';
import type { RelayError } from '../model/relay-error.js';
import type { RequestHeaders } from './dialect.js';

const BEARER = /^bearer[ \t]+(\S+)$/i;

/** Places of a client's key beside `Authorization: Bearer KEY`. */
interface KeyPlaces {
  readonly header: 'x-api-key' | 'x-goog-api-key';
  /** Values of the query that hold it. */
  readonly inQuery?: readonly string[];
  /** Refusal of a client that sends none. */
  readonly missing: Extract<RefusalName, `key-missing-${string}`>;
}

const NONE: readonly string[] = [];

/** Finds the key of a request; several count only when all are the same. Fails: unauthenticated. */
export function findKey(
  headers: RequestHeaders,
  { header, inQuery = NONE, missing }: KeyPlaces,
): Result<string, RelayError> {
  const own = headers[header];
  const { authorization } = headers;
  if (Array.isArray(own) || Array.isArray(authorization)) return fail(refusal('keys-sent'));
  let bearer: string | undefined;
  if (authorization !== undefined && authorization !== '') {
    bearer = BEARER.exec(authorization.trim())?.[1];
    if (bearer === undefined) return fail(refusal('key-unreadable'));
    // Nearly all requests have their key here and nowhere else.
    if (own === undefined && inQuery.length === 0) return ok(bearer);
  }
  const found = new Set([own ?? '', ...inQuery, bearer ?? ''].map((key) => key.trim()));
  found.delete('');
  const [key] = found;
  if (key === undefined) return fail(refusal(missing));
  return found.size === 1 ? ok(key) : fail(refusal('keys-differ'));
}

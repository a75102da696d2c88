import type { FastifyRequest } from 'fastify';
import { fail, type Result } from '../../common/result.js';
import type { Caller } from '../../relay-core/model/call.js';
import { refusal } from '../../relay-core/model/refusals.js';
import type { RelayError } from '../../relay-core/model/relay-error.js';
import type { CallerDirectory } from '../../relay-core/ports/caller-directory.js';
import { dialectOf } from './dialect-of.js';
import { queryOf } from './relay-paths.js';
import { repeatsCredential } from './request-checks.js';

/**
 * Identifies the caller at an address that is no call: the key is in the place of the address's dialect.
 * Fails: unauthenticated, and as `CallerDirectory.identify`.
 */
export async function identifyCaller(
  callers: CallerDirectory,
  request: FastifyRequest,
): Promise<Result<Caller, RelayError>> {
  if (repeatsCredential(request.raw.rawHeaders)) return fail(refusal('keys-sent'));
  const dialect = dialectOf(request.url, request.headers);
  const credential = dialect.findCredential(request.headers, queryOf(request.url));
  return credential.ok ? callers.identify(credential.value, request.ip) : credential;
}

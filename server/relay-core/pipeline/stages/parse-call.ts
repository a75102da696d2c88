import type { Result } from '../../../common/result.js';
import type { RouteOf } from '../../dialects/dialect.js';
import type { IncomingCall } from '../../model/call.js';
import type { Operation } from '../../model/operation.js';
import type { RelayError } from '../../model/relay-error.js';
import type { ClientCall } from '../context/call-types.js';

/**
 * Stage 2: what is asked?
 * Fails: invalid-request.
 */
export function parseCall<O extends Operation>(input: {
  readonly call: IncomingCall;
  readonly clientRoute: RouteOf<O>;
}): Result<ClientCall<O>, RelayError> {
  const { apiFormat } = input.clientRoute;
  const parsed = apiFormat.parseCall(input.call.body, input.call);
  return parsed.ok ? { ok: true, value: { apiFormat, parsed: parsed.value } } : parsed;
}

import type { Result } from '../../../common/result.js';
import type { RouteOf, Dialect } from '../../dialects/dialect.js';
import type { IncomingCall, Caller } from '../../model/call.js';
import type { Operation } from '../../model/operation.js';
import type { RelayError } from '../../model/relay-error.js';
import type { ClientCall } from '../context/call-types.js';
import { fail } from '../../../common/result.js';
import { refuseOwnCall } from '../request/via-header.js';
import type { RelayPorts } from '../context/relay-ports.js';

/**
 * Stage 1: whose key is it?
 * Fails: loop-detected, unauthenticated, account-banned, address-refused, forbidden, unavailable.
 */
export function identifyCaller(
  ports: Pick<RelayPorts, 'callers' | 'gateway'>,
  input: { readonly call: IncomingCall; readonly dialect: Dialect },
): Result<Caller, RelayError> | Promise<Result<Caller, RelayError>> {
  const ownCall = refuseOwnCall(input.call, ports.gateway.via);
  if (ownCall !== undefined) return fail(ownCall);
  const credential = input.dialect.findCredential(input.call.headers, input.call.query);
  if (!credential.ok) return credential;
  return ports.callers.identify(credential.value, input.call.clientAddress);
}

/**
 * Stage 2: parse the request.
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

import { fail, type Result } from '../../../common/result.js';
import type { Dialect } from '../../dialects/dialect.js';
import type { Caller, IncomingCall } from '../../model/call.js';
import type { RelayError } from '../../model/relay-error.js';
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

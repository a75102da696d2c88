import type { IncomingCall } from '../../model/call.js';
import { refusal } from '../../model/refusals.js';
import type { RelayError } from '../../model/relay-error.js';
import type { Route } from '../../ports/channel-picker.js';

/**
 * Gateways a call has come through, in the `Via` header: a channel whose address leads back to the gateway, straight or by way of
 * another one, would multiply one call until a limit stops it.
 */
const ENTRY = /\b1\.1 tollgate-[0-9a-f]{16}\b/g;
/** A longer chain of gateways is taken for a loop. */
const MAX_GATEWAYS = 8;

/** @param digest  identifies a deployment without details of it: 16 hexadecimal digits */
export const viaEntry = (digest: string): string => `1.1 tollgate-${digest}`;

/** Gateways the call was passed on by; entries of other proxies do not count. */
function gatewaysOf({ headers: { via } }: Pick<IncomingCall, 'headers'>): readonly string[] {
  return via === undefined ? [] : (String(via).match(ENTRY) ?? []);
}

/** Fails: loop-detected. @param own  entry of this gateway */
export function refuseOwnCall(call: Pick<IncomingCall, 'headers'>, own: string): RelayError | undefined {
  if (call.headers['via'] === undefined) return undefined;
  const gateways = gatewaysOf(call);
  if (!gateways.includes(own) && gateways.length < MAX_GATEWAYS) return undefined;
  return refusal('own-call');
}

/**
 * `Via` for an upstream; undefined for a vendor's own address, which leads nowhere else and has no business to know
 * which accounts belong together.
 */
export function viaFor(
  call: Pick<IncomingCall, 'headers'>,
  route: Pick<Route, 'baseUrl'>,
  own: string,
): string | undefined {
  if (route.baseUrl === '') return undefined;
  return call.headers['via'] === undefined ? own : [...gatewaysOf(call), own].join(', ');
}

import { fail, type Result } from '../../common/result.js';
import { refusal } from '../model/refusals.js';
import type { RelayError } from '../model/relay-error.js';
import type { Route } from '../ports/channel-picker.js';
import type { RealtimeRequest } from '../ports/realtime-socket.js';
import { findProvider } from './registry.js';

/**
 * The handshake with a channel's upstream.
 * @param asBrowser  the caller's key came as a subprotocol, so the upstream's goes that way too
 * Fails: not-implemented, upstream-unreachable when the base address cannot be used.
 */
export function realtimeRequest(route: Route, asBrowser: boolean): Result<RealtimeRequest, RelayError> {
  const provider = findProvider(route.channelType);
  return provider.ok && provider.value.realtime !== undefined
    ? provider.value.realtime(route, asBrowser)
    : fail(refusal('realtime-not-offered'));
}

import { ok, type Result } from '../../../common/result.js';
import type { RelayError } from '../../model/relay-error.js';
import type { Route } from '../../ports/channel-picker.js';
import type { RealtimeRequest } from '../../ports/realtime-socket.js';
import { realtimeProxy, toSocketAddress } from '../shared/realtime-handshake.js';
import { joinAddress } from '../shared/upstream-address.js';
import { azureKeyHeader, DEFAULT_AZURE_VERSION, readAzureBase } from './address.js';

const VERSION = /^[\w-]{1,40}$/;

/** The handshake of a session: Azure names the deployment in the address; the newer form calls it the model. */
export function azureRealtime(route: Route): Result<RealtimeRequest, RelayError> {
  const { resource, deployment, isNewer } = readAzureBase(route);
  const address = joinAddress(resource, isNewer ? '/openai/v1/realtime' : '/openai/realtime');
  if (!address.ok) return address;
  const query: Record<string, string> = isNewer
    ? { model: route.upstreamModel }
    : {
        'api-version': VERSION.test(route.other.trim()) ? route.other.trim() : DEFAULT_AZURE_VERSION,
        deployment: deployment ?? route.upstreamModel,
      };
  const headers = azureKeyHeader(route.credential);
  return ok({ url: toSocketAddress(address.value, query), headers, protocols: [], ...realtimeProxy(route) });
}

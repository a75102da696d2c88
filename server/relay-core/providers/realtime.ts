import { fail, ok, type Result } from '../../common/result.js';
import { refusal } from '../model/refusals.js';
import type { RelayError } from '../model/relay-error.js';
import type { Route } from '../ports/channel-picker.js';
import type { RealtimeRequest } from '../ports/realtime-socket.js';
import { azureKeyHeader, DEFAULT_AZURE_VERSION, readAzureBase } from './azure/provider.js';
import { findProvider } from './registry.js';
import { joinAddress } from './shared/upstream-address.js';

/** Channel types whose vendor speaks OpenAI's realtime grammar: OpenAI and its resellers, xAI, New API. */
const BEARER_TYPES: ReadonlySet<number> = new Set([1, 6, 7, 9, 10, 12, 13, 48, 59, 60]);
const AZURE_TYPE = 3;
const AZURE_VERSION = /^[\w-]{1,40}$/;
/** What may stand in a subprotocol. */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/**
 * The handshake with a channel's upstream.
 * @param asBrowser  the caller's key came as a subprotocol, so the upstream's goes that way too
 * Fails: not-implemented, upstream-unreachable when the base address cannot be used.
 */
export function realtimeRequest(route: Route, asBrowser: boolean): Result<RealtimeRequest, RelayError> {
  if (route.channelType === AZURE_TYPE) return azureRequest(route);
  return BEARER_TYPES.has(route.channelType)
    ? bearerRequest(route, asBrowser)
    : fail(refusal('realtime-not-offered'));
}

function bearerRequest(route: Route, asBrowser: boolean): Result<RealtimeRequest, RelayError> {
  const vendor = findProvider(route.channelType);
  if (!vendor.ok) return vendor;
  const address = joinAddress(
    route.baseUrl === '' ? vendor.value.defaultBaseUrl : route.baseUrl,
    '/v1/realtime',
  );
  if (!address.ok) return address;
  const model = route.upstreamModel;
  // General-availability models refuse the marks of the beta.
  const isBeta = model.includes('-realtime-preview');
  const url = toSocketAddress(address.value, { model });
  const key = `openai-insecure-api-key.${route.credential}`;
  if (asBrowser && TOKEN.test(key)) {
    const protocols = ['realtime', key, ...(isBeta ? ['openai-beta.realtime-v1'] : [])];
    return ok({ url, headers: organizationOf(route), protocols, ...proxyOf(route) });
  }
  const headers = {
    authorization: `Bearer ${route.credential}`,
    ...organizationOf(route),
    ...(isBeta ? { 'openai-beta': 'realtime=v1' } : {}),
  };
  return ok({ url, headers, protocols: [], ...proxyOf(route) });
}

/** Azure names the deployment in the address; the newer form calls it the model. */
function azureRequest(route: Route): Result<RealtimeRequest, RelayError> {
  const { resource, deployment, isNewer } = readAzureBase(route);
  const address = joinAddress(resource, isNewer ? '/openai/v1/realtime' : '/openai/realtime');
  if (!address.ok) return address;
  const query: Record<string, string> = isNewer
    ? { model: route.upstreamModel }
    : {
        'api-version': AZURE_VERSION.test(route.other.trim()) ? route.other.trim() : DEFAULT_AZURE_VERSION,
        deployment: deployment ?? route.upstreamModel,
      };
  const headers = azureKeyHeader(route.credential);
  return ok({ url: toSocketAddress(address.value, query), headers, protocols: [], ...proxyOf(route) });
}

function toSocketAddress(address: string, query: Readonly<Record<string, string>>): string {
  const url = new URL(address.replace(/^http/, 'ws'));
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url.href;
}

const organizationOf = (route: Route): Readonly<Record<string, string>> =>
  route.organization === '' || route.channelType !== 1 ? {} : { 'openai-organization': route.organization };

const proxyOf = ({ settings }: Route): { readonly proxy?: string } =>
  settings.proxy === undefined || settings.proxy === '' ? {} : { proxy: settings.proxy };

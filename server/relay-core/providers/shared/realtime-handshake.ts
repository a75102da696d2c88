import { ok, type Result } from '../../../common/result.js';
import type { RelayError } from '../../model/relay-error.js';
import type { Route } from '../../ports/channel-picker.js';
import type { RealtimeRequest } from '../../ports/realtime-socket.js';
import { joinAddress } from './upstream-address.js';

/** Characters of a subprotocol. */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

interface RealtimeVendor {
  readonly defaultBaseUrl: string;
  readonly sendsOrganization?: true;
}

/**
 * The handshake with a vendor that offers OpenAI's realtime sessions.
 * @param asBrowser  the caller's key came as a subprotocol, so the upstream's goes that way too
 * Fails: upstream-unreachable when the base address cannot be used.
 */
export function bearerRealtime(
  vendor: RealtimeVendor,
  route: Route,
  asBrowser: boolean,
): Result<RealtimeRequest, RelayError> {
  const address = joinAddress(route.baseUrl === '' ? vendor.defaultBaseUrl : route.baseUrl, '/v1/realtime');
  if (!address.ok) return address;
  const model = route.upstreamModel;
  // General-availability models refuse the marks of the beta.
  const isBeta = model.includes('-realtime-preview');
  const url = toSocketAddress(address.value, { model });
  const key = `openai-insecure-api-key.${route.credential}`;
  if (asBrowser && TOKEN.test(key)) {
    const protocols = ['realtime', key, ...(isBeta ? ['openai-beta.realtime-v1'] : [])];
    return ok({ url, headers: organizationOf(vendor, route), protocols, ...realtimeProxy(route) });
  }
  const headers = {
    authorization: `Bearer ${route.credential}`,
    ...organizationOf(vendor, route),
    ...(isBeta ? { 'openai-beta': 'realtime=v1' } : {}),
  };
  return ok({ url, headers, protocols: [], ...realtimeProxy(route) });
}

/** A WebSocket address with a query. */
export function toSocketAddress(address: string, query: Readonly<Record<string, string>>): string {
  const url = new URL(address.replace(/^http/, 'ws'));
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url.href;
}

const organizationOf = (
  { sendsOrganization }: RealtimeVendor,
  route: Route,
): Readonly<Record<string, string>> =>
  route.organization === '' || sendsOrganization !== true
    ? {}
    : { 'openai-organization': route.organization };

/** Proxy of the channel. */
export const realtimeProxy = ({ settings }: Route): { readonly proxy?: string } =>
  settings.proxy === undefined || settings.proxy === '' ? {} : { proxy: settings.proxy };

import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import proxyAddr from '@fastify/proxy-addr';

/**
 * Whether a hop is a proxy of ours, whose word about the hop before it counts.
 * @param hop  0 = whoever the connection comes from
 */
export type ProxyTrust = (address: string, hop: number) => boolean;

/**
 * What `TRUST_PROXY` says: a hop count, or addresses, ranges and names of ranges.
 * @returns null when no proxy is trusted
 */
export function readProxyTrust(text: string | undefined): ProxyTrust | null {
  if (text === undefined) return null;
  if (/^\d{1,3}$/.test(text)) return (_address, hop) => hop < Number(text);
  return proxyAddr.compile(text.split(/[\s,]+/).filter((part) => part !== ''));
}

/**
 * Whose call it is, found as the framework finds it: the nearest hop that is no proxy of ours.
 * @param peer  whoever the connection comes from; empty when it is gone
 */
export function clientAddressOf(
  trust: ProxyTrust | null,
  peer: string,
  headers: IncomingHttpHeaders,
): string {
  if (trust === null || headers['x-forwarded-for'] === undefined) return peer;
  // All the library reads of a request.
  const request = { headers, socket: { remoteAddress: peer } } as unknown as IncomingMessage;
  return proxyAddr(request, trust);
}

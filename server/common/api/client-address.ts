import type { IncomingHttpHeaders } from 'node:http';
import proxyAddr from '@fastify/proxy-addr';
import type { FastifyInstance } from 'fastify';
import { addressOfNode, canonicalAddress } from '../ip-address.js';

/**
 * One `name=value` with what may follow it: `;` and another pair, `,` and another element, or the end. Addresses with colons and
 * brackets are taken without the quotes they need: many proxies write them so.
 */
const PAIR =
  /[ \t]*(?:([!#$%&'*+.^_`|~\w-]+)=(?:([!#$%&'*+.^_`|~\w:[\]-]+)|"((?:[^"\\]|\\.)*)"))?[ \t]*([;,]|$)/y;

/**
 * Returns true for a trusted proxy, whose headers about the previous hop count.
 * @param hop  0 = the peer of the connection
 */
export type ProxyTrust = (address: string, hop: number) => boolean;

/**
 * Parses `TRUST_PROXY`: a hop count, or addresses, ranges and names of ranges.
 * @returns null when no proxy is trusted
 */
export function readProxyTrust(text: string | undefined): ProxyTrust | null {
  if (text === undefined) return null;
  if (/^\d{1,3}$/.test(text)) return (_address, hop) => hop < Number(text);
  return proxyAddr.compile(text.split(/[\s,]+/).filter((part) => part !== ''));
}

/**
 * Client address of a request: the nearest untrusted hop, in canonical form. An unreadable value counts as the proxy that sent it.
 * `Forwarded` is read where there is no `X-Forwarded-For`.
 * @param peer  address of the connection; empty when it is gone
 */
export function clientAddressOf(
  trust: ProxyTrust | null,
  peer: string,
  headers: IncomingHttpHeaders,
): string {
  const nearest = addressOfPeer(peer);
  if (trust === null) return nearest;
  const list = String(headers['x-forwarded-for'] ?? '').trim();
  if (list !== '') return firstUntrustedHop(trust, nearest, list);
  const { forwarded } = headers;
  if (forwarded === undefined) return nearest;
  let address = nearest;
  const hops = readForwarded(forwarded);
  for (let hop = 0; hop < hops.length && trust(address, hop); hop += 1) {
    const told = addressOfNode(hops.at(-1 - hop)?.for ?? '');
    if (told === null) break;
    address = told;
  }
  return address;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Path of the host the gateway is seen under: empty, or as `/gateway`. */
    readonly basePath: string;
  }
}

/**
 * Makes `ip`, `host` and `protocol` of every request of the framework those of the client behind our proxies.
 * @param basePath  where the gateway is published; else a trusted proxy that removed the path may name it
 */
export function describeClients(fastify: FastifyInstance, trust: ProxyTrust | null, basePath = ''): void {
  fastify.decorateRequest('ip', {
    getter() {
      return clientAddressOf(trust, this.raw.socket?.remoteAddress ?? '', this.raw.headers);
    },
  });
  if (trust === null || basePath !== '') fastify.decorateRequest('basePath', { getter: () => basePath });
  if (trust === null) return;
  const isFromProxy = (peer: string | undefined): boolean => trust(addressOfPeer(peer ?? ''), 0);
  fastify.decorateRequest('host', {
    getter() {
      const { headers, socket } = this.raw;
      const own = headers.host ?? '';
      return isFromProxy(socket?.remoteAddress) ? (forwarded(headers, 'host') ?? own) : own;
    },
  });
  fastify.decorateRequest('protocol', {
    getter() {
      const { headers, socket } = this.raw;
      const told = isFromProxy(socket?.remoteAddress) ? forwarded(headers, 'proto') : undefined;
      return told?.toLowerCase() === 'https' ? 'https' : 'http';
    },
  });
  if (basePath !== '') return;
  fastify.decorateRequest('basePath', {
    getter() {
      const { headers, socket } = this.raw;
      return isFromProxy(socket?.remoteAddress) ? prefixIn(headers) : '';
    },
  });
}

/** Path prefix that proxies removed, outermost first. Empty for anything that is not a plain path. */
function prefixIn(headers: IncomingHttpHeaders): string {
  const list = String(headers['x-forwarded-prefix'] ?? '');
  const prefix = list.replace(/\/*\s*(?:,\s*|$)/g, '').trim();
  return /^(?:\/[\w~-][\w.~-]*)+$/.test(prefix) && prefix.length <= 128 ? prefix : '';
}

/** Host or protocol of the request as the nearest proxy received it. */
function forwarded(headers: IncomingHttpHeaders, what: 'host' | 'proto'): string | undefined {
  const list = headers[`x-forwarded-${what}`];
  const last = list === undefined ? undefined : String(list).split(',').at(-1)?.trim();
  if (last !== undefined && last !== '') return last;
  return headers.forwarded === undefined ? undefined : readForwarded(headers.forwarded).at(-1)?.[what];
}

/** From right to left, without making parts of what is not needed: this is paid by every call behind a proxy. */
function firstUntrustedHop(trust: ProxyTrust, peer: string, list: string): string {
  let address = peer;
  let end = list.length;
  for (let hop = 0; end > 0;) {
    const comma = list.lastIndexOf(',', end - 1);
    const part = list.slice(comma + 1, end).trim();
    end = comma;
    if (part === '') continue;
    if (!trust(address, hop)) return address;
    const told = addressOfNode(part);
    if (told === null) return address;
    address = told;
    hop += 1;
  }
  return address;
}

/** The socket writes IPv4 as a mapped address when it listens for both families. */
function addressOfPeer(peer: string): string {
  return peer.includes(':') ? (canonicalAddress(peer) ?? peer) : peer;
}

/** One proxy's description of the request it received (RFC 7239, section 4, read 2026-11-25). */
export interface ForwardedElement {
  readonly for?: string;
  readonly host?: string;
  readonly proto?: string;
}

/**
 * The elements of a `Forwarded` header, the nearest proxy's last.
 * @returns an empty list when any part is unreadable
 */
export function readForwarded(header: string): readonly ForwardedElement[] {
  const elements: ForwardedElement[] = [];
  let element: Record<string, string> | null = null;
  PAIR.lastIndex = 0;
  while (PAIR.lastIndex < header.length) {
    const match = PAIR.exec(header);
    if (match === null) return [];
    const [, name, token, quoted, mark] = match;
    if (name !== undefined) {
      element ??= {};
      const key = name.toLowerCase();
      // A member twice would mean two things to two readers.
      if (Object.hasOwn(element, key)) return [];
      element[key] = token ?? (quoted as string).replace(/\\(.)/g, '$1');
    }
    if (mark !== ';' && element !== null) {
      elements.push(element);
      element = null;
    }
  }
  if (element !== null) elements.push(element);
  return elements;
}

import { contained } from '../common/contain-faults.js';
import {
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { OwnHosts } from '../common/api/own-hosts.js';
import { isRelayPath } from './serve-console.js';
import { faultBody } from './framework-errors.js';
import { pathOf, normalisePath } from '../gateway/http/relay-paths.js';

/** Longest path with its query that is read. */
const MAX_ADDRESS_BYTES = 8 * 1024;

/** Absolute form of an address, as sent to proxies: it takes precedence over the Host header (RFC 9112 3.2.2). */
const ABSOLUTE = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)/i;

interface HeadFault {
  readonly status: 400 | 414 | 421;
  readonly message: string;
}

/** Returns a fault that Node's parser accepts and no handler should have to check; null = none. */
function headFault({
  url,
  rawHeaders,
  httpVersion,
}: Pick<IncomingMessage, 'url' | 'rawHeaders' | 'httpVersion'>): HeadFault | null {
  if ((url ?? '').length > MAX_ADDRESS_BYTES)
    return { status: 414, message: 'The address of the request is longer than 8 KB.' };
  // RFC 9112 6.1: such a message has faulty framing; a proxy in front may have read its body as another request.
  if (
    httpVersion !== '1.1' &&
    rawHeaders.some((name, index) => index % 2 === 0 && name.toLowerCase() === 'transfer-encoding')
  )
    return { status: 400, message: 'A request in HTTP/1.0 cannot have a Transfer-Encoding.' };
  // RFC 9112 3.2: a proxy in front may have used the other host.
  const hosts = rawHeaders.filter(
    (_text, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === 'host',
  );
  const called = ABSOLUTE.exec(url ?? '')?.[1];
  return hosts.length > 1 || (called !== undefined && called.toLowerCase() !== hosts[0]?.toLowerCase())
    ? { status: 400, message: 'The request names more than one host.' }
    : null;
}

const FOREIGN_HOST: HeadFault = {
  status: 421,
  message:
    'This gateway listens on loopback only and is not known by this name. Call it at localhost or 127.0.0.1, ' +
    'or set SERVER_ADDRESS to the address it is published under.',
};

/** Same as `headFault`, and checks that the host is one of ours. */
export const requestFault = (hosts: OwnHosts, request: IncomingMessage): HeadFault | null =>
  headFault(request) ??
  (hosts.answers(request.headers.host, request.socket.remoteAddress ?? '') ? null : FOREIGN_HOST);

/** Largest body each kind of address takes, bytes. */
export interface BodyLimits {
  readonly relay: number;
  readonly other: number;
}

/**
 * Runs before all request listeners: normalises addresses, refuses faulty heads, and sends no 100 Continue for a body that is too large.
 * The fast path does not pass here; its head reader accepts none of these requests (gateway/http/request-head.ts).
 */
export function guardHeads(server: Server, hosts: OwnHosts, limits: BodyLimits, basePath = ''): void {
  const takers = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  const receive = (request: IncomingMessage, response: ServerResponse): void => {
    const fault = requestFault(hosts, request);
    request.url = normalisePath(request.url ?? '', basePath);
    if (fault === null) {
      for (const take of takers) take.call(server, request, response);
      return;
    }
    const body = faultBody(request.url ?? '', fault.message);
    response.writeHead(fault.status, STATUS_CODES[fault.status], {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      'x-content-type-options': 'nosniff',
      connection: 'close',
    });
    response.end(body);
  };
  const decide = (request: IncomingMessage, response: ServerResponse): void => {
    const limit = isRelayPath(pathOf(normalisePath(request.url ?? '', basePath)))
      ? limits.relay
      : limits.other;
    const isRefused =
      Number(request.headers['content-length'] ?? 0) > limit || requestFault(hosts, request) !== null;
    if (!isRefused) response.writeContinue();
    server.emit('request', request, response);
  };
  const cut = ({ socket }: IncomingMessage): void => {
    socket.destroy();
  };
  server.on('request', contained(receive, cut));
  server.on('checkContinue', contained(decide, cut));
}

import { contained } from '../../common/contain-faults.js';
import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PROMETHEUS_TYPE } from './prometheus-text.js';
import { isLoopbackHost, OwnHosts } from '../../common/api/own-hosts.js';

export interface ScrapeSettings {
  readonly host: string;
  /** 0 = any free one. */
  readonly port: number;
  /** Bearer token a scraper must send; undefined = none. */
  readonly token: string | undefined;
  /** The text of a scrape. */
  readonly read: () => Promise<string>;
  readonly onFault: (error: unknown) => void;
}

export interface ScrapeServer {
  readonly port: number;
  close(): Promise<void>;
}

const NO_ADDRESSES: readonly string[] = [];

/** Answers `GET /metrics` on a port of its own. Fails: the listener's error when the port cannot be had. */
export async function openScrapeServer(settings: ScrapeSettings): Promise<ScrapeServer> {
  const hosts = new OwnHosts({
    isLoopback: isLoopbackHost(settings.host),
    trust: null,
    addresses: () => NO_ADDRESSES,
  });
  const receive = (request: IncomingMessage, response: ServerResponse): void => {
    if (hosts.answers(request.headers.host, '')) answer(settings, request, response);
    else response.writeHead(421).end();
  };
  const server = createServer(contained(receive, (_request, response) => response.destroy()));
  // A collector holds one connection; a client that holds more, or dawdles, is none.
  Object.assign(server, { maxConnections: 32, headersTimeout: 5_000, requestTimeout: 5_000 });
  server.listen({ port: settings.port, host: settings.host, exclusive: true });
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function answer(settings: ScrapeSettings, request: IncomingMessage, response: ServerResponse): void {
  const [path] = (request.url ?? '').split('?');
  if (request.method !== 'GET' || path !== '/metrics') {
    response.writeHead(404).end();
    return;
  }
  if (settings.token !== undefined && !hasToken(request.headers.authorization, settings.token)) {
    response.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
    return;
  }
  settings.read().then(
    (text) => response.writeHead(200, { 'content-type': PROMETHEUS_TYPE }).end(text),
    (error: unknown) => {
      settings.onFault(error);
      response.writeHead(500).end();
    },
  );
}

function hasToken(header: string | undefined, token: string): boolean {
  const [, given = ''] = /^Bearer +(\S+)$/i.exec(header ?? '') ?? [];
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(token));
}

import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Ids } from '../../relay-core/ports/ids.js';
import type { RelayRoute } from './call-runner.js';
import type { RelayEdge } from './relay-edge.js';

export interface FastLaneParts {
  readonly edge: RelayEdge;
  readonly ids: Ids;
  readonly routes: readonly RelayRoute[];
}

/**
 * Calls to the relay's fixed addresses go straight from Node's server to the edge; everything else, and everything odd, goes the
 * framework's way and reaches the same edge from there. Routing and hooks of the framework cost as much as a tenth of a call.
 * The framework must not be asked for the client's address behind proxies, so this is for servers that trust none.
 */
export function openFastLane(server: Server, { edge, ids, routes }: FastLaneParts): void {
  const lanes = new Map(routes.filter(({ path }) => !path.includes(':')).map((route) => [route.path, route]));
  const otherwise = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  server.on('request', (raw: IncomingMessage, response: ServerResponse) => {
    const url = raw.url ?? '';
    const route = raw.method === 'POST' ? lanes.get(withoutQuery(url)) : undefined;
    if (route === undefined) {
      for (const listener of otherwise) listener.call(server, raw, response);
      return;
    }
    const clientAddress = raw.socket.remoteAddress ?? '';
    const request = { callId: ids.callId(), url, pathModel: undefined, headers: raw.headers, clientAddress };
    edge.take(route, request, raw, response);
  });
}

function withoutQuery(url: string): string {
  const query = url.indexOf('?');
  return query === -1 ? url : url.slice(0, query);
}

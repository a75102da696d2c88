import { type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { contained } from '../../../common/contain-faults.js';

/** A connection that asked to become a WebSocket and waits for the answer. */
export interface PendingUpgrade {
  readonly socket: Socket;
  readonly head: Buffer;
  /** For answers that are no WebSocket. */
  readonly response: ServerResponse;
}

export const REALTIME_PATH = '/v1/realtime';

/**
 * True for upgrades that leave HTTP: only WebSockets for the realtime address. Clients that offer another protocol beside
 * (`Upgrade: h2c` comes with every call of some libraries) are served as plain HTTP.
 */
export function isRealtimeUpgrade(request: Pick<IncomingMessage, 'url' | 'headers'>): boolean {
  const path = (request.url ?? '').split('?', 1)[0];
  return path === REALTIME_PATH && request.headers.upgrade?.toLowerCase() === 'websocket';
}

/** Sends upgrade requests the framework's way, so that ids and addresses of clients come from where all of them do. */
export class Upgrades {
  private readonly pending = new WeakMap<IncomingMessage, PendingUpgrade>();

  constructor(
    server: Server,
    private readonly route: (request: IncomingMessage, response: ServerResponse) => void,
  ) {
    const take = (request: IncomingMessage, socket: Duplex, head: Buffer): void =>
      this.take(request, socket as Socket, head);
    server.on(
      'upgrade',
      contained(take, (_request, socket) => socket.destroy()),
    );
  }

  /** The connection behind a request; undefined = it is an ordinary one. */
  of(request: IncomingMessage): PendingUpgrade | undefined {
    return this.pending.get(request);
  }

  private take(request: IncomingMessage, socket: Socket, head: Buffer): void {
    // A client that resets the connection is one that left: 'close' follows.
    const cut = contained(() => socket.destroy());
    socket.on('error', cut);
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket);
    response.once(
      'finish',
      contained(() => socket.end(), cut),
    );
    this.pending.set(request, { socket, head, response });
    this.route(request, response);
  }
}

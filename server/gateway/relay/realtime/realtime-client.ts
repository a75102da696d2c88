import { contained } from '../../../common/contain-faults.js';
import type { IncomingMessage } from 'node:http';
import type { WebSocket, WebSocketServer } from 'ws';
import { WsRealtimeSocket } from '../../../infra/http-client/ws-realtime-socket.js';
import { openai } from '../../../relay-core/dialects/openai.js';
import type { RelayError } from '../../../relay-core/model/relay-error.js';
import type { RealtimeSocket } from '../../../relay-core/ports/realtime-socket.js';
import type { RealtimeClient } from '../../../relay-core/realtime/realtime-parties.js';
import { NodeReply } from '../../http/raw-reply.js';
import { writeRefusal } from '../../http/relay-replies.js';
import type { PendingUpgrade } from './upgrades.js';

const GONE_STATUS = 499;

/** The caller's handshake, until it is refused or becomes a session. */
export class UpgradingClient implements RealtimeClient {
  private readonly goneListeners = new Set<() => void>();
  private isDecided = false;
  isGone = false;

  constructor(
    private readonly server: WebSocketServer,
    private readonly request: IncomingMessage,
    private readonly upgrade: PendingUpgrade,
    private readonly callId: string,
  ) {
    upgrade.socket.once(
      'close',
      contained(() => this.leave()),
    );
  }

  onGone(listener: () => void): void {
    if (this.isGone) listener();
    else this.goneListeners.add(listener);
  }

  refuse(error: RelayError): number {
    if (this.isDecided || this.isGone) return GONE_STATUS;
    this.isDecided = true;
    const reply = openai.writeError(error, this.callId);
    writeRefusal(new NodeReply(this.upgrade.response), reply, this.callId, { connection: 'close' });
    return reply.status;
  }

  /** Ends a handshake that is still waiting for its upstream. */
  failHandshake(error: RelayError): void {
    this.refuse(error);
    this.leave();
  }

  accept(): Promise<RealtimeSocket | undefined> {
    if (this.isDecided || this.isGone) return Promise.resolve(undefined);
    this.isDecided = true;
    const { socket, head, response } = this.upgrade;
    response.detachSocket(socket);
    return new Promise((resolve) => {
      // A handshake `ws` refuses by itself closes the connection.
      const end = contained(() => resolve(undefined));
      socket.once('close', end);
      const begin = (webSocket: WebSocket): void => resolve(new WsRealtimeSocket(webSocket));
      this.server.handleUpgrade(
        this.request,
        socket,
        head,
        contained(begin, () => socket.destroy()),
      );
    });
  }

  private leave(): void {
    this.isGone = true;
    for (const listener of this.goneListeners) listener();
    this.goneListeners.clear();
  }
}

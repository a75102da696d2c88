import { contained } from '../common/contain-faults.js';
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { lingeringClose } from '../infra/sockets/lingering-close.js';

/**
 * Node closes a connection as soon as the last answer on it is out, whether or not the request has been read. See `lingeringClose`: refusals of
 * large bodies arrive with this.
 */
export function finishRefusals(server: Server): void {
  const latest = new WeakMap<Socket, IncomingMessage>();
  const note = (request: IncomingMessage): void => {
    const { socket } = request;
    if (!latest.has(socket)) {
      const close = socket.destroySoon.bind(socket);
      socket.destroySoon = () => {
        const unread = latest.get(socket);
        if (unread === undefined || unread.complete || socket.destroyed) return close();
        socket.destroySoon = close;
        unread.once('close', contained(lingeringClose(socket))).resume();
      };
    }
    latest.set(socket, request);
  };
  server.prependListener('request', contained(note));
}

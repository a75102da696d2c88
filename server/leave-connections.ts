import { channel } from 'node:diagnostics_channel';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as SocketServer } from 'node:net';
import { CLOSING_EVENT } from './modules/relay/fast-lane.js';

/** Connections that fell idle without an answer of ours ending on them (a client that connected and says nothing). */
const SWEEP_EVERY_MS = 1_000;

/** Node tells of every answer that is complete, to whoever listens. */
const FINISHED = channel('http.server.response.finish');

/** From now on each answer says `Connection: close`: clients on old connections move to another instance by themselves (2.11). */
export function closeAfterAnswers(server: Server): void {
  server.emit(CLOSING_EVENT);
  server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
    response.shouldKeepAlive = false;
  });
}

/** The listener is closed; what is left of its connections. */
export interface LeavingConnections {
  /** From now on idle connections are closed too, again and again. */
  closeIdle(): void;
  /** Resolves when the last connection is closed. */
  readonly over: Promise<void>;
}

/**
 * Takes no new connections, and closes each old one as soon as an answer on it is out: also those whose answer began before anybody
 * knew that we leave. Idle ones stay open for now: a request may be on its way on them, and one that meets a closed connection is
 * lost, since nobody may send a paid call twice.
 */
export function leaveConnections(server: Server): LeavingConnections {
  const onFinished = (message: unknown): void => {
    const { server: of, socket } = message as {
      readonly server?: Server;
      readonly socket?: { destroySoon?: () => void };
    };
    // After what is still to be written.
    if (of === server) setImmediate(() => socket?.destroySoon?.());
  };
  FINISHED.subscribe(onFinished);
  let sweep: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => {
    const done = (): void => {
      FINISHED.unsubscribe(onFinished);
      clearInterval(sweep);
      resolve();
    };
    // Right after connections were taken in: those that the system took and we did not are lost. The server's own `close` would
    // close idle connections with it. Ends with an error when it was not listening, and has no connections.
    setImmediate(() => SocketServer.prototype.close.call(server, done));
  });
  const closeIdle = (): void => {
    server.closeIdleConnections();
    sweep ??= setInterval(() => server.closeIdleConnections(), SWEEP_EVERY_MS).unref();
  };
  return { closeIdle, over };
}

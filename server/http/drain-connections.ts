import { contained } from '../common/contain-faults.js';
import { channel } from 'node:diagnostics_channel';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as SocketServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { CLOSING_EVENT } from '../gateway/relay/fast-path/fast-path.js';
import { whenNothingWaits } from './waiting-connections.js';

/** Connections that fell idle without an answer of ours ending on them (a client that connected and sends nothing). */
const SWEEP_EVERY_MS = 1_000;

/** Diagnostics channel on which Node publishes every completed answer. */
const FINISHED = channel('http.server.response.finish');

/** Switch that makes each answer the last one of its connection. */
export interface LastAnswers {
  begin(): void;
  end(): void;
}

/** Answers with `Connection: close`: clients on old connections move to another instance by themselves. */
export function lastAnswers(server: Server): LastAnswers {
  let isOn = false;
  const mark = (_request: IncomingMessage, response: ServerResponse): void => {
    if (isOn) response.shouldKeepAlive = false;
  };
  server.prependListener('request', contained(mark));
  const turn = (on: boolean): void => {
    isOn = on;
    server.emit(CLOSING_EVENT, on);
  };
  return { begin: () => turn(true), end: () => turn(false) };
}

/** Connections that end one by one. */
export interface DrainingConnections {
  /** Closes the listener. */
  refuseNew(): void;
  /**
   * Resolves when no answer has ended for this long. An answer that began before the drain is not marked as the last, so the
   * balancer keeps its connection and may send the next call on it.
   */
  waitUntilQuiet(quietMs: number): Promise<void>;
  /** From now on connections are closed when they are idle, and as soon as an answer on them is out. */
  closeIdle(): void;
  /** Resolves when the listener and the last connection are closed. */
  readonly over: Promise<void>;
}

/**
 * Lets go of a server's connections. Idle ones stay open for now: a request may be on its way on them, and one that meets a closed
 * connection is lost, since a paid call must not be sent twice.
 */
export function drainConnections(server: Server): DrainingConnections {
  let lastAnswerMs = 0;
  let isRefusing = false;
  let sweep: NodeJS.Timeout | undefined;
  const onFinished = contained((message: unknown): void => {
    const { server: of, socket } = message as {
      readonly server?: Server;
      readonly socket?: { destroySoon?: () => void };
    };
    if (of !== server) return;
    lastAnswerMs = performance.now();
    // After what is still to be written.
    if (sweep !== undefined) setImmediate(contained(() => socket?.destroySoon?.()));
  });
  FINISHED.subscribe(onFinished);
  const { promise: over, resolve } = Promise.withResolvers<void>();
  const done = (): void => {
    FINISHED.unsubscribe(onFinished);
    clearInterval(sweep);
    resolve();
  };
  const refuseNew = (): void => {
    if (isRefusing) return;
    isRefusing = true;
    // The server's own `close` would close idle connections with it. Ends with an error when it was not listening, and has no
    // connections.
    void whenNothingWaits((listener) => server.prependListener('connection', contained(listener))).then(() =>
      SocketServer.prototype.close.call(server, done),
    );
  };
  const waitUntilQuiet = async (quietMs: number): Promise<void> => {
    for (let leftMs = 1; leftMs > 0; leftMs = lastAnswerMs + quietMs - performance.now()) await pause(leftMs);
  };
  const closeIdle = (): void => {
    server.closeIdleConnections();
    sweep ??= setInterval(() => server.closeIdleConnections(), SWEEP_EVERY_MS).unref();
  };
  return { refuseNew, waitUntilQuiet, closeIdle, over };
}

import { getOrAdd } from '../../common/get-or-add.js';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { containFaults, contained } from '../../common/contain-faults.js';

/**
 * Bytes that change nothing for a client before the answer to it has begun; a client of HTTP/1.1 reads any number of such replies even
 * if it did not ask for one (RFC 9110, 15.2).
 */
export const INTERIM_REPLY = 'HTTP/1.1 100 Continue\r\n\r\n';

/** A reply that is given to a client which sends no more. */
export interface ProbedReply {
  /** Writes what changes nothing at the place the reply has come to. @returns false when nothing does: in the middle of a file */
  probe(): boolean;
}

const PROBE_EVERY_MS = 1_000;
const FIRST_LOOK_MS = 10;

/**
 * Watches a connection whose peer sends no more while it is still to be answered. A peer that has closed its sending half looks
 * like one that has left (RFC 9293, 3.6), except that a peer that has left answers the next bytes with a reset. So bytes are
 * written at once and each second. The socket is no longer read, so that a reset is not reported by itself either: an empty write
 * detects it and puts nothing on the wire. The socket is destroyed then. Where nothing can be written when the peer ends, it counts
 * as gone.
 * @param probe  the probe of a reply
 * @returns ends the watch
 */
export function watchHalfClosed(socket: Socket, probe: () => boolean): () => void {
  let timer: NodeJS.Timeout | undefined;
  let waitMs = FIRST_LOOK_MS;
  let sinceProbeMs = 0;
  const look = (): void => {
    // Bytes that still wait to be written are a probe themselves.
    if (!socket.writable || socket.writableLength > 0) return;
    if (sinceProbeMs >= PROBE_EVERY_MS) {
      sinceProbeMs = 0;
      probe();
    }
    if (socket.writable) socket.write('');
  };
  const next = (): void => {
    timer = setTimeout(onTime, waitMs).unref();
  };
  const onTime = contained((): void => {
    sinceProbeMs += waitMs;
    waitMs = Math.min(waitMs * 2, PROBE_EVERY_MS);
    look();
    if (!socket.destroyed) next();
  }, cut);
  function cut(): void {
    socket.destroy();
  }
  const stop = (): void => clearTimeout(timer);
  socket.once('close', contained(stop));
  containFaults(() => {
    if (probe()) next();
    else socket.end();
  }, cut);
  return stop;
}

const waiting = new WeakMap<Socket, Set<ProbedReply>>();

/**
 * Replies of Node's server registered by `answerHalfClosed` are sent to the end although their client sends no more; every other
 * connection ends when its client stops sending, as without this function.
 */
export function allowHalfClosed(server: Server): void {
  // Node has no option for it, only this name in `lib/_http_server.js`.
  Object.assign(server, { httpAllowHalfOpen: true });
  const take = (socket: Socket): void => {
    const onEnd = (): void => {
      // Node's server ran first: it has ended a connection without a pending answer.
      if (!socket.writable) return;
      const replies = waiting.get(socket);
      if (replies === undefined || replies.size === 0) socket.end();
      else
        watchHalfClosed(socket, () => [...replies].map((reply) => reply.probe()).every((isAsked) => isAsked));
    };
    socket.once(
      'end',
      contained(onEnd, () => socket.destroy()),
    );
  };
  server.on(
    'connection',
    contained(take, (socket) => socket.destroy()),
  );
}

/** @returns to be called when the reply is over */
export function answerHalfClosed(socket: Socket, reply: ProbedReply): () => void {
  const replies = getOrAdd(waiting, socket, () => new Set());
  replies.add(reply);
  return () => replies.delete(reply);
}

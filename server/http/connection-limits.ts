import { contained } from '../common/contain-faults.js';
import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

const NOTHING = (): void => undefined;

/** Files a worker has open besides: the spool, stores, the log, the program itself. */
const OTHER_FILES = 128;
const FEWEST = 16;

/** Refused connections that are sent an answer at the same time; more are closed without one. */
const MAX_LISTED = 100;
/** Deadline for sending that answer, then the connection is cut. */
const REPORT_WITHIN_MS = 1_000;

const BODY = JSON.stringify({
  error: {
    message: 'This gateway has as many connections as it can hold. Please try again.',
    type: 'server_error',
    param: null,
    code: 'unavailable',
  },
});
const REFUSAL = [
  'HTTP/1.1 503 Service Unavailable',
  'Content-Type: application/json; charset=utf-8',
  `Content-Length: ${Buffer.byteLength(BODY)}`,
  'Retry-After: 1',
  'Connection: close',
  '',
  BODY,
].join('\r\n');

/**
 * Maximum of open files of this process; Node has raised the soft limit by now.
 * @returns undefined where the system does not publish it
 */
export function openFileLimit(): number | undefined {
  try {
    const [, soft] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1')) ?? [];
    return soft === undefined ? undefined : Number(soft);
  } catch {
    // Not Linux.
    return undefined;
  }
}

/** Every client's call takes a connection to an upstream as well: without room for both, calls fail half-way. */
export function connectionsFor(wanted: number, openFiles: number | undefined): number {
  if (openFiles === undefined) return wanted;
  return Math.min(wanted, Math.max(FEWEST, Math.floor((openFiles - OTHER_FILES) / 2)));
}

/**
 * Accepts this many connections at once. A further one gets 503 before a byte of it is read: its request is unknown, so the answer
 * has the shape most clients understand.
 * @param onRefused  called for every refused connection
 */
export function boundConnections(server: Server, most: number, onRefused: () => void): void {
  const takers = server.listeners('connection') as ((socket: Socket) => void)[];
  server.removeAllListeners('connection');
  let taken = 0;
  let told = 0;
  const refuse = (socket: Socket): void => {
    onRefused();
    socket.on('error', contained(NOTHING));
    if (told >= MAX_LISTED) {
      socket.destroy();
      return;
    }
    told += 1;
    const timer = setTimeout(() => socket.destroy(), REPORT_WITHIN_MS);
    const forget = (): void => {
      told -= 1;
      clearTimeout(timer);
    };
    socket.once('close', contained(forget));
    // Read and dropped: closing on unread bytes would take the answer back.
    socket.resume();
    socket.once(
      'end',
      contained(() => socket.destroy()),
    );
    socket.end(REFUSAL);
  };
  const leave = (): void => {
    taken -= 1;
  };
  const take = (socket: Socket): void => {
    if (taken >= most) return refuse(socket);
    taken += 1;
    socket.once('close', contained(leave));
    for (const taker of takers) taker.call(server, socket);
  };
  server.on(
    'connection',
    contained(take, (socket) => socket.destroy()),
  );
}

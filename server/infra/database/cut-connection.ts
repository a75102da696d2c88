interface Cuttable {
  destroy(): void;
}

/**
 * Cuts the socket under a driver's connection (mysql2: `stream`, pg: `connection.stream`). Asked to close a connection by itself,
 * mysql2 forgets what was waiting for an answer; of a socket that breaks both drivers tell everybody.
 * Fails: throws when the connection is of neither driver.
 */
export function cutConnection(connection: unknown): void {
  const socket = memberOf(connection, 'stream') ?? memberOf(memberOf(connection, 'connection'), 'stream');
  if (!isCuttable(socket)) throw new TypeError('a database connection without a socket');
  socket.destroy();
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

const isCuttable = (value: unknown): value is Cuttable =>
  typeof value === 'object' && value !== null && 'destroy' in value && typeof value.destroy === 'function';

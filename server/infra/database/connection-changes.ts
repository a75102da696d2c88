import { contained } from '../../common/contain-faults.js';
import type { DataSource } from 'typeorm';

/** Callbacks for the connections of a data source. They must not throw. */
export interface ConnectionListener {
  /** A connection is used for the first time. */
  onOpened(): void;
  /** A connection was closed, by whichever side. */
  onLost(): void;
}

const changes = new WeakMap<DataSource, ConnectionChanges>();

/** The connections of a data source; undefined = they never change (SQLite). */
export const connectionChangesOf = (dataSource: DataSource): ConnectionChanges | undefined =>
  changes.get(dataSource);

/** Notices new and closed connections of a pool: behind a new one may be another state of the database. */
export class ConnectionChanges {
  private readonly seen = new WeakSet<object>();
  private listener: ConnectionListener | undefined;

  constructor(dataSource: DataSource) {
    changes.set(dataSource, this);
  }

  listen(listener: ConnectionListener): void {
    this.listener = listener;
  }

  /** Notes a connection that the pool hands out. @param connection  the driver's */
  note(connection: unknown): void {
    if (typeof connection !== 'object' || connection === null || this.seen.has(connection)) return;
    this.seen.add(connection);
    const socket = socketOf(connection);
    if (canEnd(socket))
      socket.once(
        'close',
        contained(() => this.listener?.onLost()),
      );
    this.listener?.onOpened();
  }
}

/** The socket under a driver's connection (mysql2: `stream`, pg: `connection.stream`). */
export const socketOf = (connection: unknown): unknown =>
  memberOf(connection, 'stream') ?? memberOf(memberOf(connection, 'connection'), 'stream');

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

const canEnd = (value: unknown): value is { once(event: 'close', listener: () => void): void } =>
  typeof value === 'object' && value !== null && 'once' in value && typeof value.once === 'function';

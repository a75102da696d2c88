import { EventEmitter } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { ConnectionChanges, connectionChangesOf } from './connection-changes.js';

function listening() {
  const dataSource = {} as DataSource;
  const changes = new ConnectionChanges(dataSource);
  const heard: string[] = [];
  changes.listen({ onOpened: () => heard.push('opened'), onLost: () => heard.push('lost') });
  return { dataSource, changes, heard };
}

describe('ConnectionChanges', () => {
  it.each([
    ['mysql2', (stream: EventEmitter) => ({ stream })],
    ['pg', (stream: EventEmitter) => ({ connection: { stream } })],
  ])('notifies of a connection of %s once when it is new, and when its socket closes', (_, connectionOf) => {
    const { changes, heard } = listening();
    const socket = new EventEmitter();
    const connection = connectionOf(socket);
    changes.note(connection);
    changes.note(connection);
    expect(heard).toEqual(['opened']);
    socket.emit('close');
    changes.note(connectionOf(new EventEmitter()));
    expect(heard).toEqual(['opened', 'lost', 'opened']);
  });

  it('ignores objects that are no connection, and is found by its data source', () => {
    const { dataSource, changes, heard } = listening();
    for (const nothing of [undefined, null, 1]) changes.note(nothing);
    expect(heard).toEqual([]);
    expect(connectionChangesOf(dataSource)).toBe(changes);
    expect(connectionChangesOf({} as DataSource)).toBeUndefined();
  });

  it('needs no listener', () => {
    const changes = new ConnectionChanges({} as DataSource);
    const socket = new EventEmitter();
    changes.note({ stream: socket });
    expect(socket.emit('close')).toBe(true);
  });
});

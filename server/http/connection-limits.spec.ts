import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { until } from '../../test/support/until.js';
import { boundConnections, connectionsFor } from './connection-limits.js';

describe('a server that takes two connections', () => {
  let server: Server;
  let refused: number;
  const sockets: Socket[] = [];

  beforeEach(async () => {
    refused = 0;
    server = createServer((_request, response) => response.end('served'));
    boundConnections(server, 2, () => (refused += 1));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  });

  function open(text = ''): { socket: Socket; heard: () => string; isClosed: () => boolean } {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    sockets.push(socket);
    let heard = '';
    let isClosed = false;
    socket.on('data', (piece: Buffer) => (heard += piece.toString()));
    socket.on('error', () => undefined).on('close', () => (isClosed = true));
    if (text !== '') socket.write(text);
    return { socket, heard: () => heard, isClosed: () => isClosed };
  }
  const REQUEST = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

  it('answers 503 to the third connection and accepts it after another one closes', async () => {
    const [first, second] = [open(REQUEST), open(REQUEST)];
    await until(() => [first, second].every(({ heard }) => heard().includes('served')));
    const third = open(REQUEST);
    await until(() => third.isClosed());
    expect(third.heard()).toMatch(/^HTTP\/1\.1 503 .*\r\nRetry-After: 1\r\nConnection: close\r\n/s);
    const [, body = ''] = third.heard().split('\r\n\r\n');
    expect(JSON.parse(body)).toMatchObject({ error: { code: 'unavailable' } });
    expect(refused).toBe(1);

    first.socket.write(REQUEST);
    await until(() => first.heard().split('served').length === 3);
    second.socket.destroy();
    await until(() => {
      const next = open(REQUEST);
      return new Promise<boolean>((resolve) => {
        next.socket.once('close', () => resolve(false));
        next.socket.once('data', (piece: Buffer) => resolve(piece.toString().includes('200 OK')));
      });
    });
  });

  it('does not wait for refused connections', async () => {
    const taken = [open(REQUEST), open(REQUEST)];
    await until(() => taken.every(({ heard }) => heard().includes('served')));
    const silent = Array.from({ length: 150 }, () => open());
    await until(() => silent.every(({ isClosed }) => isClosed()));
    expect(refused).toBe(150);
    expect(silent.filter(({ heard }) => heard() !== '').length).toBeGreaterThan(0);
  });
});

describe('how many connections there may be', () => {
  it.each([
    [10_000, undefined, 10_000],
    [10_000, 1_048_576, 10_000],
    [10_000, 1_024, 448],
    [10_000, 256, 64],
    [10_000, 64, 16],
    [50, 1_024, 50],
  ])('%s are wanted and %s files may be open: %s', (wanted, files, most) => {
    expect(connectionsFor(wanted, files)).toBe(most);
  });
});

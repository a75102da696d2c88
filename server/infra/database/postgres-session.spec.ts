import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { openPostgresPool } from './postgres-connections.js';

const message = (kind: string, body: Buffer): Buffer => {
  const head = Buffer.alloc(5);
  head.write(kind);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
};
const WELCOME = Buffer.concat([
  message('R', Buffer.alloc(4)),
  message('K', Buffer.alloc(8)),
  message('Z', Buffer.from('I')),
]);

describe('PostgresSession', () => {
  let server: Server | undefined;
  afterEach(() => {
    server?.close();
  });

  it('refuses a connection that breaks while its session is set up, and the process lives on', async () => {
    server = createServer((socket: Socket) => {
      let messages = 0;
      socket.on('error', () => socket.destroy());
      socket.on('data', () => {
        messages += 1;
        if (messages === 1) socket.write(WELCOME);
        else socket.destroy();
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const pool = openPostgresPool(
      {
        dialect: 'postgres',
        type: 'postgres',
        host: '127.0.0.1',
        port,
        username: 'u',
        password: 'p',
        database: 'd',
        sslMode: 'disable',
      },
      1,
      () => undefined,
    );
    await expect(pool.connect()).rejects.toThrow('Connection terminated unexpectedly');
    await pool.end();
    expect(pool.totalCount).toBe(0);
  });
});

import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { parseDatabaseUrl, type ServerAddress } from './database-url.js';
import { negotiateTls } from './negotiate-tls.js';

let server: Server | undefined;
afterEach(() => {
  server?.close();
});

/** A server that says something when it is connected to, or asked. */
async function answering(scheme: string, greeting: Buffer, answer: string): Promise<ServerAddress> {
  server = createServer((socket) => {
    socket.on('error', () => socket.destroy()).on('data', () => socket.write(answer));
    // In pieces, as networks may.
    for (const byte of greeting) socket.write(Buffer.from([byte]));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return parseDatabaseUrl(`${scheme}://u:p@127.0.0.1:${port}/db?sslmode=prefer`) as ServerAddress;
}

/** The greeting of a server of MySQL's family. */
const greeting = (capabilities: number): Buffer =>
  Buffer.concat([
    Buffer.from([74, 0, 0, 0, 10]),
    Buffer.from('11.4.2-MariaDB\0'),
    Buffer.from([1, 0, 0, 0, ...Buffer.from('saltsalt'), 0, capabilities & 0xff, capabilities >> 8, 0, 0]),
  ]);

describe('sslmode=prefer', () => {
  it.each([
    ['postgres', 'S', 'require'],
    ['postgres', 'N', 'disable'],
  ])('takes what PostgreSQL offers: %s %s', async (scheme, answer, mode) => {
    const address = await answering(scheme, Buffer.alloc(0), answer);
    expect((await negotiateTls(address)).sslMode).toBe(mode);
  });

  it.each([
    ['mysql', 0xf7_ff, 'disable'],
    ['mysql', 0xff_ff, 'require'],
    ['mariadb', 0x08_00, 'require'],
    ['mariadb', 0x00_00, 'disable'],
  ])('takes what %s offers with the capabilities %i', async (scheme, capabilities, mode) => {
    expect((await negotiateTls(await answering(scheme, greeting(capabilities), ''))).sslMode).toBe(mode);
  });

  it('continues without TLS when the server does not answer, and sends no request in the other modes', async () => {
    const address = await answering('postgres', Buffer.alloc(0), 'N');
    server?.close();
    expect((await negotiateTls({ ...address, port: 1 })).sslMode).toBe('disable');
    for (const sslMode of ['disable', 'require', 'verify-ca', 'verify-full'] as const)
      expect(await negotiateTls({ ...address, port: 1, sslMode })).toEqual({ ...address, port: 1, sslMode });
  });
});

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { OwnHosts } from '../common/api/own-hosts.js';
import { guardHeads } from './request-head-guard.js';
import { readRequestHead } from '../gateway/http/request-head.js';

describe('heads', () => {
  let server: Server;
  let served: number;

  beforeEach(async () => {
    served = 0;
    server = createServer((request, response) => {
      served += 1;
      const isTooLarge = Number(request.headers['content-length'] ?? 0) > 100;
      response.writeHead(isTooLarge ? 413 : 200, { connection: 'close' }).end();
    });
    const hosts = new OwnHosts({ isLoopback: false, trust: null, addresses: () => [] });
    guardHeads(server, hosts, { relay: 100, other: 10 });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(async () => {
    server.close();
    await once(server, 'close');
  });

  async function raw(start: string, ...fields: readonly string[]): Promise<string> {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    let heard = '';
    socket.on('data', (piece: Buffer) => (heard += piece.toString()));
    const version = fields.includes('version: 1.0') ? '1.0' : '1.1';
    socket.write([`${start} HTTP/${version}`, 'Host: x', ...fields, '', ''].join('\r\n'));
    await once(socket, 'close');
    return heard;
  }

  it.each([
    ['/v1/chat/completions', { error: { type: 'invalid_request_error', code: 'invalid_request' } }],
    ['/login', { success: false, code: 'address_unreadable' }],
  ])('refuses an address of more than 8 KB below %s [HTTP-02]', async (path, shape) => {
    const tail = 'x'.repeat(8_192 - path.length - 2);
    expect(await raw(`GET ${path}?${tail}y`, 'Connection: close')).toMatch(/^HTTP\/1\.1 200 /);
    expect(served).toBe(1);
    const reply = await raw(`GET ${path}?${tail}yz`);
    expect(reply).toMatch(/^HTTP\/1\.1 414 /);
    expect(JSON.parse(reply.split('\r\n\r\n')[1] ?? '')).toMatchObject(shape);
    expect(served).toBe(1);
  });

  it.each(['chunked', 'gzip, chunked', 'identity'])(
    'refuses HTTP/1.0 with a Transfer-Encoding of %s',
    async (encoding) => {
      const reply = await raw('POST /', `Transfer-Encoding: ${encoding}`, 'version: 1.0');
      expect(reply).toMatch(/^HTTP\/1\.1 400 /);
      expect(served).toBe(0);
    },
  );

  it('refuses two hosts', async () => {
    expect(await raw('GET /', 'host: y')).toMatch(/^HTTP\/1\.1 400 [^]*\r\nconnection: close\r\n/i);
    expect(served).toBe(0);
  });

  it.each([
    'http://y/',
    'HTTP://y/v1/models',
    'http://y',
    'http://x@y/',
    'http://x:1/',
    'ws://y/v1/realtime',
  ])('refuses an address of another host than the header names: %s', async (address) => {
    expect(await raw(`GET ${address}`)).toMatch(/^HTTP\/1\.1 400 /);
    expect(served).toBe(0);
  });

  it('serves an address of the host that the header names', async () => {
    expect(await raw('GET http://X/login', 'Connection: close')).toMatch(/^HTTP\/1\.1 200 /);
    expect(await raw('GET /login?to=http://y/', 'Connection: close')).toMatch(/^HTTP\/1\.1 200 /);
    expect(served).toBe(2);
  });

  it.each([
    ['/v1/x', 101, /^HTTP\/1\.1 413 /],
    ['/v1/x', 100, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /],
    ['/api/x', 11, /^HTTP\/1\.1 200 /],
  ])(
    'sends 100 Continue to a client with a body for %s of %s bytes only when it is accepted',
    async (path, length, pattern) => {
      expect(await raw(`POST ${path}`, 'Expect: 100-continue', `Content-Length: ${length}`)).toMatch(pattern);
    },
  );

  it('like these are left to Node’s server by the fast path', () => {
    const head = (path: string, ...fields: readonly string[]): Buffer =>
      Buffer.from([`POST ${path} HTTP/1.1`, 'Host: x', 'Content-Length: 0', ...fields, '', ''].join('\r\n'));
    expect(readRequestHead(head(`/${'x'.repeat(8_191)}`))).not.toBeNull();
    expect(readRequestHead(head(`/${'x'.repeat(8_192)}`))).toBeNull();
    expect(readRequestHead(head('/x', 'Host: y'))).toBeNull();
    expect(readRequestHead(head('/x', 'Expect: 100-continue'))).toBeNull();
  });
});

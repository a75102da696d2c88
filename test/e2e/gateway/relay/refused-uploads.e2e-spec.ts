import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Balancer } from '../../../chaos/rig/balancer.js';
import { GatewayConsole } from '../../../support/gateway-console.js';
import { GatewayProcess } from '../../../support/gateway-process.js';
import { installMissing } from '../../../support/programs.js';

const MEBIBYTE = 1024 * 1024;
const PIECE = Buffer.alloc(256 * 1024, 'x');
const WRONG_KEY = `authorization: Bearer sk-${'a'.repeat(48)}`;

let gateway: GatewayProcess;
let key: string;

beforeAll(async () => {
  gateway = await GatewayProcess.start();
  const admin = new GatewayConsole(gateway.url);
  await admin.setUp();
  ({ key } = await admin.addToken());
});
afterAll(() => gateway.stop());

interface Upload {
  readonly path: string;
  readonly field: string;
  readonly bytes: number;
  readonly isChunked: boolean;
}

/** Sends all of a large request, whatever is answered meanwhile. Fails: when the connection breaks. */
async function upload({ path, field, bytes, isChunked }: Upload): Promise<string> {
  const { hostname, port } = new URL(gateway.url);
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
  const heard: Buffer[] = [];
  const over = once(socket, 'end');
  socket.on('data', (part: Buffer) => heard.push(part));
  const length = isChunked ? 'transfer-encoding: chunked' : `content-length: ${bytes}`;
  const head = [`POST ${path} HTTP/1.1`, 'host: localhost', 'content-type: application/json', field, length];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  for (let sent = 0; sent < bytes; sent += PIECE.length) {
    if (isChunked) socket.write(`${PIECE.length.toString(16)}\r\n`);
    const hasRoom = socket.write(PIECE);
    if (isChunked) socket.write('\r\n');
    if (!hasRoom) await once(socket, 'drain');
  }
  if (isChunked) socket.write('0\r\n\r\n');
  await over;
  const isClosed = once(socket, 'close');
  socket.end();
  await isClosed;
  return Buffer.concat(heard).toString();
}

describe('a refused client may finish what it sends [F-49]', () => {
  it.each([
    ['plain, with a wrong key', '/v1/chat/completions', WRONG_KEY, false, 401],
    ['in chunks, with a wrong key', '/v1/chat/completions', WRONG_KEY, true, 401],
    ['in another dialect, with a wrong key', '/v1/messages', WRONG_KEY, false, 401],
    ['to the console', '/api/user/login', 'x-nothing: 1', false, 413],
    ['with two hosts', '/api/user/login', 'host: y', false, 400],
    ['to nowhere', '/v1/unknown', 'connection: close', false, 404],
  ])('%s', async (_, path, field, isChunked, status) => {
    const heard = await upload({ path, field, bytes: 20 * MEBIBYTE, isChunked });
    expect(heard).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(heard.toLowerCase()).toContain('\r\nconnection: close\r\n');
  });

  it.each([false, true])('larger than a body may be (chunks: %s)', async (isChunked) => {
    const field = `authorization: Bearer ${key}`;
    const heard = await upload({ path: '/v1/chat/completions', field, bytes: 40 * MEBIBYTE, isChunked });
    expect(heard).toMatch(/^HTTP\/1.1 413 /);
  });

  it('cuts what never ends', async () => {
    const field = `authorization: Bearer ${key}`;
    // It is looked at once a second.
    const bytes = 10_000 * MEBIBYTE;
    await expect(upload({ path: '/v1/chat/completions', field, bytes, isChunked: false })).rejects.toThrow(
      /ECONNRESET|EPIPE/,
    );
  });
});

describe('behind the balancer of docker/nginx.conf', () => {
  let folder: string;
  let balancer: Balancer;
  beforeAll(async () => {
    installMissing(['nginx'], () => undefined);
    folder = mkdtempSync(join(tmpdir(), 'tollgate-uploads-'));
    const port = Number(new URL(gateway.url).port);
    balancer = await Balancer.start(folder, [port, port]);
  });
  afterAll(async () => {
    await balancer.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('takes no instance out of the balancer for refused uploads: all other calls are served', async () => {
    const body = JSON.stringify({ model: 'x', padding: 'x'.repeat(8 * MEBIBYTE) });
    const headers = { 'content-type': 'application/json', authorization: 'Bearer sk-nope' };
    const statuses = new Set<number>();
    const others = new Set<number>();
    for (let turn = 0; turn < 15; turn += 1) {
      const [refused, other] = await Promise.all([
        fetch(`${balancer.url}/v1/chat/completions`, { method: 'POST', headers, body }),
        fetch(`${balancer.url}/api/status`),
      ]);
      statuses.add(refused.status);
      others.add(other.status);
      await Promise.all([refused.text(), other.text()]);
    }
    expect([...others]).toEqual([200]);
    expect([...statuses]).toEqual([401]);
    expect(balancer.complaints).not.toContain('temporarily disabled');
  });
});

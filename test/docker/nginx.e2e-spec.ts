import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { type IncomingMessage, type Server, createServer, request, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, createServer as createSocketServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { getProgram, installMissing } from '../support/programs.js';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

const cleanups: (() => Promise<void>)[] = [];

async function instance(handler: Handler): Promise<number> {
  const server: Server = createServer(handler);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return (server.address() as AddressInfo).port;
}

/** A port that refuses connections. */
async function closedPort(): Promise<number> {
  const server = createSocketServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });

async function untilListening(port: number, child: ChildProcess, said: () => string): Promise<void> {
  while (!(await accepts(port))) {
    if (child.exitCode !== null) throw new Error(`nginx ended: ${said()}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** The committed configuration, with this machine's ports and a folder of its own. */
async function startNginx(first: number, second: number): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-nginx-'));
  const port = await closedPort();
  const committed = await readFile(join(import.meta.dirname, '../../docker/nginx.conf'), 'utf8');
  const adapted = committed
    .replace('server server:3000', `server 127.0.0.1:${first}`)
    .replace('server server-2:3000', `server 127.0.0.1:${second}`)
    .replace('listen 8080', `listen 127.0.0.1:${port}`)
    .replace('worker_processes auto', 'worker_processes 1')
    .replaceAll('/tmp/', `${folder}/`);
  const path = join(folder, 'nginx.conf');
  await writeFile(path, adapted);
  const child = spawn(getProgram('nginx'), ['-p', folder, '-c', path, '-g', 'daemon off;'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  cleanups.push(async () => {
    if (child.exitCode === null) {
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
    }
    await rm(folder, { recursive: true, force: true });
  });
  await untilListening(port, child, () => said);
  return port;
}

function post(port: number, body: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const call = request({ port, host: '127.0.0.1', method: 'POST', path: '/v1/chat/completions' }, resolve);
    call.on('error', reject);
    call.end(body);
  });
}

describe('docker/nginx.conf in the real nginx', () => {
  beforeAll(() => installMissing(['nginx'], () => undefined), 600_000);

  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });

  it('passes each chunk of a stream on before the next one exists', async () => {
    let sendNext: () => void = () => undefined;
    const upstream = await instance((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: first\n\n');
      sendNext = () => response.end('data: second\n\n');
    });
    const port = await startNginx(upstream, upstream);

    const reply = await post(port, '{}');
    const [first] = (await once(reply, 'data')) as [Buffer];
    expect(first.toString()).toBe('data: first\n\n');
    sendNext();
    const [second] = (await once(reply, 'data')) as [Buffer];
    expect(second.toString()).toBe('data: second\n\n');
  });

  it('lets an instance know at once that a client left', async () => {
    let left: () => void = () => undefined;
    const clientLeft = new Promise<void>((resolve) => (left = resolve));
    const upstream = await instance((_request, response) => {
      response.once('close', left);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: first\n\n');
    });
    const port = await startNginx(upstream, upstream);

    const reply = await post(port, '{}');
    await once(reply, 'data');
    reply.destroy();
    await expect(clientLeft).resolves.toBeUndefined();
  });

  it('sends a call to the other instance when one refuses connections', async () => {
    const alive = await instance((_request, response) => response.end('alive'));
    const port = await startNginx(await closedPort(), alive);

    for (let call = 0; call < 4; call += 1) {
      const reply = await post(port, '{}');
      expect(reply.statusCode).toBe(200);
      reply.resume();
      await once(reply, 'end');
    }
  });

  it('never sends a call twice once an instance has seen it', async () => {
    let seen = 0;
    const breaks: Handler = (incoming) => {
      seen += 1;
      incoming.socket.destroy();
    };
    const port = await startNginx(await instance(breaks), await instance(breaks));

    const reply = await post(port, '{"model":"paid"}');
    reply.resume();
    expect(reply.statusCode).toBe(502);
    expect(seen).toBe(1);
  });

  it('forwards the client address and host to the instance', async () => {
    let headers: IncomingMessage['headers'] = {};
    const upstream = await instance((incoming, response) => {
      headers = incoming.headers;
      response.end();
    });
    const port = await startNginx(upstream, upstream);

    (await post(port, '{}')).resume();
    expect(headers['x-forwarded-for']).toBe('127.0.0.1');
    expect(headers['x-forwarded-proto']).toBe('http');
    expect(headers.host).toBe(`127.0.0.1:${port}`);
  });
});

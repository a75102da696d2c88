import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { WsRealtimeDialer } from '../../../../server/infra/http-client/ws-realtime-dialer.js';
import { OutboundPolicy } from '../../../../server/infra/http-client/safe-url.js';
import type { DialOutcome } from '../../../../server/relay-core/ports/realtime-socket.js';
import { ScriptedRealtime } from './scripted-realtime.js';

/** Realtime connections through proxies written by hand, and past the address guard. */
let vendor: ScriptedRealtime;
const servers: Server[] = [];
const opened: DialOutcome[] = [];

beforeAll(async () => {
  vendor = await ScriptedRealtime.start();
});

afterEach(() => {
  for (const outcome of opened.splice(0)) if (outcome.type === 'opened') outcome.socket.cut();
});

afterAll(async () => {
  for (const server of servers) server.close();
  await vendor?.close();
});

const dialer = new WsRealtimeDialer(new OutboundPolicy({ allowedPrivateHosts: [], isLoopback: true }));

async function dial(
  proxy?: string,
  url = vendor.url,
  signal = new AbortController().signal,
): Promise<DialOutcome> {
  const request = {
    url: `${url.replace(/^http/, 'ws')}/v1/realtime?model=m`,
    headers: {},
    protocols: [],
    ...(proxy === undefined ? {} : { proxy }),
  };
  const outcome = await dialer.dial(request, signal);
  opened.push(outcome);
  return outcome;
}

/** A proxy that answers every connection by a script, and joins it with where it wants to go. */
async function proxy(script: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    script(socket);
  });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function join(client: Socket, port: number, answer: Buffer): void {
  const target = connect(port, '127.0.0.1', () => {
    client.write(answer);
    client.pipe(target).pipe(client);
  });
  target.on('error', () => client.destroy());
  client.on('close', () => target.destroy());
}

/** A SOCKS5 proxy that wants this login; it answers a byte at a time. */
const socks = (seen: string[], login?: string) => (socket: Socket) => {
  let stage: 'hello' | 'login' | 'request' = 'hello';
  socket.on('data', (bytes: Buffer) => {
    if (stage === 'hello') {
      stage = login === undefined ? 'request' : 'login';
      const method = bytes[2] as number;
      socket.write(Buffer.from([5]));
      socket.write(Buffer.from([login !== undefined && method !== 2 ? 0xff : method]));
    } else if (stage === 'login') {
      stage = 'request';
      const user = bytes.toString('utf8', 2, 2 + (bytes[1] as number));
      socket.write(Buffer.from([1, user === login ? 0 : 1]));
    } else {
      socket.removeAllListeners('data');
      const length = bytes[4] as number;
      seen.push(bytes.toString('utf8', 5, 5 + length));
      join(socket, bytes.readUInt16BE(5 + length), Buffer.from([5, 0, 0, 1, 127, 0, 0, 1, 0, 0]));
    }
  });
};

const httpConnect = (seen: string[]) => (socket: Socket) => {
  socket.once('data', (bytes: Buffer) => {
    const head = bytes.toString('latin1');
    seen.push(head);
    const port = Number(/^CONNECT [^ ]+:(\d+) /.exec(head)?.[1]);
    join(socket, port, Buffer.from('HTTP/1.1 200 OK\r\nX-Proxy: yes\r\n\r\n'));
  });
};

describe('a realtime connection', () => {
  it('connects directly without a proxy', async () => {
    expect((await dial()).type).toBe('opened');
  });

  it('connects through an HTTP proxy, with its login', async () => {
    const seen: string[] = [];
    const address = await proxy(httpConnect(seen));
    expect((await dial(`http://user:pass%20word@${address}`)).type).toBe('opened');
    expect(seen[0]).toContain(`CONNECT 127.0.0.1:${new URL(vendor.url).port} HTTP/1.1`);
    const login = Buffer.from('user:pass word').toString('base64');
    expect(seen[0]).toContain(`Proxy-Authorization: Basic ${login}`);
  });

  it.each([undefined, 'user'])(
    'connects through a SOCKS5 proxy (login %s), which resolves the name',
    async (login) => {
      const seen: string[] = [];
      const address = await proxy(socks(seen, login));
      const prefix = login === undefined ? '' : `${login}:secret@`;
      expect((await dial(`socks5://${prefix}${address}`)).type).toBe('opened');
      expect(seen).toEqual(['127.0.0.1']);
    },
  );

  it.each([
    ['refuses', (socket: Socket) => socket.end('HTTP/1.1 407 No\r\n\r\n')],
    ['hangs up', (socket: Socket) => socket.destroy()],
    ['talks without end', (socket: Socket) => socket.write('x'.repeat(20_000))],
  ])('breaks instead of hanging when its proxy %s', async (_name, script) => {
    const outcome = await dial(`http://${await proxy((socket) => void script(socket))}`);
    const kind = expect.stringMatching(/^(reset|refused-by-proxy)$/);
    expect(outcome).toMatchObject({ type: 'broken', fault: { kind } });
  });

  it('breaks with a wrong login of a SOCKS5 proxy', async () => {
    const outcome = await dial(`socks5://other:x@${await proxy(socks([], 'user'))}`);
    expect(outcome).toMatchObject({ type: 'broken', fault: { kind: 'refused-by-proxy' } });
  });

  it('closes its socket when it is given up', async () => {
    const closed = Promise.withResolvers<void>();
    const giveUp = new AbortController();
    const address = await proxy((socket) => {
      socket.on('close', () => closed.resolve());
      giveUp.abort();
    });
    const outcome = await dial(`http://${address}`, vendor.url, giveUp.signal);
    expect(outcome).toMatchObject({ type: 'broken' });
    await closed.promise;
  });

  it('refuses an address of the cloud before anything is sent [NET-01]', async () => {
    expect(await dial(undefined, 'http://169.254.169.254')).toMatchObject({
      type: 'broken',
      fault: { kind: 'refused-by-policy' },
    });
    const strict = new WsRealtimeDialer(new OutboundPolicy({ allowedPrivateHosts: [], isLoopback: false }));
    const request = { url: vendor.url.replace(/^http/, 'ws'), headers: {}, protocols: [] };
    expect(await strict.dial(request, new AbortController().signal)).toMatchObject({
      type: 'broken',
      fault: { kind: 'refused-by-policy' },
    });
  });

  it('reports the status of a refused handshake', async () => {
    vendor.refusesWith = 403;
    const outcome = await dial();
    vendor.refusesWith = undefined;
    expect(outcome).toMatchObject({ type: 'refused', status: 403 });
    expect(outcome.type === 'refused' && outcome.body.toString()).toContain('invalid_api_key');
  });
});

describe('frames an upstream may not send', () => {
  it.each([
    ['packed, though nobody agreed to it', [0xc1, 2, 0xff, 0xff]],
    ['of an unknown kind', [0x83, 0]],
    ['masked', [0x81, 0x80, 0, 0, 0, 0]],
    ['longer than a frame may be', [0x81, 127, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]],
    ['of text that is none', [0x81, 1, 0xff]],
  ])(
    '%s end the connection at once, whether or not the upstream closes it',
    async (_what, frame) => {
      const upstream = createHttpServer();
      upstream.on('upgrade', (request, socket) => {
        const mark = `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
        const head = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade'];
        const accept = `Sec-WebSocket-Accept: ${createHash('sha1').update(mark).digest('base64')}`;
        socket.on('error', () => undefined).write([...head, accept, '', ''].join('\r\n'));
        socket.write(Buffer.from(frame));
      });
      upstream.listen(0, '127.0.0.1');
      await once(upstream, 'listening');
      const outcome = await dial(undefined, `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`);
      if (outcome.type !== 'opened') throw new Error(outcome.type);
      // It waits for half a minute otherwise, and this test for less.
      await new Promise<void>((resolve) => {
        outcome.socket.listen({
          onFrame: () => undefined,
          onControl: () => undefined,
          onFull: () => undefined,
          onClosed: () => resolve(),
        });
      });
      upstream.closeAllConnections();
      upstream.close();
    },
    5_000,
  );
});

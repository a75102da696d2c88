import { SetupService } from '../../../server/console/options/setup.service.js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import type { LoggerService } from '@nestjs/common';
import { UserEntity } from '../../../server/base/users/user.entity.js';
import { ROOT_ACCOUNT, setUpRoot, startTestApp, type TestApp } from '../../support/build-test-app.ts';

const FOREIGN = 'rebind.example';

interface Reply {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

/** One request under a name of our choice, which `fetch` does not let one choose. */
async function ask(
  app: TestApp,
  {
    method = 'GET',
    path,
    host,
    headers = {},
    body,
  }: {
    readonly method?: string;
    readonly path: string;
    readonly host: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: unknown;
  },
): Promise<Reply> {
  const text = body === undefined ? '' : JSON.stringify(body);
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  const call = request(`${app.url}${path}`, {
    method,
    agent: false,
    headers: { host, ...type, 'content-length': String(Buffer.byteLength(text)), ...headers },
  });
  call.end(text);
  const [reply] = (await once(call, 'response')) as [import('node:http').IncomingMessage];
  const pieces: Buffer[] = [];
  for await (const piece of reply) pieces.push(piece as Buffer);
  const all = Buffer.concat(pieces).toString();
  return {
    status: reply.statusCode ?? 0,
    body: all.startsWith('{') ? (JSON.parse(all) as Reply['body']) : {},
  };
}

/** First line of what the server says to these bytes. */
async function raw(app: TestApp, text: string): Promise<string> {
  const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
  let heard = '';
  socket.on('data', (piece: Buffer) => {
    heard += piece.toString('latin1');
    if (heard.includes('\r\n')) socket.destroy();
  });
  socket.write(text);
  await once(socket, 'close');
  return heard.split('\r\n')[0] ?? '';
}

describe('under a name that is not ours', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp();
    await setUpRoot(app);
  });
  afterAll(() => app.close());

  it('answers on no route of the table', async () => {
    const open: string[] = [];
    for (const { method, path } of app.accessTable) {
      const address = path.replace(/:\w+|\*/g, 'x');
      const post = {
        method,
        path: address,
        host: FOREIGN,
        ...(method === 'GET' || method === 'HEAD' ? {} : { body: {} }),
      };
      const { status } = await ask(app, post);
      if (status !== 421) open.push(`${method} ${path} answered ${status}`);
    }
    expect(app.accessTable.length).toBeGreaterThan(150);
    expect(open).toEqual([]);
  });

  it.each(['/', '/login', '/assets/nothing.js', '/healthz', '/readyz', '/api/docs', '/nowhere'])(
    '%s is refused with a sentence, and answered at localhost',
    async (path) => {
      const refused = await ask(app, { path, host: `${FOREIGN}:3000` });
      expect(refused.status).toBe(421);
      expect(JSON.stringify(refused.body)).toContain('SERVER_ADDRESS');
      expect((await ask(app, { path, host: 'localhost:3000' })).status).not.toBe(421);
    },
  );

  it('a call of the relay is refused in the shape of its clients, on a fresh connection and on one that served', async () => {
    const body = JSON.stringify({ model: 'm', messages: [] });
    const head = (host: string): string =>
      `POST /v1/chat/completions HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    expect(await raw(app, head(FOREIGN))).toBe('HTTP/1.1 421 Misdirected Request');
    expect(await raw(app, head('localhost'))).toBe('HTTP/1.1 401 Unauthorized');
    const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
    let heard = '';
    socket.on('data', (piece: Buffer) => (heard += piece.toString('latin1')));
    // Unknown keys end no connection when the name is ours.
    socket.write(head('127.0.0.1'));
    while (!heard.includes('HTTP/1.1 401')) await once(socket, 'data');
    socket.write(head(FOREIGN));
    await once(socket, 'close');
    expect(heard.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401', 'HTTP/1.1 421']);
    expect(heard).toContain('"type":"invalid_request_error"');
  });

  it.each(['websocket', 'h2c'])('an upgrade to %s is refused', async (protocol) => {
    const upgrade = (host: string): string =>
      `GET /v1/realtime?model=m HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\n` +
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';
    expect(await raw(app, upgrade(FOREIGN))).toBe('HTTP/1.1 421 Misdirected Request');
    expect(await raw(app, upgrade('localhost'))).toMatch(/^HTTP\/1\.1 4(01|26) /);
  });

  it('sends no 100 Continue for a body', async () => {
    const head = `POST /api/user/login HTTP/1.1\r\nHost: ${FOREIGN}\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n`;
    expect(await raw(app, head)).toBe('HTTP/1.1 421 Misdirected Request');
  });
});

describe('a published installation', () => {
  let app: TestApp;
  afterEach(() => app.close());

  it('answers at SERVER_ADDRESS', async () => {
    app = await startTestApp({ env: { SERVER_ADDRESS: 'https://gate.example' } });
    expect((await ask(app, { path: '/api/status', host: 'gate.example' })).status).toBe(200);
    expect((await ask(app, { path: '/api/status', host: FOREIGN })).status).toBe(421);
  });

  it('answers at the server address of the settings, from the moment it is saved', async () => {
    app = await startTestApp();
    const root = await setUpRoot(app);
    expect((await ask(app, { path: '/api/status', host: 'gate.example' })).status).toBe(421);
    await root.expectSuccess('PUT', '/api/option/', { key: 'ServerAddress', value: 'https://gate.example' });
    expect((await ask(app, { path: '/api/status', host: 'gate.example' })).status).toBe(200);
  });

  it('answers at every name a trusted proxy passes on', async () => {
    app = await startTestApp({ env: { TRUST_PROXY: 'loopback' } });
    expect((await ask(app, { path: '/api/status', host: 'gate.example' })).status).toBe(200);
  });

  it('answers at every name when it listens for others', async () => {
    app = await startTestApp({ env: { HOST: '0.0.0.0' } });
    expect((await ask(app, { path: '/api/status', host: 'gate.example' })).status).toBe(200);
  });
});

class Lines implements LoggerService {
  readonly lines: string[] = [];
  log = (text: unknown): void => void this.lines.push(String(text));
  error = (): void => undefined;
  warn = (): void => undefined;
  get code(): string | undefined {
    return this.lines.map((line) => /^set-up code, .*: ([\dA-Z-]+)$/.exec(line)?.[1]).find(Boolean);
  }
}

describe('the first set-up', () => {
  let app: TestApp;
  afterEach(() => app.close());
  const form = { ...ROOT_ACCOUNT, confirmPassword: ROOT_ACCOUNT.password };
  const setUp = (host: string, more: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
    ask(app, { method: 'POST', path: '/api/setup', host, body: { ...form, ...more }, headers });
  const roots = (): Promise<number> => app.dataSource.getRepository(UserEntity).countBy({ role: 100 });
  const isCodeWanted = async (host: string, headers: Record<string, string> = {}): Promise<unknown> =>
    ((await ask(app, { path: '/api/setup', host, headers })).body['data'] as { token_required: boolean })
      .token_required;

  it.each(['localhost:3000', '127.0.0.1:3000', '[::1]:3000'])(
    'needs no code at %s, also where others may call (a container, seen from its machine)',
    async (host) => {
      app = await startTestApp({ env: { HOST: '0.0.0.0' } });
      expect(await isCodeWanted(host)).toBe(false);
      expect((await setUp(host)).body['success']).toBe(true);
    },
  );

  it('needs the code of the log under any other name, which is the same for every worker', async () => {
    const logger = new Lines();
    app = await startTestApp({ env: { HOST: '0.0.0.0' }, logger });
    // Same call as the program makes once it listens.
    app.app.get(SetupService, { strict: false }).announce();
    const code = logger.code ?? '';
    expect(code).toMatch(/^([\dA-Z]{4}-){3}[\dA-Z]{4}$/);
    for (const host of [FOREIGN, '192.168.1.5:3000', '0.0.0.0:3000']) {
      expect(await isCodeWanted(host)).toBe(true);
      for (const wrong of ['', code.toLowerCase(), code.slice(0, -1), `${code} `])
        expect((await setUp(host, { setup_token: wrong })).body['code']).toBe('setup_token_wrong');
    }
    expect(await roots()).toBe(0);
    expect((await setUp(FOREIGN, { setup_token: code })).body['success']).toBe(true);
    expect(await roots()).toBe(1);
    expect(logger.lines.filter((line) => line.includes(code))).toHaveLength(1);
  });

  it('needs it from a proxy that writes our name in place of its own, and reveals the code only then', async () => {
    const logger = new Lines();
    app = await startTestApp({ logger });
    expect(logger.code).toBeUndefined();
    expect(await isCodeWanted('127.0.0.1:3000', { 'x-forwarded-for': '203.0.113.9' })).toBe(true);
    expect((await setUp('127.0.0.1:3000', {}, { 'x-forwarded-for': '203.0.113.9' })).body['code']).toBe(
      'setup_token_wrong',
    );
    expect(await roots()).toBe(0);
    expect((await setUp('127.0.0.1:3000', { setup_token: logger.code })).body['success']).toBe(true);
  });

  it('needs none at SERVER_ADDRESS', async () => {
    app = await startTestApp({ env: { HOST: '0.0.0.0', SERVER_ADDRESS: 'https://gate.example' } });
    expect((await setUp('gate.example')).body['success']).toBe(true);
  });

  it('needs SETUP_TOKEN everywhere where that is set', async () => {
    const logger = new Lines();
    app = await startTestApp({ env: { HOST: '0.0.0.0', SETUP_TOKEN: 'blue-elephant' }, logger });
    expect((await setUp('localhost')).body['code']).toBe('setup_token_wrong');
    expect((await setUp(FOREIGN, { setup_token: 'blue-elephant' })).body['success']).toBe(true);
    expect(logger.code).toBeUndefined();
  });
});

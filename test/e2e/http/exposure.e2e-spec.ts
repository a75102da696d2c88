import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiClient, type ApiReply } from '../../support/api-client.ts';
import { ROOT_ACCOUNT, setUpRoot, signUp, startTestApp, type TestApp } from '../../support/build-test-app.ts';

let app: TestApp;
let root: ApiClient;

beforeAll(async () => {
  app = await startTestApp();
  root = await setUpRoot(app);
});
afterAll(async () => {
  await app.close();
});

/** Writes to a socket and never ends its request. @returns everything received until the other side hung up */
async function dawdle(text: string): Promise<string> {
  const { hostname, port } = new URL(app.url);
  const socket = connect(Number(port), hostname, () => socket.write(text));
  let heard = '';
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk: Buffer) => (heard += chunk.toString('latin1')));
  await once(socket, 'close');
  return heard;
}

describe('slow requests', () => {
  it('heads and bodies have their time, after which the connection is closed; others are served meanwhile [HTTP-01]', async () => {
    const server = app.app.getHttpServer() as Server;
    expect([server.headersTimeout, server.requestTimeout, server.keepAliveTimeout]).toEqual([
      15_000, 120_000, 75_000,
    ]);
    // The clock of these limits is the server's own, which looks every five seconds.
    Object.assign(server, { headersTimeout: 50, requestTimeout: 100 });
    try {
      const slow = [
        dawdle('GET /api/status HTTP/1.1\r\nHost: localhost\r\nX-A: '),
        dawdle(
          'POST /api/user/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{',
        ),
        dawdle(
          'POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer sk-x\r\nContent-Length: 9\r\n\r\n{',
        ),
      ];
      expect((await fetch(`${app.url}/api/status`)).status).toBe(200);
      for (const heard of await Promise.all(slow)) expect(heard).not.toMatch(/^HTTP\/1\.1 2/);
      expect((await fetch(`${app.url}/api/status`)).status).toBe(200);
    } finally {
      Object.assign(server, { headersTimeout: 15_000, requestTimeout: 120_000 });
    }
  });
});

describe('what only its owner may see', () => {
  it('shows a key in answers to its owner only, and lets no cache on the way store an answer [TOK-06]', async () => {
    const ann = await signUp(root, { username: 'ann' });
    const eve = await signUp(root, { username: 'eve' });
    const { id, key } = await ann.expectSuccess<{ id: number; key: string }>('POST', '/api/token/', {
      name: 'secret one',
      remain_quota: 500_000,
    });
    expect(key).toMatch(/^[\w-]{48}$/);
    const replies: ApiReply[] = [];
    for (const reader of [root, eve]) {
      for (const { method, path } of app.accessTable) {
        if (method !== 'GET' || !path.startsWith('/api/') || path === '/api/user/logout') continue;
        replies.push(await reader.get(path.replace(/:\w+/g, String(id))));
      }
      for (const path of [
        `/api/token/search?token=${key}`,
        `/api/log/?token_name=secret%20one`,
        `/api/user/search?keyword=ann`,
      ])
        replies.push(await reader.get(path));
    }
    expect(replies.length).toBeGreaterThan(60);
    expect(replies.filter(({ body }) => JSON.stringify(body).includes(key))).toEqual([]);
    const own = await ann.get('/api/token/');
    expect(JSON.stringify(own.body)).toContain(key);
    expect(own.headers.get('cache-control')).toContain('no-store');
    expect(own.headers.get('referrer-policy')).toBe('no-referrer');
  });
});

describe('the name a request calls us by', () => {
  it('appears in no answer and decides nothing: links and addresses come from the options [HTTP-05]', async () => {
    await root.expectSuccess('PUT', '/api/option/', { key: 'ServerAddress', value: 'https://gate.example' });
    const { port } = new URL(app.url);
    const { username, password } = ROOT_ACCOUNT;
    const body = JSON.stringify({ username, password });
    for (const [head, content] of [
      ['GET /api/status HTTP/1.1', ''],
      ['GET / HTTP/1.1', ''],
      ['GET /api/nothing HTTP/1.1', ''],
      ['POST /api/user/login HTTP/1.1', body],
      ['GET /v1/models HTTP/1.1', ''],
    ] as const) {
      const answer = await dawdleUntilEnd(
        Number(port),
        `${head}\r\nHost: evil.example\r\nX-Forwarded-Host: evil.example\r\nX-Forwarded-Proto: https\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: ${content.length}\r\n\r\n${content}`,
      );
      expect(answer).toMatch(/^HTTP\/1\.1 \d/);
      expect(answer).not.toContain('evil.example');
    }
    const status = await new ApiClient(app.url).get('/api/status');
    expect((status.body.data as { server_address: string }).server_address).toBe('https://gate.example');
  });

  async function dawdleUntilEnd(port: number, text: string): Promise<string> {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    let heard = '';
    socket.on('data', (chunk: Buffer) => (heard += chunk.toString('latin1')));
    await once(socket, 'close');
    return heard;
  }
});

describe('what looks inside', () => {
  it('health answers ok and no more, and figures, profiles and traces are not on the port of callers [HTTP-08]', async () => {
    for (const path of ['/healthz', '/readyz']) {
      const reply = await fetch(app.url + path);
      expect(await reply.json()).toEqual({ status: 'ok' });
    }
    for (const path of [
      '/metrics',
      '/api/metrics',
      '/debug/pprof',
      '/json/version',
      '/.env',
      '/api/status/test',
    ]) {
      const reply = await fetch(app.url + path);
      const text = await reply.text();
      expect([path, text]).toEqual([
        path,
        expect.not.stringMatching(/# HELP|# TYPE|heap|SECRET|webSocketDebuggerUrl/),
      ]);
    }
  });
});

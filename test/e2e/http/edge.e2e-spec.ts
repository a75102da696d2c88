import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { Readiness } from '../../../server/infra/health/readiness.js';
import { ApiClient } from '../../support/api-client.ts';
import { setUpRoot, startTestApp, type TestApp } from '../../support/build-test-app.ts';

let app: TestApp;
let root: ApiClient;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-console-'));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html><head><title>console</title></head>');
  writeFileSync(join(folder, 'assets/app-1a2b3c.js'), 'export {};\n');
  writeFileSync(join(folder, 'assets/app-1a2b3c.js.br'), brotliCompressSync('export {};\n'));
  writeFileSync(join(folder, 'assets/app-1a2b3c.js.gz'), gzipSync('export {};\n'));
  writeFileSync(join(folder, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  app = await startTestApp({ consoleDir: folder });
  root = await setUpRoot(app);
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true, force: true });
});

const open = (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(app.url + path, { redirect: 'manual', ...init });

/** Answer of a socket to exactly these bytes. */
function raw(text: string): Promise<string> {
  const { port } = new URL(app.url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => (answer += chunk));
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}

describe('headers', () => {
  it('sends them with pages, answers, refusals and unknown paths alike [WEB-04, WEB-05, WEB-08]', async () => {
    for (const path of [
      '/',
      '/api/status',
      '/api/user/self',
      '/api/nothing',
      '/assets/app-1a2b3c.js',
      '/assets/nothing.js',
    ]) {
      const { headers } = await open(path);
      const seen = Object.fromEntries(
        [...headers].filter(
          ([name]) => !['date', 'content-length', 'etag', 'last-modified', 'vary'].includes(name),
        ),
      );
      expect(seen).toMatchObject({
        'content-security-policy':
          "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: https:; " +
          "font-src 'self' data:; media-src 'self' blob:; connect-src 'self'; frame-src 'none'; object-src 'none'; base-uri 'none'; " +
          "form-action 'self'; frame-ancestors 'none'",
        'strict-transport-security': 'max-age=31536000',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
        'x-oneapi-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      });
      expect(seen).not.toHaveProperty('x-powered-by');
      expect(seen).not.toHaveProperty('server');
    }
  });

  it('frames what the options name, and nothing else', async () => {
    await root.expectSuccess('PUT', '/api/option/', [
      { key: 'Chats', value: '[{"A":"https://chat.example/?key={key}"},{"B":"opencat://team/join"}]' },
      { key: 'About', value: 'https://about.example/page' },
      { key: 'HomePageContent', value: '# https://no.example' },
    ]);
    const policy = (await open('/')).headers.get('content-security-policy');
    expect(policy).toContain('frame-src https://chat.example https://about.example;');
    await root.expectSuccess('PUT', '/api/option/', [
      { key: 'Chats', value: '[]' },
      { key: 'About', value: '' },
    ]);
  });

  it('lets caches keep hashed files for ever, other files with revalidation, answers and the page never', async () => {
    expect((await open('/api/status')).headers.get('cache-control')).toBe('no-store');
    expect((await open('/assets/app-1a2b3c.js')).headers.get('cache-control')).toBe(
      'public, max-age=31536000, immutable',
    );
    expect((await open('/')).headers.get('cache-control')).toBe('no-store');
    expect((await open('/favicon.svg')).headers.get('cache-control')).toBe('no-cache');
  });

  it('writes status, notice and session into the page as data, never as a script', async () => {
    const answersFor = async (headers: Record<string, string>) => {
      const text = await (await open('/', { headers: { accept: 'text/html', ...headers } })).text();
      return JSON.parse(
        /<script type="application\/json" id="first-answers">(.*?)<\/script>/.exec(text)?.[1] ?? '',
      ) as { status: object; notice: string; user: object | null };
    };
    await root.expectSuccess('PUT', '/api/option/', { key: 'Notice', value: '</script><b>Closed</b>' });
    const guest = await answersFor({});
    const { data } = (await (await open('/api/status')).json()) as { data: object };
    expect(guest).toEqual({ status: data, notice: '</script><b>Closed</b>', user: null });
    const { user } = await answersFor({ cookie: root.headers['cookie'] ?? '' });
    expect(user).toEqual({
      id: 1,
      username: 'root',
      display_name: expect.any(String),
      role: 100,
      status: 1,
      group: 'default',
    });
    expect((await answersFor({ cookie: 'session=planted' })).user).toBeNull();
    await root.expectSuccess('PUT', '/api/option/', { key: 'Notice', value: '' });
  });

  it.each(['br', 'gzip'])(
    'sends a file of the console in its %s form to clients that accept it',
    async (encoding) => {
      const path = '/assets/app-1a2b3c.js';
      const { port } = new URL(app.url);
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
        headers: { 'accept-encoding': encoding },
      });
      expect(answer.headers.get('content-encoding')).toBe(encoding);
      expect(answer.headers.get('content-type')).toMatch(/^application\/javascript/);
      expect(answer.headers.get('vary')).toMatch(/accept-encoding/i);
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(await answer.text()).toBe('export {};\n');
      const plain = await fetch(`http://127.0.0.1:${port}${path}`, {
        headers: { 'accept-encoding': 'identity' },
      });
      expect(plain.headers.get('content-encoding')).toBeNull();
      expect(await plain.text()).toBe('export {};\n');
    },
  );

  it('compresses long answers for clients that accept it', async () => {
    const { port } = new URL(app.url);
    const ask = async (encoding: string): Promise<Response> =>
      fetch(`http://127.0.0.1:${port}/api/openapi.json`, { headers: { 'accept-encoding': encoding } });
    expect((await ask('identity')).headers.get('content-encoding')).toBeNull();
    const compressed = await ask('gzip');
    expect(compressed.headers.get('content-encoding')).toBe('gzip');
    expect(await compressed.json()).toHaveProperty('openapi');
    const answer = await raw(
      `GET /api/openapi.json HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip;q=0\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).not.toMatch(/content-encoding/i);
  });
});

describe('paths', () => {
  it.each(['/', '/login', '/channel/edit/7', '/log?p=2', '/no/such/place'])(
    '%s is a page of the console',
    async (path) => {
      const response = await open(path);
      expect([response.status, response.headers.get('content-type')]).toEqual([
        200,
        'text/html; charset=utf-8',
      ]);
      expect(await response.text()).toContain('<title>console</title>');
    },
  );

  it.each([
    ['GET', '/api/nothing'],
    ['POST', '/api/nothing'],
    ['GET', '/api'],
    ['GET', '/assets/nothing.js'],
    ['GET', '/nothing.php'],
    ['GET', '/metrics'],
    ['GET', '/..%2f..%2fpackage.json'],
    ['GET', '/assets/..%2f..%2fpackage.json'],
    ['POST', '/login'],
    ['DELETE', '/'],
  ])('%s %s is an error in the shape of 2.2', async (method, path) => {
    const response = await open(path, { method });
    expect(response.status).toBe(404);
    const plain = path.split('?')[0] ?? '';
    expect(await response.json()).toEqual({
      error: {
        message: `Invalid URL (${method} ${plain})`,
        type: 'invalid_request_error',
        param: '',
        code: 'not_found',
      },
    });
  });

  it.each([
    ['PATCH', '/api/user/self', 'GET, PUT, DELETE'],
    ['DELETE', '/api/status', 'GET'],
    ['PUT', '/api/user/login', 'POST'],
  ])('%s %s is refused with the methods there are [HTTP-07]', async (method, path, allow) => {
    const response = await open(path, { method });
    expect([response.status, response.headers.get('allow')]).toEqual([
      405,
      expect.stringContaining(allow.split(', ')[0] ?? ''),
    ]);
    for (const name of allow.split(', ')) expect(response.headers.get('allow')).toContain(name);
    expect(await response.json()).toMatchObject({ success: false, code: 'method_not_allowed' });
  });

  it('ignores method overrides', async () => {
    const response = await open('/api/status', { headers: { 'x-http-method-override': 'DELETE' } });
    expect(response.status).toBe(200);
  });

  it('answers without a built console, in a sentence', async () => {
    const bare = await startTestApp({ consoleDir: join(folder, 'nowhere') });
    try {
      const response = await fetch(`${bare.url}/login`);
      expect(await response.text()).toContain('npm run build');
      expect((await fetch(`${bare.url}/api/status`)).status).toBe(200);
    } finally {
      await bare.close();
    }
  });
});

describe('bodies and parameters', () => {
  const post = (
    body: string | Buffer<ArrayBuffer>,
    headers: Record<string, string> = { 'content-type': 'application/json' },
  ): Promise<Response> => open('/api/user/login', { method: 'POST', headers, body });

  it.each([
    ['not JSON', '{', 400, 'body_unreadable'],
    [
      'HTTP-04 bytes that are not UTF-8',
      Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
      400,
      'body_unreadable',
    ],
    ['HTTP-03 deep JSON', '['.repeat(100_000), 400, 'body_too_complex'],
    ['HTTP-03 more than 1 MiB', `"${'x'.repeat(1024 * 1024)}"`, 413, 'body_too_large'],
    ['a prototype member', '{"__proto__":{"role":100}}', 400, 'body_unreadable'],
    ['a list', '[]', 400, 'malformed_input'],
    ['null', 'null', 400, 'malformed_input'],
    ['a number', '1', 400, 'malformed_input'],
  ])('refuses %s in the envelope', async (_name, body, status, code) => {
    const response = await post(body);
    expect(response.status).toBe(status);
    const answer: unknown = await response.json();
    expect(answer).toMatchObject({ success: false, code, message: expect.stringMatching(/\S/) });
    expect(JSON.stringify(answer)).not.toMatch(/expected|received|undefined/);
  });

  it.each([
    ['application/json', true],
    ['application/json; charset=utf-8', true],
    ['APPLICATION/JSON', true],
    ['application/json; charset=utf-16', false],
    ['application/jsonp', false],
    ['text/json', false],
    ['application/json\tx', false],
    ['application/x-www-form-urlencoded', false],
    ['', false],
  ])('content type %j is JSON: %s [HTTP-06]', async (type, isJson) => {
    const body = '{"username":"a","password":"b"}';
    const header = type === '' ? '' : `Content-Type: ${type}\r\n`;
    const answer = await raw(
      `POST /api/user/login HTTP/1.1\r\nHost: localhost\r\n${header}Content-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
    );
    expect(answer.split('\r\n')[0]).toBe(isJson ? 'HTTP/1.1 200 OK' : 'HTTP/1.1 415 Unsupported Media Type');
  });

  it('refuses a compressed body [HTTP-03]', async () => {
    const response = await post('{}', { 'content-type': 'application/json', 'content-encoding': 'gzip' });
    expect(response.status).toBe(415);
  });

  it.each([
    ['/v1/models/%', '', 'error'],
    ['/v1/models', 'Content-Length: 1\r\nContent-Length: 2\r\n', 'error'],
    ['/v1/models', 'X-A: a\u0000b\r\n', 'error'],
    ['/api/%', '', 'success'],
    ['/api/status', 'Content-Length: 1\r\nContent-Length: 2\r\n', 'success'],
  ])('%s that the server itself refuses (%j) is answered in its own shape', async (path, header, member) => {
    const reply = await raw(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n${header}Connection: close\r\n\r\n`);
    expect(reply.split('\r\n')[0]).toBe('HTTP/1.1 400 Bad Request');
    const body = JSON.parse(reply.slice(reply.indexOf('\r\n\r\n') + 4)) as object;
    expect(Object.keys(body)).toContain(member);
    expect(Object.keys(body).includes('error')).toBe(member === 'error');
  });

  it.each([
    '/api/user/?p=1&p=2',
    '/api/user/search?keyword=a&keyword=b',
    '/api/log/?page_size=1&page_size=2',
    '/api/status?x=1&x=2',
  ])('%s is refused', async (path) => {
    const reply = await root.get(path);
    expect([reply.status, reply.body.code]).toEqual([400, 'parameter_repeated']);
  });

  it.each([
    [
      'a URL of 20 KB',
      `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
      /^HTTP\/1\.1 4(31|14)/,
    ],
    [
      'a header of 20 KB',
      `GET / HTTP/1.1\r\nHost: localhost\r\nX-A: ${'a'.repeat(20_000)}\r\n\r\n`,
      /^HTTP\/1\.1 431[^]*larger than 16 KB[^]*head_too_large/,
    ],
    [
      'a header name with a blank',
      'GET / HTTP/1.1\r\nHost: localhost\r\nX A: b\r\n\r\n',
      /^HTTP\/1\.1 400[^]*request_unreadable/,
    ],
    ['no HTTP', 'hello\r\n\r\n', /^HTTP\/1\.1 400/],
    [
      'a malformed escape',
      'GET /api/%zz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
      /^HTTP\/1\.1 400/,
    ],
    [
      'two lengths',
      'POST /api/user/login HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}',
      /^HTTP\/1\.1 400/,
    ],
  ])('refuses %s [HTTP-02]', async (_name, text, answer) => {
    expect(await raw(text)).toMatch(answer);
  });
});

describe('health and documentation', () => {
  it('reports alive while it stops, and not ready', async () => {
    const other = await startTestApp();
    try {
      expect((await fetch(`${other.url}/readyz`)).status).toBe(200);
      other.app.get(Readiness).beginStopping();
      expect((await fetch(`${other.url}/readyz`)).status).toBe(503);
      const alive = await fetch(`${other.url}/healthz`);
      expect([alive.status, alive.headers.get('connection')]).toEqual([200, 'close']);
    } finally {
      await other.close();
    }
  });

  it('serves the document, and a page for it without inline script', async () => {
    const document = (await (await open('/api/openapi.json')).json()) as {
      paths: Record<string, unknown>;
      components: { schemas: object };
    };
    expect(Object.keys(document.paths)).toEqual(
      expect.arrayContaining(['/api/user/login', '/api/option', '/api/token', '/api/log/self']),
    );
    expect(Object.keys(document.components.schemas)).toEqual(
      expect.arrayContaining(['User', 'Status', 'Option']),
    );
    const page = await (await open('/api/docs/')).text();
    expect(page).not.toMatch(/<script(?![^>]*\bsrc=)|\son\w+=|javascript:/i);
    for (const [, path = ''] of page.matchAll(/(?:src|href)="([^"]+)"/g)) {
      expect((await open(path)).status).toBe(200);
    }
    expect((await open('/api/docs/package.json')).status).toBe(404);
  });

  it('counts requests of guests per address and of users per user, and returns the time of the next try [HTTP-09]', async () => {
    const limited = await startTestApp({ env: { GLOBAL_API_RATE_LIMIT: '20' } });
    try {
      const owner = await setUpRoot(limited);
      const guest = new ApiClient(limited.url);
      const statuses: number[] = [];
      for (let index = 0; index < 30; index += 1) statuses.push((await guest.get('/api/user/groups')).status);
      expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(20);
      const refused = await guest.get('/api/user/groups');
      expect(refused.body).toMatchObject({ success: false, code: 'too_many_requests' });
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect((await owner.get('/api/user/self')).status).toBe(200);
    } finally {
      await limited.close();
    }
  });

  it('believes X-Forwarded-For of trusted proxies only [INFRA-101]', async () => {
    const limited = await startTestApp({ env: { GLOBAL_API_RATE_LIMIT: '3' } });
    try {
      const statuses: number[] = [];
      for (let index = 0; index < 6; index += 1) {
        const address = `203.0.113.${index}`;
        const reply = await request(limited.url).get('/api/user/groups').set('X-Forwarded-For', address);
        statuses.push(reply.status);
      }
      expect(statuses).toEqual([200, 200, 200, 429, 429, 429]);
    } finally {
      await limited.close();
    }
  });
});

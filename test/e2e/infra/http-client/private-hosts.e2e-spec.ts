import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ApiClient } from '../../../support/api-client.ts';
import { setUpRoot, signUp, startTestApp, type TestApp } from '../../../support/build-test-app.ts';

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const MODEL = 'gemini-2.5-flash';
/** Uses Gemini's API, whose models need the bytes of images: the gateway fetches them. */
const GEMINI = 24;
const ANSWER = JSON.stringify({
  candidates: [{ content: { role: 'model', parts: [{ text: 'a cat' }] }, finishReason: 'STOP' }],
  usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 2, totalTokenCount: 7 },
});

class Inside {
  readonly seen: string[] = [];
  private constructor(readonly server: Server) {}

  static async start(answer: RequestListener): Promise<Inside> {
    const inside: Inside = new Inside(
      createServer((request, response) => {
        inside.seen.push(`${request.method} ${request.url}`);
        request.resume();
        answer(request, response);
      }),
    );
    inside.server.listen(0, '127.0.0.1');
    await once(inside.server, 'listening');
    return inside;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}

/** Every client API that takes an image by its address. */
const CALLS: Readonly<Record<string, (url: string) => { readonly path: string; readonly body: unknown }>> = {
  'Chat Completions': (url) => ({
    path: '/v1/chat/completions',
    body: {
      model: MODEL,
      messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }],
    },
  }),
  Responses: (url) => ({
    path: '/v1/responses',
    body: { model: MODEL, input: [{ role: 'user', content: [{ type: 'input_image', image_url: url }] }] },
  }),
  Messages: (url) => ({
    path: '/v1/messages',
    body: {
      model: MODEL,
      max_tokens: 10,
      messages: [{ role: 'user', content: [{ type: 'image', source: { type: 'url', url } }] }],
    },
  }),
};

let secret: Inside;
let pictures: Inside;
let vendor: Inside;
beforeAll(async () => {
  secret = await Inside.start((_request, response) => response.end(PNG));
  pictures = await Inside.start((request, response) => {
    if (request.url === '/away') {
      response.writeHead(302, { location: `http://127.0.0.1:${secret.port}/stolen.png` }).end();
      return;
    }
    response.writeHead(200, { 'content-type': 'image/png' }).end(PNG);
  });
  vendor = await Inside.start((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(ANSWER);
  });
});
afterAll(() => Promise.all([secret.close(), pictures.close(), vendor.close()]));
beforeEach(() => {
  for (const { seen } of [secret, pictures, vendor]) seen.length = 0;
});

async function newToken(client: ApiClient): Promise<string> {
  await client.expectSuccess('POST', '/api/token/', {
    name: 'key',
    unlimited_quota: true,
    expired_time: -1,
    remain_quota: 0,
  });
  const [token] = await client.expectSuccess<{ id: number }[]>('GET', '/api/token/?p=0&size=10');
  const { key } = await client.expectSuccess<{ key: string }>('POST', `/api/token/${token?.id}/key`);
  return `sk-${key.replace(/^sk-/, '')}`;
}

interface Fixture {
  readonly app: TestApp;
  readonly user: ApiClient;
  readonly key: string;
}

async function open(env: Readonly<Record<string, string>>): Promise<Fixture> {
  const app = await startTestApp({ env });
  const root = await setUpRoot(app);
  await root.expectSuccess('POST', '/api/channel/', {
    name: 'gemini',
    type: GEMINI,
    key: 'k',
    base_url: `http://127.0.0.1:${vendor.port}`,
    models: MODEL,
    group: 'default',
  });
  await root.expectSuccess('PUT', '/api/option/', {
    key: 'ModelRatio',
    value: JSON.stringify({ [MODEL]: 1 }),
  });
  const user = await signUp(root, { username: 'ordinary' });
  await root.expectSuccess('POST', '/api/user/manage', {
    id: user.userId,
    action: 'add_quota',
    mode: 'add',
    value: 10_000_000,
  });
  return { app, user, key: await newToken(user) };
}

async function call(
  { app, key }: Fixture,
  api: string,
  url: string,
): Promise<{ status: number; text: string }> {
  const { path, body } = CALLS[api]?.(url) ?? { path: '', body: '' };
  const reply = await fetch(`${app.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: reply.status, text: await reply.text() };
}

describe('hosts opened to channels', () => {
  let fixture: Fixture;
  beforeAll(async () => {
    fixture = await open({ ALLOWED_PRIVATE_HOSTS: '127.0.0.1,localhost' });
  });
  afterAll(() => fixture.app.close());

  it.each(Object.keys(CALLS))('serves calls, and refuses images a caller names over %s', async (api) => {
    for (const host of ['127.0.0.1', 'localhost', '2130706433', '0x7f.1', '[::ffff:7f00:1]']) {
      const { status } = await call(fixture, api, `http://${host}:${secret.port}/stolen.png`);
      expect([host, status]).toEqual([host, 400]);
    }
    expect(secret.seen).toEqual([]);
    expect(vendor.seen).toEqual([]);
    const { status } = await call(fixture, api, `data:image/png;base64,${PNG.toString('base64')}`);
    expect(status).toBe(200);
    expect(vendor.seen).toHaveLength(1);
  });

  it('stays closed to the webhook of an account', async () => {
    const reply = await fixture.user.send('PUT', '/api/user/setting', {
      notify_type: 'webhook',
      webhook_url: `https://localhost:${secret.port}/hook`,
    });
    expect(reply.body.code).toBe('webhook_address_forbidden');
  });
});

describe('hosts opened to users', () => {
  let fixture: Fixture;
  beforeAll(async () => {
    fixture = await open({
      ALLOWED_PRIVATE_HOSTS: `127.0.0.1:${vendor.port}`,
      ALLOWED_PRIVATE_HOSTS_USERS: `127.0.0.1:${pictures.port}`,
    });
  });
  afterAll(() => fixture.app.close());

  it.each(Object.keys(CALLS))(
    'serves images over %s at the named port, and connects nowhere else',
    async (api) => {
      const found = await call(fixture, api, `http://127.0.0.1:${pictures.port}/cat.png`);
      expect(found.status).toBe(200);
      expect(pictures.seen).toEqual(['GET /cat.png']);
      const away = await call(fixture, api, `http://127.0.0.1:${pictures.port}/away`);
      expect(away.status).toBe(400);
      const beside = await call(fixture, api, `http://127.0.0.1:${secret.port}/stolen.png`);
      expect(beside.status).toBe(400);
      expect(secret.seen).toEqual([]);
    },
  );
});

describe('the status page', () => {
  it('shows the open hosts of each list to root, and to root alone', async () => {
    const app = await startTestApp({
      env: { ALLOWED_PRIVATE_HOSTS: '10.0.0.0/8', ALLOWED_PRIVATE_HOSTS_USERS: 'cdn.lan:8443' },
    });
    try {
      const root = await setUpRoot(app);
      const admin = await signUp(root, { username: 'watcher', role: 'admin' });
      const of = async (client: ApiClient): Promise<unknown> =>
        ((await client.expectSuccess('GET', '/api/operations/status')) as { private_hosts: unknown })
          .private_hosts;
      const shared = { hosts: ['10.0.0.0/8'], every_port: true };
      expect(await of(root)).toEqual([
        { callers: 'channels', variable: 'ALLOWED_PRIVATE_HOSTS', ...shared, reaches_all: true },
        { callers: 'identity', variable: 'ALLOWED_PRIVATE_HOSTS_IDENTITY', ...shared, reaches_all: false },
        { callers: 'services', variable: 'ALLOWED_PRIVATE_HOSTS_SERVICES', ...shared, reaches_all: false },
        {
          callers: 'users',
          variable: 'ALLOWED_PRIVATE_HOSTS_USERS',
          hosts: ['cdn.lan:8443'],
          every_port: false,
          reaches_all: false,
        },
      ]);
      expect(await of(admin)).toEqual([]);
    } finally {
      await app.close();
    }
  });
});

import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WebSocket, WebSocketServer } from 'ws';
import { oneSecondOfSpeech } from '../../../../server/gateway/channels/probing/probe-endpoints.js';
import { boundaryFor, writeMultipart } from '../../../../server/relay-core/framing/multipart.js';
import { startTestApp, type TestApp } from '../../../support/build-test-app.js';
import { FX_PRICES, GatewayConsole } from '../../../support/gateway-console.js';
import { RelayClient } from '../../../support/relay-client.js';

/** A vendor of one kind of call only, and the form of its call. */
interface Kind {
  readonly endpoint: string;
  readonly path: string;
  /** A model with the kind in its name. */
  readonly named: string;
  readonly answer: Buffer | object;
  body(model: string): object | Buffer;
}

const vectors = { object: 'list', data: [{ object: 'embedding', index: 0, embedding: [1, 0] }], usage: {} };
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==';

function formOf(model: string): { readonly body: Buffer; readonly boundary: string } {
  const values = [
    { name: 'model', text: model },
    { name: 'file', bytes: oneSecondOfSpeech(), fileName: 'a.wav', mediaType: 'audio/wav' },
  ];
  const boundary = boundaryFor(values);
  return { boundary, body: writeMultipart(values, boundary) };
}

const KINDS: readonly Kind[] = [
  {
    endpoint: 'transcriptions',
    path: '/v1/audio/transcriptions',
    named: 'whisper-1',
    answer: { text: 'Ah.' },
    body: (model) => formOf(model).body,
  },
  {
    endpoint: 'speech',
    path: '/v1/audio/speech',
    named: 'tts-1',
    answer: Buffer.from('ID3 sound'),
    body: (model) => ({ model, input: 'hi', voice: 'alloy' }),
  },
  {
    endpoint: 'embeddings',
    path: '/v1/embeddings',
    named: 'text-embedding-3-small',
    answer: vectors,
    body: (model) => ({ model, input: 'hi' }),
  },
  {
    endpoint: 'moderations',
    path: '/v1/moderations',
    named: 'omni-moderation-latest',
    answer: { id: 'm', model: 'm', results: [{ flagged: false, categories: {}, category_scores: {} }] },
    body: (model) => ({ model, input: 'hi' }),
  },
  {
    endpoint: 'images',
    path: '/v1/images/generations',
    named: 'gpt-image-1',
    answer: { created: 1, data: [{ b64_json: PIXEL }] },
    body: (model) => ({ model, prompt: 'a cat' }),
  },
  {
    endpoint: 'realtime',
    path: '/v1/realtime',
    named: 'gpt-realtime',
    answer: {},
    body: () => ({}),
  },
];

/** Serves one address only; while its key is refused, that one says so. */
class OneKindVendor {
  readonly paths: string[] = [];
  kind: Kind | undefined;
  refusesKey = true;
  private readonly sockets = new WebSocketServer({ noServer: true });

  private constructor(private readonly server: Server) {
    server.on('request', (request, response) => this.serve(request, response));
    server.on('upgrade', (request, socket, head) => {
      this.paths.push(this.pathOf(request));
      if (this.refusesKey || this.kind?.endpoint !== 'realtime') {
        const body = REFUSAL;
        socket.end(
          `HTTP/1.1 401 No\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
        );
        return;
      }
      this.sockets.handleUpgrade(request, socket, head, (webSocket) =>
        webSocket.send(JSON.stringify({ type: 'session.created', session: { id: 's' } })),
      );
    });
  }

  static async start(): Promise<OneKindVendor> {
    const server = createServer();
    const vendor = new OneKindVendor(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return vendor;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets.clients) socket.terminate();
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private pathOf(request: IncomingMessage): string {
    return (request.url ?? '').split('?', 1)[0] ?? '';
  }

  private serve(request: IncomingMessage, response: ServerResponse): void {
    request.resume().on('end', () => {
      const path = this.pathOf(request);
      this.paths.push(path);
      const send = (status: number, body: Buffer | string, type = 'application/json'): void => {
        response.writeHead(status, { 'content-type': type });
        response.end(body);
      };
      const { kind } = this;
      if (kind === undefined || path !== kind.path)
        return send(404, '{"error":{"message":"no such thing here","type":"invalid_request_error"}}');
      if (this.refusesKey) return send(401, REFUSAL);
      return Buffer.isBuffer(kind.answer)
        ? send(200, kind.answer, 'audio/mpeg')
        : send(200, JSON.stringify(kind.answer));
    });
  }
}

const REFUSAL = '{"error":{"message":"Incorrect API key provided","code":"invalid_api_key"}}';
const OPAQUE = 'house-model';

let app: TestApp;
let admin: GatewayConsole;
let vendor: OneKindVendor;
let client: RelayClient;
let key: string;

beforeAll(async () => {
  vendor = await OneKindVendor.start();
  app = await startTestApp();
  admin = new GatewayConsole(app.url);
  await admin.setUp();
  await admin.setOptions({
    ...FX_PRICES([...KINDS.flatMap(({ named, endpoint }) => [named, `${OPAQUE}-${endpoint}`])]),
    AutomaticDisableChannelEnabled: true,
    AutomaticEnableChannelEnabled: true,
    RetryTimes: 0,
  });
  ({ key } = await admin.addToken());
  client = new RelayClient(app.url, key);
});

afterAll(async () => {
  client?.close();
  await app?.close();
  await vendor?.close();
});

async function call(kind: Kind, model: string): Promise<number> {
  if (kind.endpoint === 'realtime') {
    const socket = new WebSocket(`${app.url.replace('http', 'ws')}/v1/realtime?model=${model}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    const [, response] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage];
    response.resume();
    return response.statusCode ?? 0;
  }
  const body = kind.body(model);
  const headers: Record<string, string> = Buffer.isBuffer(body)
    ? { 'content-type': `multipart/form-data; boundary=${formOf(model).boundary}` }
    : {};
  return (await client.ask({ path: kind.path, body, headers })).status;
}

interface Stored {
  readonly status: number;
  readonly other_info: string;
}

const read = (id: number): Promise<Stored> => admin.send<Stored>('GET', `/api/channel/${id}`);
const statusIs = (id: number, wanted: number): Promise<Stored> =>
  admin.waitFor(
    () => read(id),
    ({ status }) => status === wanted,
    20_000,
  );

async function testRun(query = ''): Promise<void> {
  await admin.send('GET', `/api/channel/test${query}`);
  await admin.waitFor(
    () => admin.send<{ running: boolean }>('GET', '/api/channel/job/test'),
    ({ running }) => !running,
    20_000,
  );
}

describe.each(KINDS)('a channel for $endpoint', (kind) => {
  it.each([
    ['a name that tells its kind', kind.named],
    ['a name that tells nothing', `${OPAQUE}-${kind.endpoint}`],
  ])('switches it off under %s by its calls and on again by its own kind of test', async (_how, model) => {
    vendor.kind = kind;
    vendor.refusesKey = true;
    vendor.paths.length = 0;
    const id = await admin.addChannel({ base_url: vendor.url, models: [model] });
    expect(await call(kind, model)).toBeGreaterThanOrEqual(400);
    expect((await statusIs(id, 3)).other_info).toContain('status_reason');

    // Still refused: a test run leaves it off.
    await testRun();
    expect((await read(id)).status).toBe(3);

    vendor.refusesKey = false;
    await testRun();
    expect(await statusIs(id, 1)).toMatchObject({ other_info: '' });
    expect(vendor.paths.at(-1)).toBe(kind.path);
    await admin.send('DELETE', `/api/channel/${id}`);
  });
});

describe('tests that are paid for', () => {
  const images = KINDS.find(({ endpoint }) => endpoint === 'images');

  it('runs them after a confirmation, and test runs leave out enabled channels that draw images', async () => {
    vendor.kind = images;
    vendor.refusesKey = false;
    const id = await admin.addChannel({
      base_url: vendor.url,
      models: ['gpt-image-1', 'gemini-2.5-flash-image'],
    });
    vendor.paths.length = 0;
    const ask = (query: string) =>
      admin.sendRaw<Record<string, unknown>>('GET', `/api/channel/test/${id}${query}`);
    for (const query of [
      '',
      '?endpoint_type=images',
      '?endpoint_type=image-generation',
      '?model=gemini-2.5-flash-image',
    ])
      expect(await ask(query)).toMatchObject({ success: false, code: 'channel_test_costs' });
    await testRun();
    expect(vendor.paths).toEqual([]);
    expect(await ask('?confirm_cost=true')).toMatchObject({
      success: true,
      endpoint: 'images',
      answer: '1 × image',
    });
    await testRun('?confirm_cost=true');
    expect(vendor.paths).toEqual(['/v1/images/generations', '/v1/images/generations']);
  });
});

import { beforeEach, describe, expect, it } from '@jest/globals';
import { aCaller, aRoute, MemoryPorts } from '../../../test/support/memory-ports.js';
import { MemoryReply, type MemoryExchange } from '../../../test/support/memory-sides.js';
import { aClientCall } from '../../../test/support/relay-calls.js';
import { anthropic } from '../dialects/anthropic.js';
import { countCall, isCountRoute } from './count-call.js';

let ports: MemoryPorts;
let reply: MemoryReply;

beforeEach(() => {
  ports = new MemoryPorts();
  ports.prices.models.add('claude-x');
  ports.channels.routes[0] = aRoute({
    channelType: 14,
    upstreamModel: 'claude-upstream',
    isModelMapped: true,
  });
  reply = new MemoryReply();
});

const ask = async (
  body: object = { messages: [{ role: 'user', content: 'Hello there' }] },
  headers: Readonly<Record<string, string>> = {},
): Promise<unknown> => {
  const route = anthropic.routes.find(isCountRoute);
  if (route === undefined || !isCountRoute(route)) throw new Error('no address counts');
  const bytes = Buffer.from(JSON.stringify({ model: 'claude-x', ...body }));
  const call = aClientCall({
    path: route.path,
    body: bytes,
    headers: { authorization: 'Bearer sk-test', ...headers },
  });
  await countCall(ports, call, anthropic, route, reply);
  return JSON.parse(reply.text);
};
const answering =
  (status: number, body: string) =>
  (upstream: MemoryExchange): void => {
    upstream.head(status, { 'content-type': 'application/json' }).bytes(body).end();
  };

describe('a count', () => {
  it('takes the vendor’s number, moves no money, and sends the prompt alone', async () => {
    ports.sender.scripts = [answering(200, '{"input_tokens":77}')];
    const { balance } = ports.quota;
    expect(await ask()).toEqual({ input_tokens: 77 });
    expect(reply.status).toBe(200);
    expect(ports.quota).toMatchObject({ balance, settled: [], dispatches: [] });
    expect(ports.sender.exchanges[0]?.body).toEqual({
      model: 'claude-upstream',
      messages: [{ role: 'user', content: 'Hello there' }],
    });
  });

  it.each([
    ['refuses', answering(401, '{"input_tokens":77}')],
    ['answers something else', answering(200, '<html>')],
    ['answers without end', answering(200, 'x'.repeat(100_000))],
    ['counts below nothing', answering(200, '{"input_tokens":-1}')],
    ['breaks off', (upstream: MemoryExchange) => void upstream.breakWith({ kind: 'reset' })],
  ])('takes our own number when the vendor %s', async (_name, script) => {
    ports.sender.scripts = [script];
    const { input_tokens: tokens } = (await ask()) as { input_tokens: number };
    expect(tokens).toBeGreaterThan(0);
    expect(tokens).toBeLessThan(30);
  });

  it('takes our own number when the vendor is silent for ten seconds, and ends that request', async () => {
    let asked: MemoryExchange | undefined;
    ports.sender.scripts = [
      (upstream) => {
        asked = upstream;
        ports.clock.advance(10_000);
      },
    ];
    expect(((await ask()) as { input_tokens: number }).input_tokens).toBeLessThan(30);
    expect(asked?.isAborted).toBe(true);
  });

  it('takes our own number where the vendor speaks another API, without asking it', async () => {
    ports.channels.routes[0] = aRoute({ channelType: 1 });
    expect(await ask()).toMatchObject({ input_tokens: expect.any(Number) });
    expect(ports.sender.exchanges).toEqual([]);
  });

  it('lays the channel’s headers over it as over a call: templates filled, nothing forbidden [CH-05]', async () => {
    ports.channels.routes[0] = aRoute({
      channelType: 14,
      credential: 'sk-of-the-channel',
      headerOverride: {
        'x-tenant': 'key {api_key}',
        'x-from': '{client_header:x-team}',
        're:^x-pass-': '',
        host: 'elsewhere.example',
      },
    });
    ports.sender.scripts = [answering(200, '{"input_tokens":5}')];
    expect(await ask(undefined, { 'x-pass-one': 'yes', 'x-api-key': 'sk-test', cookie: 'a=b' })).toEqual({
      input_tokens: 5,
    });
    const headers = ports.sender.exchanges[0]?.request.headers;
    expect(headers).toMatchObject({ 'x-tenant': 'key sk-of-the-channel', 'x-pass-one': 'yes' });
    for (const name of ['x-from', 're:^x-pass-', 'host', 'cookie'])
      expect(headers).not.toHaveProperty([name]);
  });

  it('takes its place in the rate windows and gives back what it held', async () => {
    ports.admission.windows = [{ key: 'k', limit: 1, windowMs: 1, mode: 'count', refusal: 'no' }];
    ports.sender.scripts = [answering(200, '{"input_tokens":5}')];
    const { balance } = ports.quota;
    expect(await ask()).toEqual({ input_tokens: 5 });
    expect(ports.quota).toMatchObject({ balance, released: ['call-1'] });
  });

  it.each([
    ['a stranger', () => ports.callers.known.clear(), 401],
    [
      'a token without the model',
      () => ports.callers.known.set('sk-test', aCaller({ modelLimits: new Set() })),
      403,
    ],
    ['a model nobody serves', () => void (ports.channels.routes.length = 0), 503],
  ])('refuses %s', async (_name, arrange, status) => {
    arrange();
    expect(await ask()).toMatchObject({ type: 'error' });
    expect(reply.status).toBe(status);
  });

  it('refuses a call without messages', async () => {
    expect(await ask({})).toMatchObject({ type: 'error', error: { type: 'invalid_request_error' } });
    expect(reply.status).toBe(400);
  });
});

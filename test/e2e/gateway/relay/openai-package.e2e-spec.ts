import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LLMock } from '@copilotkit/aimock';
import OpenAI, { APIError } from 'openai';
import { FakeUpstream } from '../../../support/fake-upstream.js';
import { FX_PRICES, GatewayConsole, missing } from '../../../support/gateway-console.js';
import { GatewayProcess } from '../../../support/gateway-process.js';

/** The official client against a gateway whose upstream is our scripted one, and a third-party one. */
const FAKE_MODELS = ['fx-std', 'fx-json', 'fx-tools', 'fx-embed', 'fx-quick'];
const MOCK_MODELS = ['mock-chat', 'mock-tools', 'mock-embed'];

let gateway: GatewayProcess;
let admin: GatewayConsole;
let upstream: FakeUpstream;
let mock: LLMock;
let client: OpenAI;
let key: string;

interface LogLine {
  readonly request_id: string;
  readonly model_name: string;
  readonly quota: number;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly is_stream: boolean;
  readonly channel_name: string;
  readonly other: string;
}

const question = {
  messages: [{ role: 'user' as const, content: 'Say tok fifty times, please, thank you.' }],
};
const tool = {
  type: 'function' as const,
  function: { name: 'weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } },
};

beforeAll(async () => {
  upstream = await FakeUpstream.start();
  mock = new LLMock({ port: 0, host: '127.0.0.1' });
  mock.onMessage(/hello/i, {
    content: 'Hello from the mock.',
    usage: { prompt_tokens: 12, completion_tokens: 6, total_tokens: 18 },
  });
  mock.onMessage(/weather/i, {
    toolCalls: [{ name: 'weather', arguments: '{"city":"Oslo"}' }],
    usage: { prompt_tokens: 20, completion_tokens: 9, total_tokens: 29 },
  });
  await mock.start();
  gateway = await GatewayProcess.start();
  admin = new GatewayConsole(gateway.url);
  await admin.setUp();
  await admin.setOptions(FX_PRICES([...FAKE_MODELS, ...MOCK_MODELS]));
  await admin.addChannel({ name: 'fake', base_url: upstream.url, models: FAKE_MODELS });
  await admin.addChannel({ name: 'mock', base_url: mock.url, models: MOCK_MODELS });
  ({ key } = await admin.addToken());
  client = new OpenAI({ apiKey: key, baseURL: `${gateway.url}/v1`, maxRetries: 0 });
});

afterAll(async () => {
  await gateway?.stop();
  await mock?.stop();
  await upstream?.close();
});

const logOf = async (model: string): Promise<LogLine> => {
  const lines = await admin.waitFor(
    () => admin.send<{ items: LogLine[] }>('GET', `/api/log/?p=1&page_size=10&type=2&model_name=${model}`),
    ({ items }) => items.length > 0,
  );
  return lines.items.at(0) ?? missing();
};

/** The charge of `call`, measured on the balance its owner sees. */
async function chargeOf(call: () => Promise<unknown>): Promise<number> {
  const before = await admin.balance();
  await call();
  const after = await admin.waitFor(
    () => admin.balance(),
    (balance) => balance !== before,
  );
  return before - after;
}

describe('the openai package through the gateway', () => {
  it('answers a plain call and charges exactly what the upstream reported', async () => {
    // Ratio 1: 10 prompt + 50 × 2 output = 110.
    const charge = await chargeOf(async () => {
      const completion = await client.chat.completions.create({ model: 'fx-json', ...question });
      expect(completion.choices[0]?.message.content).toBe('tok '.repeat(50).trim());
      expect(completion.usage).toEqual({ prompt_tokens: 10, completion_tokens: 50, total_tokens: 60 });
    });
    expect(charge).toBe(110);
    expect(await logOf('fx-json')).toMatchObject({
      quota: 110,
      prompt_tokens: 10,
      completion_tokens: 50,
      is_stream: false,
    });
  });

  it('hides the usage frame of a stream from a client that does not want it, and charges by it', async () => {
    const charge = await chargeOf(async () => {
      const stream = await client.chat.completions.create({ model: 'fx-std', stream: true, ...question });
      let text = '';
      for await (const chunk of stream) {
        expect(chunk.usage ?? null).toBeNull();
        text += chunk.choices[0]?.delta.content ?? '';
      }
      expect(text).toBe(' tok'.repeat(50));
    });
    expect(charge).toBe(110);
    expect(await logOf('fx-std')).toMatchObject({ quota: 110, is_stream: true, completion_tokens: 50 });
  });

  it('shows the usage frame to a client that wants it', async () => {
    const stream = await client.chat.completions.create({
      model: 'fx-quick',
      stream: true,
      stream_options: { include_usage: true },
      ...question,
    });
    const usages = [];
    for await (const chunk of stream) if (chunk.usage) usages.push(chunk.usage);
    expect(usages).toEqual([{ prompt_tokens: 10, completion_tokens: 50, total_tokens: 60 }]);
  });

  it('carries tool calls, whole and streamed', async () => {
    const whole = await client.chat.completions.create({ model: 'fx-tools', tools: [tool], ...question });
    expect(whole.choices[0]?.message.tool_calls?.[0]).toMatchObject({
      id: 'call_1',
      function: { name: 'weather', arguments: '{"city":"Paris"}' },
    });
    const stream = await client.chat.completions.create({
      model: 'fx-tools',
      stream: true,
      tools: [tool],
      ...question,
    });
    let collected = '';
    for await (const chunk of stream)
      collected += chunk.choices[0]?.delta.tool_calls?.[0]?.function?.arguments ?? '';
    expect(collected).toBe('{"city":"Paris"}');
  });

  it('embeds', async () => {
    const result = await client.embeddings.create({ model: 'fx-embed', input: ['one', 'two'] });
    expect(result.data.map((one) => one.embedding)).toEqual([
      [0.25, -0.5, 0.125],
      [0.25, -0.5, 0.125],
    ]);
    // 10 prompt tokens × ratio 1.
    expect(await logOf('fx-embed')).toMatchObject({ quota: 10, prompt_tokens: 10, completion_tokens: 0 });
  });

  it('lists the models of the token and shows one', async () => {
    const models = [];
    for await (const model of client.models.list()) models.push(model.id);
    expect(models.sort()).toEqual([...FAKE_MODELS, ...MOCK_MODELS].sort());
    expect(await client.models.retrieve('fx-std')).toMatchObject({ id: 'fx-std', object: 'model' });
    await expect(client.models.retrieve('nothing')).rejects.toMatchObject({
      status: 404,
      code: 'model_not_found',
    });
  });

  it('works with a third-party upstream', async () => {
    const hello = { messages: [{ role: 'user' as const, content: 'hello there' }] };
    const whole = await client.chat.completions.create({ model: 'mock-chat', ...hello });
    expect(whole.choices[0]?.message.content).toBe('Hello from the mock.');
    // 12 + 6 × 2.
    expect(await logOf('mock-chat')).toMatchObject({ quota: 24 });
    const stream = await client.chat.completions.create({ model: 'mock-chat', stream: true, ...hello });
    let text = '';
    for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? '';
    expect(text).toBe('Hello from the mock.');
    const called = await client.chat.completions.create({
      model: 'mock-tools',
      tools: [tool],
      messages: [{ role: 'user', content: 'weather please' }],
    });
    expect(called.choices[0]?.message.tool_calls?.[0]).toMatchObject({ function: { name: 'weather' } });
    const embedded = await client.embeddings.create({ model: 'mock-embed', input: 'some text' });
    expect(embedded.data[0]?.embedding.length).toBeGreaterThan(0);
  });

  it('carries the request id of the log line in the answer', async () => {
    const { response } = await client.chat.completions
      .create({ model: 'fx-quick', ...question })
      .withResponse();
    const requestId = response.headers.get('x-request-id') ?? '';
    expect(requestId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(response.headers.get('x-oneapi-request-id')).toBe(requestId);
    const lines = await admin.waitFor(
      () => admin.send<{ items: LogLine[] }>('GET', '/api/log/?p=1&page_size=20&type=2&model_name=fx-quick'),
      ({ items }) => items.some((line) => line.request_id === requestId),
    );
    expect(lines.items.find((line) => line.request_id === requestId)).toMatchObject({
      channel_name: 'fake',
      quota: 110,
    });
  });
});

describe('refusals, as the openai package reports them', () => {
  const refusalOf = async (call: Promise<unknown>): Promise<APIError> => {
    const outcome = await call.then(
      () => new Error('the call was answered'),
      (error: unknown) => error,
    );
    if (!(outcome instanceof APIError)) throw outcome;
    return outcome;
  };
  const chat = (using: OpenAI, model = 'fx-json'): Promise<APIError> =>
    refusalOf(using.chat.completions.create({ model, ...question }));
  const clientFor = (apiKey: string): OpenAI =>
    new OpenAI({ apiKey, baseURL: `${gateway.url}/v1`, maxRetries: 0 });

  it('a wrong key', async () => {
    const refusal = await chat(clientFor('sk-wrong'));
    expect(refusal).toMatchObject({ status: 401, code: 'invalid_api_key' });
    expect(refusal.message).toContain('API key');
  });

  it('a model without a channel', async () => {
    const refusal = await chat(client, 'no-such-model');
    expect(refusal).toMatchObject({ status: 404, code: 'model_not_found' });
    expect(refusal.message).toContain('no-such-model');
  });

  it('a model without a price', async () => {
    await admin.addChannel({ base_url: upstream.url, models: ['unpriced-model'] });
    const refusal = await chat(client, 'unpriced-model');
    expect(refusal).toMatchObject({ status: 400, code: 'model_price_error' });
    expect(refusal.message).toContain('unpriced-model');
  });

  it('a token with nothing left', async () => {
    const { key: poorKey } = await admin.addToken({ unlimited_quota: false, remain_quota: 5 });
    const refusal = await chat(clientFor(poorKey));
    expect(refusal.status).toBe(403);
    expect(refusal.code).toBe('pre_consume_token_quota_failed');
    expect(refusal.message).toMatch(/quota/i);
  });

  it('a token that may not use the model', async () => {
    const { key: narrowKey } = await admin.addToken({ model_limits_enabled: true, model_limits: 'fx-std' });
    expect((await chat(clientFor(narrowKey))).status).toBe(403);
    const models = [];
    for await (const model of clientFor(narrowKey).models.list()) models.push(model.id);
    expect(models).toEqual(['fx-std']);
  });

  it('a token within a second of its being disabled [TOK-08]', async () => {
    const { id, key: shortKey } = await admin.addToken();
    await clientFor(shortKey).chat.completions.create({ model: 'fx-quick', ...question });
    await admin.send('PUT', '/api/token/?status_only=true', { id, status: 2 });
    expect((await chat(clientFor(shortKey))).status).toBe(401);
  });

  it('leaves no trace in the books', async () => {
    await admin.waitFor(
      () => gateway.checkMoney(),
      ({ exitCode }) => exitCode === 0,
    );
  });
});

import Anthropic from '@anthropic-ai/sdk';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openAnthropicFixture, type AnthropicFixture } from './anthropic.fixture.js';
import {
  frame,
  signatureOf,
  type Block,
  type ClaudeRequest,
} from '../../../support/strict-vendors/claude-rules.js';
import { refuse } from './claude-vendor.js';

/** Anthropic's own client through the gateway to Anthropic's own format; prices in anthropic-house.ts. */
let fixture: AnthropicFixture;
/** The gateway's name for `claude-sonnet-4-5`. */
const MODEL = 'sonnet';
const UPSTREAM_MODEL = 'claude-sonnet-4-5';
/** A call that costs 10 + 5 × 5. */
const HELLO_CHARGE = 35;
const ask = (text: string): Anthropic.MessageParam[] => [{ role: 'user', content: text }];
const HELLO = { model: MODEL, max_tokens: 10, messages: ask('Hi') };

beforeAll(async () => {
  fixture = await openAnthropicFixture();
});
afterAll(async () => {
  await fixture?.close();
});
beforeEach(() => {
  fixture.claude.raw = undefined;
  fixture.claude.script = () => ({ content: [{ type: 'text', text: 'Hello' }], stop_reason: 'end_turn' });
});

const errorOf = async (call: Promise<unknown>): Promise<InstanceType<typeof Anthropic.APIError>> => {
  const error: unknown = await call.then(
    () => undefined,
    (fault: unknown) => fault,
  );
  if (!(error instanceof Anthropic.APIError)) throw new Error(`no error of the API: ${String(error)}`);
  return error;
};

describe('a message', () => {
  it('answers, charges each of its buckets, and carries no key of the caller upstream', async () => {
    fixture.claude.script = () => ({
      content: [{ type: 'text', text: 'Hello' }],
      stop_reason: 'end_turn',
      usage: {
        input_tokens: 100,
        cache_read_input_tokens: 1_000,
        cache_creation_input_tokens: 300,
        cache_creation: { ephemeral_5m_input_tokens: 200, ephemeral_1h_input_tokens: 100 },
        output_tokens: 20,
      },
    });
    const system = [
      { type: 'text', text: 'Long.', cache_control: { type: 'ephemeral', ttl: '1h' } },
    ] as const;
    const charge = await fixture.chargeOf(async ({ anthropic }) => {
      const message = await anthropic.messages.create({
        model: MODEL,
        max_tokens: 100,
        system: [...system],
        messages: ask('Hi'),
      });
      expect(message.content).toEqual([{ type: 'text', text: 'Hello' }]);
      expect(message.usage.cache_creation?.ephemeral_1h_input_tokens).toBe(100);
    });
    // 100 + 1,000 × 0.1 + 200 × 1.25 + 100 × 2 + 20 × 5
    expect(charge).toBe(750);
    const { headers, body } = fixture.claude.vendor.last('/v1/messages');
    expect(headers['x-api-key']).toBe('sk-ant-upstream-key');
    expect(headers['anthropic-version']).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    expect(headers['authorization']).toBeUndefined();
    expect(JSON.stringify(headers)).not.toContain(fixture.key.slice(3));
    expect(JSON.parse(body.toString())).toMatchObject({ system });
  });

  it('streams, its events untouched and its figures charged once', async () => {
    fixture.claude.script = () => ({
      content: [{ type: 'text', text: 'Grüße 👋' }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 100, output_tokens: 20 },
    });
    const charge = await fixture.chargeOf(async ({ anthropic }) => {
      const stream = anthropic.messages.stream({ model: MODEL, max_tokens: 100, messages: ask('Hi') });
      const types: string[] = [];
      stream.on('streamEvent', ({ type }) => types.push(type));
      const message = await stream.finalMessage();
      expect(message.content).toEqual([{ type: 'text', text: 'Grüße 👋' }]);
      expect(message.usage.output_tokens).toBe(20);
      expect(types).toEqual([
        'message_start',
        'content_block_start',
        'content_block_delta',
        'content_block_delta',
        'content_block_stop',
        'message_delta',
        'message_stop',
      ]);
    });
    expect(charge).toBe(200);
  });

  it('names beta features upstream, in header and address', async () => {
    await fixture.anthropic.beta.messages.create({
      model: MODEL,
      max_tokens: 10,
      messages: ask('Hi'),
      betas: ['context-management-2025-06-27'],
    });
    const { headers } = fixture.claude.vendor.last('/v1/messages');
    expect(headers['anthropic-beta']).toBe('context-management-2025-06-27');
  });

  it('gets the operator’s cap without its own', async () => {
    const body = JSON.stringify({ model: MODEL, messages: ask('Hi') });
    const headers = { 'x-api-key': fixture.key, 'content-type': 'application/json' };
    const response = await fetch(`${fixture.app.url}/v1/messages`, { method: 'POST', headers, body });
    expect(response.status).toBe(200);
    expect(JSON.parse(fixture.claude.vendor.last('/v1/messages').body.toString())).toMatchObject({
      max_tokens: 64_000,
    });
  });

  it('carries images', async () => {
    const content: Anthropic.ContentBlockParam[] = [
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } },
      { type: 'text', text: 'What is it?' },
    ];
    await fixture.anthropic.messages.create({
      model: MODEL,
      max_tokens: 10,
      messages: [{ role: 'user', content }],
    });
    const request = JSON.parse(fixture.claude.vendor.last('/v1/messages').body.toString()) as ClaudeRequest;
    expect(request.messages[0]?.content).toEqual(content);
  });

  it('thinks when its model’s name asks for it', async () => {
    const sampled = { temperature: 0.2 };
    await fixture.anthropic.messages.create({
      model: `${MODEL}-thinking`,
      max_tokens: 5_000,
      messages: ask('Hi'),
      ...sampled,
    });
    const request = JSON.parse(fixture.claude.vendor.last('/v1/messages').body.toString()) as ClaudeRequest;
    expect(request).toMatchObject({
      model: UPSTREAM_MODEL,
      thinking: { type: 'enabled', budget_tokens: 4_000 },
    });
    expect(request).not.toHaveProperty('temperature');
    await fixture.anthropic.messages.create({
      model: 'claude-opus-4-8-low',
      max_tokens: 50,
      messages: ask('Hi'),
    });
    expect(JSON.parse(fixture.claude.vendor.last('/v1/messages').body.toString())).toMatchObject({
      model: 'claude-opus-4-8',
      thinking: { type: 'adaptive', display: 'summarized' },
      output_config: { effort: 'low' },
    });
  });
});

describe('twenty turns of tools and thoughts', () => {
  const tools: Anthropic.Tool[] = [
    {
      name: 'add',
      description: 'Adds',
      input_schema: { type: 'object', properties: { n: { type: 'integer' } } },
    },
    { name: 'now', input_schema: { type: 'object' } },
  ];

  it.each([false, true])('keeps every signature, id and argument (streamed: %s)', async (isStreamed) => {
    let turn = 0;
    fixture.claude.script = ({ messages }) => {
      turn += 1;
      const thinking = `Turn ${turn} of ${messages.length} messages.`;
      const thought: Block = { type: 'thinking', thinking, signature: signatureOf(thinking) };
      if (turn === 20) return { content: [thought, { type: 'text', text: 'Done' }], stop_reason: 'end_turn' };
      return {
        content: [
          thought,
          { type: 'text', text: `Step ${turn}` },
          { type: 'tool_use', id: `toolu_${turn}a`, name: 'add', input: { n: turn, text: '“x”\n' } },
          { type: 'tool_use', id: `toolu_${turn}b`, name: 'now', input: {} },
        ],
        stop_reason: 'tool_use',
      };
    };
    const messages: Anthropic.MessageParam[] = ask('Begin');
    let last: Anthropic.Message | undefined;
    for (let step = 0; step < 20; step += 1) {
      const body = {
        model: MODEL,
        max_tokens: 4_000,
        thinking: { type: 'enabled', budget_tokens: 2_000 } as const,
        tools,
        messages,
      };
      last = isStreamed
        ? await fixture.anthropic.messages.stream(body).finalMessage()
        : await fixture.anthropic.messages.create(body);
      messages.push({ role: 'assistant', content: last.content });
      if (last.stop_reason !== 'tool_use') break;
      const content = last.content.flatMap((block): Anthropic.ToolResultBlockParam[] =>
        block.type === 'tool_use'
          ? [{ type: 'tool_result', tool_use_id: block.id, content: JSON.stringify(block.input) }]
          : [],
      );
      expect(content).toHaveLength(2);
      messages.push({ role: 'user', content });
    }
    expect(turn).toBe(20);
    expect(last?.content.at(-1)).toEqual({ type: 'text', text: 'Done' });
    expect(messages[37]?.content).toEqual([
      expect.objectContaining({ type: 'thinking', signature: expect.any(String) }),
      expect.objectContaining({ text: 'Step 19' }),
      { type: 'tool_use', id: 'toolu_19a', name: 'add', input: { n: 19, text: '“x”\n' } },
      { type: 'tool_use', id: 'toolu_19b', name: 'now', input: {} },
    ]);
  });
});

describe('counting tokens', () => {
  it('gives the vendor’s own count, free of charge', async () => {
    const charge = await fixture.chargeOf(async ({ anthropic }) => {
      const count = await anthropic.messages.countTokens({
        model: MODEL,
        messages: ask('Hi'),
        system: 'S',
        thinking: { type: 'enabled', budget_tokens: 2_000 },
      });
      expect(count).toEqual({ input_tokens: 4_242 });
      await anthropic.messages.create(HELLO);
    });
    expect(charge).toBe(HELLO_CHARGE);
  });

  it('gives our count where the vendor has another API', async () => {
    const { input_tokens } = await fixture.anthropic.messages.countTokens({
      model: 'gpt-x',
      messages: ask('Hello there'),
    });
    expect(input_tokens).toBeGreaterThan(2);
    expect(input_tokens).toBeLessThan(30);
  });

  it('requires a key and a served model, like every call', async () => {
    const stranger = new Anthropic({ apiKey: 'sk-nobody', baseURL: fixture.app.url, maxRetries: 0 });
    const unknown = await errorOf(stranger.messages.countTokens({ model: MODEL, messages: ask('Hi') }));
    expect(unknown).toBeInstanceOf(Anthropic.AuthenticationError);
    const unserved = await errorOf(
      fixture.anthropic.messages.countTokens({ model: 'no-such', messages: ask('Hi') }),
    );
    expect(unserved.status).toBeGreaterThanOrEqual(400);
  });
});

describe('the list of models', () => {
  it('has this family’s shape', async () => {
    const page = await fixture.anthropic.models.list();
    expect(page.data.map(({ id }) => id)).toEqual([...page.data.map(({ id }) => id)].sort());
    expect(page.data[0]).toMatchObject({ type: 'model', id: 'claude-opus-4-8' });
    expect((await fixture.anthropic.models.retrieve(MODEL)).id).toBe(MODEL);
    expect(await errorOf(fixture.anthropic.models.retrieve('none'))).toBeInstanceOf(Anthropic.NotFoundError);
  });
});

describe('a failure', () => {
  const body = { model: MODEL, max_tokens: 10, messages: ask('Hi') };

  it('reports a caller’s fault in this family’s words', async () => {
    const stranger = new Anthropic({ apiKey: 'sk-nobody', baseURL: fixture.app.url, maxRetries: 0 });
    const unknown = await errorOf(stranger.messages.create(body));
    expect(unknown).toBeInstanceOf(Anthropic.AuthenticationError);
    expect(unknown.error).toMatchObject({ type: 'error', error: { type: 'authentication_error' } });
    const empty = await errorOf(fixture.anthropic.messages.create({ ...body, messages: [] }));
    expect(empty).toBeInstanceOf(Anthropic.BadRequestError);
    expect(empty.error).toMatchObject({ error: { type: 'invalid_request_error' } });
  });

  it.each([
    ['GET', '/v1/messages', {}, 405, 'invalid_request_error'],
    ['POST', '/v1/messages/unknown', {}, 404, 'not_found_error'],
    ['POST', '/v1/messages/batches', {}, 501, 'api_error'],
    ['POST', '/v1/messages', { 'content-type': 'text/plain' }, 415, 'invalid_request_error'],
    [
      'POST',
      '/v1/messages',
      { 'x-api-key': 'sk-other', authorization: 'Bearer x' },
      401,
      'authentication_error',
    ],
  ])('gives one at the edge this family’s shape: %s %s (%j)', async (method, path, headers, status, type) => {
    const response = await fetch(`${fixture.app.url}${path}`, {
      method,
      headers: { 'x-api-key': fixture.key, 'content-type': 'application/json', ...headers },
      ...(method === 'POST' ? { body: '{}' } : {}),
    });
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ type: 'error', error: { type } });
  });

  it('keeps status, type and sentence of the vendor’s', async () => {
    fixture.claude.raw = (response) => refuse(response, 'prompt is too long: 200001 tokens');
    const long = await errorOf(fixture.anthropic.messages.create(body));
    expect(long.status).toBe(400);
    expect(long.message).toContain('prompt is too long');
    fixture.claude.raw = (response) => {
      response.writeHead(529, { 'content-type': 'application/json' });
      response.end('{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}');
    };
    const busy = await errorOf(fixture.anthropic.messages.create(body));
    expect(busy.status).toBe(529);
    expect(busy.error).toMatchObject({ error: { type: 'overloaded_error' } });
  });

  it('reports a failure inside a stream before the first text as an ordinary error, at no cost', async () => {
    fixture.claude.raw = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(frame({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }));
    };
    const charge = await fixture.chargeOf(async ({ anthropic }) => {
      const error = await errorOf(anthropic.messages.create({ ...body, stream: true }));
      expect(error.status).toBeGreaterThanOrEqual(500);
      fixture.claude.raw = undefined;
      await anthropic.messages.create(HELLO);
    });
    expect(charge).toBe(HELLO_CHARGE);
  });

  it('reports a failure inside a stream after text as an error event, and charges the received part', async () => {
    fixture.claude.raw = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(
        frame({
          type: 'message_start',
          message: {
            id: 'm',
            type: 'message',
            role: 'assistant',
            content: [],
            usage: { input_tokens: 9, output_tokens: 1 },
          },
        }) +
          frame({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }) +
          frame({
            type: 'content_block_delta',
            index: 0,
            delta: { type: 'text_delta', text: 'Half an' },
          }) +
          frame({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }),
      );
      response.end();
    };
    const charge = await fixture.chargeOf(async ({ anthropic }) => {
      const stream = anthropic.messages.stream({ ...body });
      let text = '';
      stream.on('text', (piece) => (text += piece));
      const error = await errorOf(stream.finalMessage());
      expect(error.error).toMatchObject({ type: 'error', error: { type: 'overloaded_error' } });
      expect(text).toBe('Half an');
    });
    expect(charge).toBeGreaterThan(0);
    expect(charge).toBeLessThan(60);
  });

  it('cancels the vendor when the client times out, and charges the received part', async () => {
    fixture.claude.raw = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(
        frame({
          type: 'message_start',
          message: {
            id: 'm',
            type: 'message',
            role: 'assistant',
            content: [],
            usage: { input_tokens: 9, output_tokens: 1 },
          },
        }) +
          frame({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }) +
          frame({
            type: 'content_block_delta',
            index: 0,
            delta: { type: 'text_delta', text: 'Word' },
          }),
      );
    };
    const { cancelled } = fixture.claude.vendor;
    const charge = await fixture.chargeOf(async ({ anthropic }) => {
      const stream = anthropic.messages.stream({ ...body });
      stream.on('text', () => stream.abort());
      await expect(stream.finalMessage()).rejects.toThrow(Anthropic.APIUserAbortError);
      await fixture.claude.vendor.until(() => fixture.claude.vendor.cancelled > cancelled);
    });
    expect(charge).toBeGreaterThan(0);
    expect(charge).toBeLessThan(60);
  });
});

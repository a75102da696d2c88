import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AWS_KEY, expectSigned } from './check-signature.js';
import { VendorFixture } from './vendor.fixture.js';
import { awsFrame } from '../../support/aws-frames.js';
import { awsStream, json } from './vendor-server.js';

const CLAUDE = 'anthropic.claude-3-7-sonnet-20250219-v1:0';
const question = [{ role: 'user' as const, content: 'How is the weather in Oslo and in Bergen?' }];

let fixture: VendorFixture;

beforeAll(async () => {
  fixture = await VendorFixture.start([{ type: 33, key: AWS_KEY, other: 'none', models: [CLAUDE] }]);
});
afterAll(() => fixture?.stop());

describe('an Anthropic client over Claude on Bedrock', () => {
  const invoke = `/model/${encodeURIComponent(CLAUDE)}/invoke`;
  const events = [
    {
      type: 'message_start',
      message: {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        content: [],
        model: 'claude',
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 9, output_tokens: 1 },
      },
    },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello' }, unheard_of: 1 },
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: { output_tokens: 5 },
    },
    { type: 'message_stop', 'amazon-bedrock-invocationMetrics': { inputTokenCount: 9 } },
  ];
  const chunk = (event: unknown): Buffer =>
    awsFrame('chunk', { bytes: Buffer.from(JSON.stringify(event)).toString('base64'), p: 'x' });

  it('asks by invoke: the body as it was, without model and streaming; every event passes untouched', async () => {
    fixture.vendor.on(`${invoke}-with-response-stream`, awsStream(events.map(chunk)));
    const body = {
      model: CLAUDE,
      max_tokens: 50,
      messages: question,
      stream: true,
      metadata: { user_id: 'u' },
    };
    const response = await fetch(`${fixture.url}/v1/messages`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-api-key': fixture.key,
        'anthropic-version': '2023-06-01',
        'anthropic-beta': 'context-1m-2025-08-07',
      },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    expect(text).toBe(
      events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''),
    );
    const request = fixture.vendor.last(`${invoke}-with-response-stream`);
    await expectSigned(request);
    expect(request.body).toEqual({
      max_tokens: 50,
      messages: question,
      anthropic_version: 'bedrock-2023-05-31',
      anthropic_beta: ['context-1m-2025-08-07'],
    });
  });

  it('a form leaves under the name Bedrock knows, whichever the client wrote', async () => {
    const format = { type: 'json_schema', schema: { type: 'object', additionalProperties: false } };
    const asked = { model: CLAUDE, max_tokens: 50, messages: question };
    const said = { id: 'msg_3', type: 'message', role: 'assistant', model: 'claude', stop_sequence: null };
    const usage = { input_tokens: 9, output_tokens: 2 };
    fixture.vendor.on(
      invoke,
      json({ ...said, content: [{ type: 'text', text: '{}' }], stop_reason: 'end_turn', usage }),
    );
    const outputs: readonly Readonly<Record<string, unknown>>[] = [
      { output_config: { format } },
      { output_format: format },
      { output_format: null },
    ];
    const left: unknown[] = [];
    for (const output of outputs) {
      const { status } = await fixture.post('/v1/messages', { ...asked, ...output });
      const { output_format: old, output_config: config } = fixture.vendor.last(invoke).body;
      left.push([status, old, config]);
    }
    expect(left).toEqual([
      [200, undefined, { format }],
      [200, undefined, { format }],
      [200, undefined, undefined],
    ]);
  });

  it('keeps the form of a call whose effort the model does not take', async () => {
    const format = { type: 'json_schema', schema: { type: 'object', additionalProperties: false } };
    const content = [{ type: 'tool_use', id: 'toolu_1', name: 'answer', input: {} }];
    const usage = { input_tokens: 9, output_tokens: 2 };
    fixture.vendor.on(
      invoke,
      json({
        id: 'm',
        type: 'message',
        role: 'assistant',
        model: 'c',
        content,
        stop_reason: 'tool_use',
        usage,
      }),
    );
    const more = { output_format: format, output_config: { effort: 'low' } };
    const { status } = await fixture.post('/v1/messages', {
      model: CLAUDE,
      max_tokens: 50,
      messages: question,
      ...more,
    });
    const { output_config: config, tools, tool_choice: choice } = fixture.vendor.last(invoke).body;
    expect([status, config]).toEqual([200, undefined]);
    const [tool] = tools as readonly { readonly name: string }[];
    expect(tools).toMatchObject([{ input_schema: format.schema }]);
    expect(choice).toMatchObject({ type: 'tool', name: tool?.name });
  });

  it('the official client reads it, streamed and whole', async () => {
    fixture.vendor.on(`${invoke}-with-response-stream`, awsStream(events.map(chunk)));
    const stream = fixture.anthropic.messages.stream({ model: CLAUDE, max_tokens: 50, messages: question });
    const message = await stream.finalMessage();
    expect([message.content[0], message.usage.output_tokens]).toMatchObject([
      { type: 'text', text: 'Hello' },
      5,
    ]);
    fixture.vendor.on(
      invoke,
      json({
        id: 'msg_2',
        type: 'message',
        role: 'assistant',
        model: 'claude',
        content: [{ type: 'text', text: 'Hey' }],
        stop_reason: 'end_turn',
        stop_sequence: null,
        usage: { input_tokens: 9, output_tokens: 2 },
      }),
    );
    const whole = await fixture.anthropic.messages.create({
      model: CLAUDE,
      max_tokens: 50,
      messages: question,
    });
    expect(whole.content[0]).toMatchObject({ type: 'text', text: 'Hey' });
  });

  it('an exception in the middle is an error event', async () => {
    const broken = awsFrame('serviceUnavailableException', { message: 'later' }, 'exception');
    fixture.vendor.on(
      `${invoke}-with-response-stream`,
      awsStream([...events.slice(0, 3).map(chunk), broken]),
    );
    const stream = fixture.anthropic.messages.stream({ model: CLAUDE, max_tokens: 50, messages: question });
    await expect(stream.finalMessage()).rejects.toThrow(/later/);
  });
});

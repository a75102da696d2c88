import Anthropic from '@anthropic-ai/sdk';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { answerJson } from '../../vendors/media/scripted-vendor.js';
import { answerChat } from './chat-vendor.js';
import { openAnthropicFixture, type AnthropicFixture } from './anthropic.fixture.js';

/** Anthropic's client over an OpenAI format; prices in anthropic-house.ts. */
let fixture: AnthropicFixture;

beforeAll(async () => {
  fixture = await openAnthropicFixture();
});
afterAll(async () => {
  await fixture?.close();
});
type ChatBody = Readonly<Record<string, unknown>> & { readonly messages: readonly Record<string, unknown>[] };
const lastChat = (): ChatBody =>
  JSON.parse(fixture.gpt.last('/v1/chat/completions').body.toString()) as ChatBody;

const USAGE = {
  prompt_tokens: 100,
  completion_tokens: 20,
  total_tokens: 120,
  prompt_tokens_details: { cached_tokens: 40 },
  completion_tokens_details: { reasoning_tokens: 8 },
};
/** 60 + 40 × 0.1 + 20 × 5 */
const CHARGE = 164;

describe('an Anthropic client over the OpenAI API', () => {
  const tools: Anthropic.Tool[] = [
    {
      name: 'weather',
      description: 'W',
      input_schema: { type: 'object', properties: { city: { type: 'string' } } },
    },
  ];
  const messages: Anthropic.MessageParam[] = [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Look' },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } },
      ],
    },
    {
      role: 'assistant',
      content: [{ type: 'tool_use', id: 'toolu_0', name: 'weather', input: { city: 'Rom' } }],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'toolu_0', content: 'sun' },
        { type: 'text', text: 'And Köln?' },
      ],
    },
  ];

  it.each([false, true])('carries tools, images and history (streamed: %s)', async (isStreamed) => {
    answerChat(
      fixture.gpt,
      {
        reasoning_content: 'Two places.',
        content: 'Let me look.',
        tool_calls: [
          {
            id: 'call_1',
            type: 'function',
            function: { name: 'weather', arguments: '{"city":"Köln {\\"a\\"}"}' },
          },
          { id: 'call_2', type: 'function', function: { name: 'weather', arguments: '{"city":"Bonn"}' } },
        ],
      },
      'tool_calls',
      USAGE,
    );
    const body = {
      model: 'gpt-x',
      max_tokens: 500,
      system: [{ type: 'text', text: 'Be exact.' } as const],
      tools,
      tool_choice: { type: 'any', disable_parallel_tool_use: true } as const,
      stop_sequences: ['END'],
      metadata: { user_id: 'u-1' },
      messages,
    };
    let message: Anthropic.Message | undefined;
    const charge = await fixture.chargeOf(async ({ anthropic }) => {
      message = isStreamed
        ? await anthropic.messages.stream(body).finalMessage()
        : await anthropic.messages.create(body);
    });
    expect(charge).toBe(CHARGE);
    expect(message).toMatchObject({
      id: 'chatcmpl-1',
      type: 'message',
      role: 'assistant',
      model: 'gpt-x',
      stop_reason: 'tool_use',
      content: [
        // Thinking was not turned on: the vendor's thought is counted, not shown.
        { type: 'text', text: 'Let me look.' },
        { type: 'tool_use', id: 'call_1', name: 'weather', input: { city: 'Köln {"a"}' } },
        { type: 'tool_use', id: 'call_2', name: 'weather', input: { city: 'Bonn' } },
      ],
      usage: { input_tokens: 60, cache_read_input_tokens: 40, output_tokens: 20 },
    });
    expect(lastChat()).toMatchObject({
      max_tokens: 500,
      stop: ['END'],
      tool_choice: 'required',
      parallel_tool_calls: false,
      user: 'u-1',
      tools: [{ type: 'function', function: { name: 'weather', description: 'W' } }],
    });
    expect(lastChat().messages).toMatchObject([
      { role: 'system', content: 'Be exact.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
        ],
      },
      {
        role: 'assistant',
        tool_calls: [{ id: 'toolu_0', function: { name: 'weather', arguments: '{"city":"Rom"}' } }],
      },
      { role: 'tool', tool_call_id: 'toolu_0', content: 'sun' },
      { role: 'user', content: 'And Köln?' },
    ]);
  });

  it('reports a stream that breaks off as an error, and a failure in its own words', async () => {
    fixture.gpt.on('/v1/chat/completions', (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(
        `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta: { content: 'Half' } }] })}\n\n`,
        () => response.destroy(),
      );
    });
    const stream = fixture.anthropic.messages.stream({
      model: 'gpt-x',
      max_tokens: 5,
      messages: [{ role: 'user', content: 'a' }],
    });
    await expect(stream.finalMessage()).rejects.toThrow(Anthropic.APIError);
    fixture.gpt.on('/v1/chat/completions', (_request, response) =>
      answerJson(
        response,
        { error: { message: 'too long', type: 'invalid_request_error', code: 'context_length_exceeded' } },
        400,
      ),
    );
    await expect(
      fixture.anthropic.messages.create({
        model: 'gpt-x',
        max_tokens: 5,
        messages: [{ role: 'user', content: 'a' }],
      }),
    ).rejects.toMatchObject({
      status: 400,
      error: { type: 'error', error: { type: 'invalid_request_error' } },
    });
  });
});

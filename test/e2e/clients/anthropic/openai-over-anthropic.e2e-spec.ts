import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import type { Call } from './chat-vendor.js';
import { openAnthropicFixture, type AnthropicFixture } from './anthropic.fixture.js';
import {
  frame,
  signatureOf,
  type Block,
  type ClaudeRequest,
} from '../../../support/strict-vendors/claude-rules.js';

/** OpenAI's client over an Anthropic format; prices in anthropic-house.ts. */
let fixture: AnthropicFixture;

beforeAll(async () => {
  fixture = await openAnthropicFixture();
});
afterAll(async () => {
  await fixture?.close();
});
beforeEach(() => {
  fixture.claude.raw = undefined;
});

const lastMessages = (): ClaudeRequest =>
  JSON.parse(fixture.claude.vendor.last('/v1/messages').body.toString()) as ClaudeRequest;

describe('an OpenAI client over the Anthropic API', () => {
  const tools: OpenAI.Chat.ChatCompletionTool[] = [
    {
      type: 'function',
      function: { name: 'add', parameters: { type: 'object', properties: { n: { type: 'integer' } } } },
    },
  ];
  type Assistant = OpenAI.Chat.ChatCompletionMessageParam & {
    reasoning_content?: unknown;
    reasoning_details?: unknown;
  };

  /** The model's part: nineteen turns of thoughts and two calls each, then the answer. */
  function playAgent(): { readonly turns: () => number; readonly thinking: () => boolean[] } {
    let turn = 0;
    const wasThinking: boolean[] = [];
    fixture.claude.script = ({ thinking }) => {
      turn += 1;
      wasThinking.push(thinking?.type === 'enabled');
      const text = `Thought ${turn}`;
      const thought: Block[] =
        thinking?.type === 'enabled'
          ? [{ type: 'thinking', thinking: text, signature: signatureOf(text) }]
          : [];
      if (turn === 20)
        return { content: [...thought, { type: 'text', text: 'Done' }], stop_reason: 'end_turn' };
      return {
        content: [
          ...thought,
          { type: 'text', text: `Step ${turn}` },
          { type: 'tool_use', id: `toolu_${turn}a`, name: 'add', input: { n: turn } },
          { type: 'tool_use', id: `toolu_${turn}b`, name: 'add', input: { n: -turn } },
        ],
        stop_reason: 'tool_use',
      };
    };
    return { turns: () => turn, thinking: () => wasThinking };
  }

  /** One turn as the SDK gives it, whole or streamed. */
  async function turnOf(messages: Assistant[], isStreamed: boolean): Promise<Record<string, unknown>> {
    const body = {
      model: 'sonnet',
      max_completion_tokens: 6_000,
      reasoning_effort: 'high',
      tools,
      messages,
    } as const;
    if (!isStreamed) {
      const completion = await fixture.openai.chat.completions.create({ ...body });
      return { ...completion.choices[0]?.message };
    }
    const stream = await fixture.openai.chat.completions.create({ ...body, stream: true });
    const message = {
      role: 'assistant',
      content: '',
      reasoning_content: '',
      tool_calls: [] as Call[],
      reasoning_details: [] as unknown[],
    };
    for await (const chunk of stream) {
      const delta = (chunk.choices[0]?.delta ?? {}) as {
        content?: string;
        reasoning_content?: string;
        reasoning_details?: unknown[];
        tool_calls?: (Call & { index: number })[];
      };
      message.content += delta.content ?? '';
      message.reasoning_content += delta.reasoning_content ?? '';
      message.reasoning_details.push(...(delta.reasoning_details ?? []));
      for (const { index, ...call } of delta.tool_calls ?? []) {
        const before = message.tool_calls[index];
        message.tool_calls[index] =
          before === undefined
            ? { ...call, function: { ...call.function } }
            : {
                ...before,
                function: {
                  ...before.function,
                  arguments: before.function.arguments + call.function.arguments,
                },
              };
      }
    }
    return { ...message, tool_calls: message.tool_calls.length === 0 ? undefined : message.tool_calls };
  }

  async function session(
    isStreamed: boolean,
    keeps: 'both' | 'details' | 'nothing',
  ): Promise<Record<string, unknown> | undefined> {
    const messages: Assistant[] = [
      { role: 'system', content: 'Add.' },
      { role: 'user', content: 'Begin' },
    ];
    for (let step = 0; step < 20; step += 1) {
      const message = await turnOf(messages, isStreamed);
      const { tool_calls: calls, reasoning_details: details, ...rest } = message;
      messages.push({
        role: 'assistant',
        content: rest['content'] as string,
        ...(calls === undefined ? {} : { tool_calls: calls as OpenAI.Chat.ChatCompletionMessageToolCall[] }),
        ...(keeps === 'both' ? { reasoning_content: rest['reasoning_content'] } : {}),
        ...(keeps === 'nothing' ? {} : { reasoning_details: details }),
      });
      if (calls === undefined) return message;
      for (const call of calls as Call[]) {
        messages.push({ role: 'tool', tool_call_id: call.id, content: call.function.arguments });
      }
    }
    return undefined;
  }

  it.each([
    [false, 'both'],
    [true, 'both'],
    [false, 'details'],
    [true, 'details'],
    [false, 'nothing'],
    [true, 'nothing'],
  ] as const)(
    'works for twenty turns (streamed: %s, brings of its thoughts back: %s)',
    async (isStreamed, keeps) => {
      const agent = playAgent();
      expect(await session(isStreamed, keeps)).toMatchObject({ content: 'Done' });
      expect(agent.turns()).toBe(20);
      // Without its signed thoughts the vendor would refuse to think on in the running turn.
      expect(agent.thinking()).toEqual(
        Array.from({ length: 20 }, (_each, turn) => keeps !== 'nothing' || turn === 0),
      );
      const last = lastMessages();
      expect(last.system).toEqual([{ type: 'text', text: 'Add.' }]);
      expect(last.messages[38]?.content).toMatchObject([
        { type: 'tool_result', tool_use_id: 'toolu_19a', content: '{"n":19}' },
        { type: 'tool_result', tool_use_id: 'toolu_19b', content: '{"n":-19}' },
      ]);
    },
  );

  it.each([false, true])(
    'reads usage the way it knows it, charged by bucket (streamed: %s)',
    async (isStreamed) => {
      fixture.claude.script = () => ({
        content: [{ type: 'text', text: 'Hi' }],
        stop_reason: 'max_tokens',
        usage: {
          input_tokens: 100,
          cache_read_input_tokens: 1_000,
          cache_creation_input_tokens: 300,
          cache_creation: { ephemeral_5m_input_tokens: 200, ephemeral_1h_input_tokens: 100 },
          output_tokens: 20,
        },
      });
      const body = { model: 'sonnet', messages: [{ role: 'user', content: 'a' } as const] };
      let usage: OpenAI.CompletionUsage | null | undefined;
      let finish: string | null | undefined;
      const charge = await fixture.chargeOf(async ({ openai }) => {
        if (!isStreamed) {
          const completion = await openai.chat.completions.create(body);
          usage = completion.usage;
          finish = completion.choices[0]?.finish_reason;
          return;
        }
        const stream = await openai.chat.completions.create({
          ...body,
          stream: true,
          stream_options: { include_usage: true },
        });
        for await (const chunk of stream) {
          usage = chunk.usage ?? usage;
          finish = chunk.choices[0]?.finish_reason ?? finish;
        }
      });
      expect(charge).toBe(750);
      expect(finish).toBe('length');
      expect(usage).toMatchObject({
        prompt_tokens: 1_400,
        completion_tokens: 20,
        total_tokens: 1_420,
        prompt_tokens_details: { cached_tokens: 1_000, cache_write_tokens: 300 },
      });
    },
  );

  it('gets structured answers, passes images, and sends settings the vendor accepts', async () => {
    fixture.claude.script = () => ({ content: [{ type: 'text', text: '{"a":1}' }], stop_reason: 'end_turn' });
    const completion = await fixture.openai.chat.completions.create({
      model: 'sonnet',
      temperature: 1.9,
      seed: 1,
      stop: 'END',
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Read' },
            { type: 'image_url', image_url: { url: 'data:image/jpeg;base64,/9j/4A==' } },
            { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' } },
          ],
        },
      ],
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'p', schema: { type: 'object', properties: {} } },
      },
    });
    expect(completion.choices[0]?.message.content).toBe('{"a":1}');
    expect(lastMessages()).toMatchObject({
      max_tokens: 64_000,
      temperature: 1,
      stop_sequences: ['END'],
      output_config: {
        format: { type: 'json_schema', schema: { type: 'object', additionalProperties: false } },
      },
      messages: [
        {
          content: [
            { type: 'text', text: 'Read' },
            { type: 'image', source: { type: 'base64', media_type: 'image/jpeg', data: '/9j/4A==' } },
            { type: 'document', title: 'a.pdf', source: { media_type: 'application/pdf' } },
          ],
        },
      ],
    });
  });

  it('reads in its own words what this vendor cannot do', async () => {
    const body = { model: 'sonnet', messages: [{ role: 'user', content: 'a' } as const], n: 2 };
    await expect(fixture.openai.chat.completions.create(body)).rejects.toMatchObject({
      status: 400,
      param: 'n',
    });
  });

  it('reports a failure inside the vendor’s stream as an error, never as an end', async () => {
    fixture.claude.raw = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(
        frame({
          type: 'message_start',
          message: { id: 'm', content: [], usage: { input_tokens: 3, output_tokens: 1 } },
        }) +
          frame({
            type: 'content_block_delta',
            index: 0,
            delta: { type: 'text_delta', text: 'Half' },
          }) +
          frame({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }),
      );
    };
    const stream = await fixture.openai.chat.completions.create({
      model: 'sonnet',
      stream: true,
      messages: [{ role: 'user', content: 'a' }],
    });
    let text = '';
    const reading = (async () => {
      for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? '';
    })();
    await expect(reading).rejects.toThrow('Overloaded');
    expect(text).toBe('Half');
  });
});

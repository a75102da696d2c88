import { describe, expect, it } from '@jest/globals';
import { apiNamed, callCore, FORMAT_ROUTES } from '../../../../test/support/core-calls.js';
import { MemoryPorts } from '../../../../test/support/memory-ports.js';
import type { MemoryExchange } from '../../../../test/support/memory-sides.js';
import { signatureOf } from '../../../../test/support/strict-vendors/claude-rules.js';
import { refusalOf } from '../../../../test/support/strict-vendors/request-check.js';

type Json = Record<string, unknown>;

const MODELS: Readonly<Record<string, string>> = {
  chat: 'gpt-5.4',
  responses: 'gpt-5.4',
  messages: 'claude-sonnet-4-5',
  gemini: 'gemini-3-pro-preview',
};
/** A thought, a text and a call, in each vendor's form. */
const ANSWERS: Readonly<Record<string, Json>> = {
  chat: {
    id: 'x',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [
      {
        index: 0,
        finish_reason: 'tool_calls',
        message: {
          role: 'assistant',
          reasoning_content: 'hm',
          content: 'Looking.',
          tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'now', arguments: '{}' } }],
        },
      },
    ],
    usage: { prompt_tokens: 3, completion_tokens: 5, total_tokens: 8 },
  },
  responses: {
    id: 'resp_1',
    object: 'response',
    created_at: 1,
    status: 'completed',
    model: 'm',
    output: [
      {
        type: 'reasoning',
        id: 'rs_1',
        summary: [{ type: 'summary_text', text: 'hm' }],
        encrypted_content: 'gAAAAopenai',
      },
      {
        type: 'function_call',
        id: 'fc_1',
        call_id: 'call_1',
        name: 'now',
        arguments: '{}',
        status: 'completed',
      },
    ],
    usage: { input_tokens: 3, output_tokens: 5, total_tokens: 8 },
  },
  messages: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [
      { type: 'thinking', thinking: 'hm', signature: signatureOf('hm') },
      { type: 'redacted_thinking', data: 'EnHidden' },
      { type: 'tool_use', id: 'toolu_1', name: 'now', input: {} },
    ],
    stop_reason: 'tool_use',
    stop_sequence: null,
    usage: { input_tokens: 3, output_tokens: 5 },
  },
  gemini: {
    candidates: [
      {
        content: {
          role: 'model',
          parts: [
            { text: 'hm', thought: true },
            { functionCall: { name: 'now', args: {} }, thoughtSignature: 'R29vZ2xl' },
          ],
        },
        finishReason: 'STOP',
        index: 0,
      },
    ],
    usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 5, totalTokenCount: 8 },
  },
};

interface Client {
  first(): Json;
  /** The next turn, with the answer as it came. */
  next(answer: Json): Json;
}

const CLIENTS: Readonly<Record<string, Client>> = {
  messages: {
    first: () => ({
      model: 'gpt-test',
      max_tokens: 4_000,
      thinking: { type: 'enabled', budget_tokens: 1_024 },
      tools: [{ name: 'now', input_schema: { type: 'object', properties: {} } }],
      messages: [{ role: 'user', content: 'What time is it?' }],
    }),
    next({ content }) {
      const id = (content as Json[]).find(({ type }) => type === 'tool_use')?.['id'];
      const first = CLIENTS['messages']?.first() as Json;
      return {
        ...first,
        messages: [
          ...(first['messages'] as Json[]),
          { role: 'assistant', content },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'noon' }] },
        ],
      };
    },
  },
  responses: {
    first: () => ({
      model: 'gpt-test',
      store: false,
      include: ['reasoning.encrypted_content'],
      reasoning: { effort: 'low', summary: 'auto' },
      tools: [
        { type: 'function', name: 'now', parameters: { type: 'object', properties: {} }, strict: false },
      ],
      input: [{ role: 'user', content: 'What time is it?' }],
    }),
    next({ output }) {
      const id = (output as Json[]).find(({ type }) => type === 'function_call')?.['call_id'];
      const first = CLIENTS['responses']?.first() as Json;
      return {
        ...first,
        input: [
          ...(first['input'] as Json[]),
          ...(output as Json[]),
          { type: 'function_call_output', call_id: id, output: 'noon' },
        ],
      };
    },
  },
  gemini: {
    first: () => ({
      generationConfig: { thinkingConfig: { includeThoughts: true } },
      tools: [{ functionDeclarations: [{ name: 'now' }] }],
      contents: [{ role: 'user', parts: [{ text: 'What time is it?' }] }],
    }),
    next({ candidates }) {
      const { content } = (candidates as { content: Json }[])[0] as { content: Json };
      const first = CLIENTS['gemini']?.first() as Json;
      const result = { functionResponse: { name: 'now', response: { output: 'noon' } } };
      return {
        ...first,
        contents: [...(first['contents'] as Json[]), content, { role: 'user', parts: [result] }],
      };
    },
  },
};

async function ask(
  name: string,
  body: Json,
  format: string,
): Promise<{ answer: Json; sent: Json; refusal: unknown }> {
  const api = apiNamed(name);
  let sent: Json = {};
  let refusal: unknown;
  const reply = await callCore(new MemoryPorts(), {
    dialect: api.dialect,
    path: api.path,
    pathModel: api.pathModel,
    body,
    route: { ...FORMAT_ROUTES[format], upstreamModel: MODELS[format] ?? 'm' },
    script: (exchange: MemoryExchange) => {
      sent = exchange.body;
      refusal = refusalOf(new URL(exchange.request.url).pathname, sent, exchange.request.headers);
      exchange.head(200, { 'content-type': 'application/json' }).bytes(JSON.stringify(ANSWERS[format])).end();
    },
  });
  return { answer: JSON.parse(reply.text) as Json, sent, refusal };
}

const PAIRS = Object.keys(CLIENTS).flatMap((api) =>
  Object.keys(ANSWERS).map((other) => [api, other] as const),
);

describe('a conversation that another vendor began', () => {
  it.each(PAIRS)('continues at the vendor of the %s API after an answer of %s', async (api, other) => {
    const client = CLIENTS[api] as Client;
    const { answer } = await ask(api, client.first(), other);
    const body = client.next(answer);
    const { sent, refusal } = await ask(api, body, api);
    expect(refusal).toBeUndefined();
    const text = JSON.stringify(sent);
    expect(text).toContain('noon');
    expect(text).not.toMatch(/"(?:signature|data|encrypted_content|thoughtSignature)":"(?:"|\w+(?:-\w+)?#)/);
    if (api === 'gemini') expect(text).toMatch(/"functionCall":\{[^}]*\}[^}]*\},"thoughtSignature":"[^"]/);
    if (api === other)
      for (const signature of signaturesOf(ANSWERS[other] as Json)) expect(text).toContain(signature);
    else for (const signature of signaturesOf(ANSWERS[other] as Json)) expect(text).not.toContain(signature);
  });

  it.each([['messages'], ['responses'], ['gemini']])(
    'passes byte by byte at %s where all of it is its own',
    async (api) => {
      const client = CLIENTS[api] as Client;
      const body = client.next(ANSWERS[api] as Json);
      const { sent } = await ask(api, { ...body, own_member: { of: 1 } }, api);
      expect(sent['own_member']).toEqual({ of: 1 });
    },
  );
});

const signaturesOf = (answer: Json): string[] =>
  [
    ...JSON.stringify(answer).matchAll(/"(?:signature|data|encrypted_content|thoughtSignature)":"([^"]+)"/g),
  ].map(([, signature = '']) => signature);

import { describe, expect, it } from '@jest/globals';
import { CHAT_FORMATS, CHAT_PAIRS, carry, FORMATS_OF_WORDS } from '../support/chat-formats.js';
import { parsedBy } from '../support/relay-calls.js';
import { openaiChat } from '../../server/relay-core/formats/openai-chat/index.js';
import { overrideRequest } from '../../server/relay-core/pipeline/request/overrides/param-override.js';

const LONG = '12345678901234567890';
const LIMIT = '9223372036854775807';

/** A number as it is written; `JSON.stringify` keeps its digits. */
const written = (digits: string): unknown =>
  (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(digits);

const SCHEMA = {
  type: 'object',
  properties: { id: { type: 'integer', maximum: written(LIMIT) } },
  required: ['id'],
};
const ARGUMENTS = `{"id":${LONG}}`;

const BODIES: Record<string, Record<string, unknown>> = {
  'openai-chat': {
    messages: [
      { role: 'user', content: 'hi' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'find', arguments: ARGUMENTS } }],
      },
      { role: 'tool', tool_call_id: 'call_1', content: 'found' },
    ],
    tools: [{ type: 'function', function: { name: 'find', parameters: SCHEMA } }],
  },
  'openai-responses': {
    input: [
      { role: 'user', content: 'hi' },
      { type: 'function_call', call_id: 'call_1', name: 'find', arguments: ARGUMENTS },
      { type: 'function_call_output', call_id: 'call_1', output: 'found' },
    ],
    tools: [{ type: 'function', name: 'find', parameters: SCHEMA }],
  },
  'anthropic-messages': {
    messages: [
      { role: 'user', content: 'hi' },
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: 'call_1', name: 'find', input: { id: written(LONG) } }],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', content: 'found' }] },
    ],
    tools: [{ name: 'find', input_schema: SCHEMA }],
  },
  'gemini-generate': {
    contents: [
      { role: 'user', parts: [{ text: 'hi' }] },
      { role: 'model', parts: [{ functionCall: { name: 'find', args: { id: written(LONG) } } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'find', response: { ok: true } } }] },
    ],
    tools: [{ functionDeclarations: [{ name: 'find', parametersJsonSchema: SCHEMA }] }],
  },
};

describe('numbers beyond 2^53 in a request', () => {
  const pairs = CHAT_PAIRS.filter(
    ({ api, format }) => BODIES[api.id] !== undefined && !FORMATS_OF_WORDS.includes(format.id),
  );
  it.each(pairs)('keeps their digits in arguments and schemas of tools, $name', ({ api, format }) => {
    const carried = carry(api, format, BODIES[api.id] ?? {});
    if ('refusal' in carried) throw new Error(carried.refusal);
    expect(carried.text).toContain(LONG);
    expect(carried.text).toContain(LIMIT);
  });

  it('keeps their digits under a parameter override that copies them', () => {
    const override = {
      operations: [
        { mode: 'copy', from: 'metadata', to: 'copied' },
        { mode: 'set', path: 'temperature', value: 0.5 },
      ],
    };
    const overridden = overrideRequest(
      { body: Buffer.from(`{"model":"m","metadata":{"id":${LONG}}}`), headers: {} },
      override,
      { context: {}, callerHeaders: {} } as unknown as Parameters<typeof overrideRequest>[2],
    );
    if (!overridden.ok) throw new Error(overridden.error.message);
    expect(overridden.value.body.toString()).toBe(
      `{"model":"m","metadata":{"id":${LONG}},"copied":{"id":${LONG}},"temperature":0.5}`,
    );
  });
});

describe('numbers beyond 2^53 in an answer', () => {
  const ANSWERS: Record<string, { readonly whole: string; readonly frames: readonly [string, string][] }> = {
    'gemini-generate': {
      whole: `{"candidates":[{"content":{"parts":[{"functionCall":{"name":"find","args":${ARGUMENTS}}}]},"finishReason":"STOP"}]}`,
      frames: [
        ['', `{"candidates":[{"content":{"parts":[{"functionCall":{"name":"find","args":${ARGUMENTS}}}]}}]}`],
      ],
    },
    'anthropic-messages': {
      whole: `{"type":"message","role":"assistant","content":[{"type":"tool_use","id":"c","name":"find","input":${ARGUMENTS}}],"stop_reason":"tool_use"}`,
      frames: [],
    },
    'bedrock-converse': {
      whole: `{"output":{"message":{"role":"assistant","content":[{"toolUse":{"toolUseId":"c","name":"find","input":${ARGUMENTS}}}]}},"stopReason":"tool_use"}`,
      frames: [],
    },
    'ollama-chat': {
      whole: `{"message":{"role":"assistant","content":"","tool_calls":[{"function":{"name":"find","arguments":${ARGUMENTS}}}]},"done":true}`,
      frames: [
        [
          '',
          `{"message":{"role":"assistant","content":"","tool_calls":[{"function":{"name":"find","arguments":${ARGUMENTS}}}]},"done":false}`,
        ],
      ],
    },
  };
  const call = parsedBy(openaiChat, { model: 'm', messages: [{ role: 'user', content: 'hi' }] });

  it.each(Object.keys(ANSWERS))('keeps their digits in arguments of %s', (id) => {
    const format = CHAT_FORMATS.find((one) => one.id === id);
    const answer = ANSWERS[id];
    if (format === undefined || answer === undefined) throw new Error(id);
    const read = format.readReply(Buffer.from(answer.whole), call);
    if (!read.ok) throw new Error(read.error.message);
    expect(JSON.stringify(read.value)).toContain(JSON.stringify(ARGUMENTS));
    const reader = format.openReplyReader?.(call);
    const events = answer.frames.flatMap(([name, data]) => reader?.read(data, name) ?? []);
    if (events.length > 0) expect(JSON.stringify(events)).toContain(JSON.stringify(ARGUMENTS));
  });

  it('keeps their digits, and every other number its form, in an answer of a look-alike that is mended', () => {
    const json =
      `{"id":${LONG},"created":1764000000.5,"model":"m","choices":[{"finish_reason":"eos","index":0,` +
      '"logprobs":{"content":[{"token":"a","logprob":-0.0,"bytes":[1e2],"top_logprobs":[]}]},"message":{"content":"x","score":1.0}}]}';
    const mended = openaiChat.repair?.(json, {
      hasToolCalls: false,
      places: [],
      endedWithoutArguments: new Map(),
    } as never);
    expect(mended).toContain(`"id":${LONG}`);
    expect(mended).toContain('"created":1764000000,');
    expect(mended).toContain('"logprob":-0.0,"bytes":[1e2]');
    expect(mended).toContain('"score":1.0');
    expect(mended).toContain('"finish_reason":"stop"');
  });
});

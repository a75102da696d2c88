import { describe, expect, it } from '@jest/globals';
import type { Route } from '../../server/relay-core/ports/channel-picker.js';
import { CHAT_APIS, callCore, eventsIn, type ChatApi } from '../support/core-calls.js';
import { MemoryPorts } from '../support/memory-ports.js';
import { answerBytes } from './matrix-answers.js';

/** Vendors whose answers of the matrix call the tool `weather` with `{"city":"Oslo"}`. */
const VENDORS: Readonly<Record<string, Partial<Route>>> = {
  'openai-chat': { channelType: 1 },
  'openai-responses': { channelType: 8, baseUrl: 'https://upstream.example/v1/responses' },
  'anthropic-messages': { channelType: 14 },
  'gemini-generate': { channelType: 24 },
  'cohere-chat': { channelType: 34 },
  'ollama-chat': { channelType: 4, baseUrl: 'http://upstream.example' },
};
const WIRE_OF_API: Readonly<Record<string, string>> = {
  chat: 'openai-chat',
  responses: 'openai-responses',
  messages: 'anthropic-messages',
  gemini: 'gemini-generate',
};
const CITIES = { type: 'array', items: { type: 'string' }, description: 'cities' };
const HEARD = '["Oslo","Bergen"]';

/** A conversation in which the tool was called before, and is called again. */
function asked(api: ChatApi, parameters: unknown, stream: boolean): Record<string, unknown> {
  const base = { model: 'gpt-test', ...(stream ? { stream } : {}) };
  const call = { id: 'call_1', type: 'function', function: { name: 'weather', arguments: HEARD } };
  switch (api.name) {
    case 'chat':
      return {
        ...base,
        tools: [{ type: 'function', function: { name: 'weather', parameters } }],
        messages: [
          { role: 'user', content: 'q' },
          { role: 'assistant', content: null, tool_calls: [call] },
          { role: 'tool', tool_call_id: 'call_1', content: 'rain' },
        ],
      };
    case 'responses':
      return {
        ...base,
        tools: [{ type: 'function', name: 'weather', parameters, strict: false }],
        input: [
          { role: 'user', content: 'q' },
          { type: 'function_call', call_id: 'call_1', name: 'weather', arguments: HEARD },
          { type: 'function_call_output', call_id: 'call_1', output: 'rain' },
        ],
      };
    case 'messages':
      return {
        ...base,
        max_tokens: 64,
        tools: [{ name: 'weather', input_schema: parameters }],
        messages: [{ role: 'user', content: 'q' }],
      };
    default:
      return {
        contents: [{ role: 'user', parts: [{ text: 'q' }] }],
        tools: [{ functionDeclarations: [{ name: 'weather', parametersJsonSchema: parameters }] }],
      };
  }
}

async function play(api: ChatApi, vendor: string, stream: boolean, parameters: unknown) {
  const ports = new MemoryPorts();
  const { type, body } = answerBytes(vendor, stream, false, (json) =>
    json
      .replaceAll('{"city":"Oslo"}', `{"value":${HEARD}}`)
      .replaceAll('{\\"city\\":\\"Oslo\\"}', `{\\"value\\":${HEARD.replaceAll('"', '\\"')}}`)
      // Answers that bring the arguments in two pieces.
      .replaceAll('{\\"city\\":', '{\\"value\\":')
      .replaceAll('\\"Oslo\\"}', `${HEARD.replaceAll('"', '\\"')}}`),
  );
  const reply = await callCore(ports, {
    dialect: api.dialect,
    path: stream ? api.path.replace('::generate', '::streamGenerate') : api.path,
    pathModel: api.pathModel,
    query: stream ? api.query : '',
    body: asked(api, parameters, stream),
    route: VENDORS[vendor] ?? {},
    script: (upstream) => void upstream.head(200, { 'content-type': type }).bytes(body).end(),
  });
  return { ports, reply, sent: ports.sender.exchanges[0]?.request.body?.toString() ?? '' };
}

const PAIRS = CHAT_APIS.flatMap((api) =>
  Object.keys(VENDORS)
    .filter((vendor) => vendor !== WIRE_OF_API[api.name])
    // Ollama's request has the caller's own form there.
    .filter((vendor) => !(api.name === 'chat' && vendor === 'ollama-chat'))
    .flatMap((vendor) =>
      [false, true].map((stream) => ({
        api,
        vendor,
        stream,
        name: `${api.name} → ${vendor}${stream ? ', streamed' : ''}`,
      })),
    ),
);

/** All texts of an answer's arguments, joined in order. */
function argumentsIn(api: ChatApi, text: string, stream: boolean): string {
  const documents = stream ? eventsIn(text) : [JSON.parse(text) as Record<string, unknown>];
  const found: string[] = [];
  const take = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, member] of Object.entries(value)) {
      const isPiece =
        (name === 'arguments' && (api.name === 'chat' || !stream)) ||
        (name === 'delta' &&
          (value as { type?: unknown }).type === 'response.function_call_arguments.delta') ||
        (stream && name === 'partial_json');
      if (isPiece && typeof member === 'string') found.push(member);
      else if (
        (name === 'input' && (value as { type?: unknown }).type === 'tool_use' && !stream) ||
        name === 'args'
      )
        found.push(JSON.stringify(member));
      else take(member);
    }
  };
  documents.forEach(take);
  return found.join('');
}

describe('a tool whose schema is no object', () => {
  it.each(PAIRS)(
    'takes one at the vendor, and at callers whose arguments are texts its own form: $name',
    async ({ api, vendor, stream }) => {
      const { reply, sent } = await play(api, vendor, stream, CITIES);
      expect({ status: reply.status, text: reply.status === 200 ? '' : reply.text }).toEqual({
        status: 200,
        text: '',
      });
      expect(sent.toLowerCase()).toMatch(/"type":"object","properties":\{"value":\{[^}]*"type":"array"/);
      // The call that was made before is in the same form.
      if (api.name === 'chat' || api.name === 'responses')
        expect(sent.replaceAll('\\"', '"').replaceAll(' ', '')).toContain(`{"value":${HEARD}}`);
      // Arguments in text form stay as they were requested; an API with objects only keeps them.
      const isText = api.name === 'chat' || api.name === 'responses';
      expect(argumentsIn(api, reply.text, stream)).toBe(isText ? HEARD : `{"value":${HEARD}}`);
    },
  );
});

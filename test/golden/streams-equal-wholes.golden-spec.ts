import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { wayOf } from '../../server/relay-core/providers/provider.js';
import { PROVIDERS } from '../../server/relay-core/providers/registry.js';
import type { Route } from '../../server/relay-core/ports/channel-picker.js';
import { CHAT_APIS as APIS, CHAT_FORMATS } from '../support/chat-formats.js';
import { callCore, CHAT_APIS, type ChatApi } from '../support/core-calls.js';
import { GATHERED, joinParts } from '../support/gather-streams.js';
import { aRoute, MemoryPorts, someOptions } from '../support/memory-ports.js';
import { answers, type Answered, type Written } from '../support/random-answers/answered.js';
import { converseAnswer, messagesAnswer } from '../support/random-answers/claude.js';
import { chatAnswer, responsesAnswer } from '../support/random-answers/openai.js';
import { cohereAnswer, difyAnswer, geminiAnswer, ollamaAnswer } from '../support/random-answers/others.js';
import { aProviderCall } from '../support/relay-calls.js';
import { list, object, type Json } from '../support/strict-vendors/story.js';
import { onTheWire } from '../replay/replay-upstream.mjs';

interface Format {
  readonly write: (answered: Answered) => Written;
  readonly route: Partial<Route>;
}

const FORMATS: Readonly<Record<string, Format>> = {
  'openai-chat': {
    write: chatAnswer,
    route: { channelType: 8, baseUrl: 'https://upstream.example/v1/chat/completions' },
  },
  'openai-responses': {
    write: responsesAnswer,
    route: { channelType: 8, baseUrl: 'https://upstream.example/v1/responses' },
  },
  'anthropic-messages': { write: messagesAnswer, route: { channelType: 14 } },
  'bedrock-converse': {
    write: converseAnswer,
    route: { channelType: 33, upstreamModel: 'amazon.nova-pro-v1:0', credential: 'AKIA|secret|us-east-1' },
  },
  'gemini-generate': { write: geminiAnswer, route: { channelType: 24 } },
  'cohere-chat': { write: cohereAnswer, route: { channelType: 34 } },
  'ollama-chat': { write: ollamaAnswer, route: { channelType: 4, baseUrl: 'https://upstream.example' } },
  'dify-chat': { write: difyAnswer, route: { channelType: 37 } },
};

/** By the API's format: how it asks for thoughts. */
const THOUGHTS: Readonly<Record<string, Json>> = {
  'anthropic-messages': { thinking: { type: 'enabled', budget_tokens: 1_024 }, max_tokens: 4_096 },
  'gemini-generate': { generationConfig: { thinkingConfig: { includeThoughts: true } } },
};
const TOOLS: Readonly<Record<string, Json>> = {
  'openai-chat': { tools: ['lookup', 'now'].map((name) => ({ type: 'function', function: { name } })) },
  'openai-responses': {
    tools: ['lookup', 'now'].map((name) => ({ type: 'function', name, parameters: {}, strict: false })),
  },
  'anthropic-messages': {
    tools: ['lookup', 'now'].map((name) => ({ name, input_schema: { type: 'object' } })),
  },
  'gemini-generate': { tools: [{ functionDeclarations: ['lookup', 'now'].map((name) => ({ name })) }] },
};

const API_NAMES: Readonly<Record<string, string>> = {
  'openai-chat': 'chat',
  'openai-responses': 'responses',
  'anthropic-messages': 'messages',
  'gemini-generate': 'gemini',
};

/** A vendor may speak another format with callers of one API. */
function wireFor(frontWire: string, changes: Partial<Route>): string | undefined {
  const route = aRoute(changes);
  const provider = PROVIDERS.find(({ typeCodes }) => typeCodes.includes(route.channelType));
  return provider && wayOf(provider, 'chat', aProviderCall({ route, frontWire }))?.wire.id;
}

const PAIRS = CHAT_APIS.flatMap((api) => {
  const [frontId = ''] = Object.entries(API_NAMES).find(([, name]) => name === api.name) ?? [];
  return Object.entries(FORMATS)
    .filter(([id, { route }]) => wireFor(frontId, route) === id)
    .map(([id, format]) => ({ api, frontId, format, name: `${frontId} ← ${id}` }));
});

it('every client API and every format is here', () => {
  expect(Object.keys(API_NAMES).sort()).toEqual(APIS.map(({ id }) => id).sort());
  expect(Object.keys(FORMATS).sort()).toEqual(CHAT_FORMATS.map(({ id }) => id).sort());
});

async function ask(
  pair: { readonly api: ChatApi; readonly frontId: string; readonly format: Format },
  answered: Answered,
  asked: { readonly stream: boolean; readonly thoughts: boolean; readonly tools: boolean },
): Promise<string> {
  const { api, frontId, format } = pair;
  const written = format.write(answered);
  const ports = new MemoryPorts();
  // The caller's own API is translated too.
  ports.options.value = someOptions({ retryTimes: 0 });
  const { stream } = asked;
  const reply = await callCore(ports, {
    dialect: api.dialect,
    path: stream ? api.path.replace('::generate', '::streamGenerate') : api.path,
    pathModel: api.pathModel,
    query: stream ? api.query : '',
    body: {
      ...api.body(stream),
      ...(asked.thoughts ? THOUGHTS[frontId] : {}),
      ...(asked.tools ? TOOLS[frontId] : {}),
    },
    route: { ...format.route, settings: { forceFormat: true } },
    script: (exchange) => {
      const { type, body } = stream
        ? onTheWire(
            {
              ...{ name: '', vendor: '', api: '', form: 'chunks' as const },
              bytes: Buffer.from(written.events.map((event) => JSON.stringify(event)).join('\n')),
            },
            written.framing,
          )
        : { type: 'application/json', body: Buffer.from(JSON.stringify(written.whole)) };
      exchange.head(200, { 'content-type': type }).bytes(body).end();
    },
  });
  expect({ status: reply.status, said: reply.status === 200 ? '' : reply.text }).toEqual({
    status: 200,
    said: '',
  });
  return reply.text;
}

/** What says the same in two ways. */
const PLAIN: Readonly<Record<string, (answer: Json) => unknown>> = {
  'openai-chat': ({ choices, ...rest }) => ({
    ...rest,
    choices: list(choices).map(({ message, ...choice }) => ({
      ...choice,
      message: present(object(message)),
    })),
  }),
  'gemini-generate': ({ candidates, ...rest }) => ({
    ...rest,
    candidates: list(candidates).map(({ content, groundingMetadata, ...candidate }) => ({
      ...candidate,
      // What was looked for is told by Google's own bytes only.
      chunks: object(groundingMetadata)['groundingChunks'],
      supports: object(groundingMetadata)['groundingSupports'],
      parts: joinParts(list(object(content)['parts'])),
    })),
  }),
};

/** Members that hold something; of entries of reasoning their proofs, since their words stand in `reasoning_content` too. */
function present(message: Json): Json {
  const { reasoning_details: details, ...rest } = message;
  const proofs = list(details).flatMap(({ signature, data, id }) =>
    signature === undefined && data === undefined ? [] : [{ signature, data, id }],
  );
  return {
    ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null && value !== '')),
    proofs,
  };
}

describe('a stream adds up to the whole answer', () => {
  it.each(PAIRS)('$name', async (pair) => {
    await fc.assert(
      fc.asyncProperty(answers, fc.boolean(), async (answered, thoughts) => {
        const tools = pair.format.write !== difyAnswer;
        const whole = object(JSON.parse(await ask(pair, answered, { stream: false, thoughts, tools })));
        const streamed =
          GATHERED[pair.frontId]?.(await ask(pair, answered, { stream: true, thoughts, tools })) ?? {};
        const plain = PLAIN[pair.frontId] ?? ((answer: Json): unknown => answer);
        expect(plain(streamed)).toEqual(plain(whole));
      }),
      { numRuns: 40, seed: 27 },
    );
  });
});

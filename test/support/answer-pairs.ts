import { expect } from '@jest/globals';
import { findOperation } from '../../server/relay-core/providers/provider.js';
import { PROVIDERS } from '../../server/relay-core/providers/registry.js';
import type { Route } from '../../server/relay-core/ports/channel-picker.js';
import { onTheWire } from '../replay/replay-upstream.mjs';
import { callCore, CHAT_APIS, type ChatApi } from './core-calls.js';
import { aRoute, MemoryPorts, someOptions } from './memory-ports.js';
import type { Answered, Written } from './random-answers/answered.js';
import { converseAnswer, messagesAnswer } from './random-answers/claude.js';
import { baiduAnswer, cozeAnswer, libraryAnswer, tencentAnswer } from './random-answers/clouds.js';
import { chatAnswer, responsesAnswer } from './random-answers/openai.js';
import { cohereAnswer, difyAnswer, geminiAnswer, ollamaAnswer } from './random-answers/others.js';
import type { MemoryExchange } from './memory-sides.js';
import { aProviderCall } from './relay-calls.js';
import type { Json } from './strict-vendors/story.js';

/** Answers of vendors of one format, and a channel to one. */
interface Format {
  readonly write: (answered: Answered) => Written;
  readonly route: Partial<Route>;
}

export const ANSWERING_FORMATS: Readonly<Record<string, Format>> = {
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
  'baidu-chat': { write: baiduAnswer, route: { channelType: 15, credential: 'key|secret' } },
  'coze-chat': { write: cozeAnswer, route: { channelType: 49, other: 'bot' } },
  'spark-chat': { write: chatAnswer, route: { channelType: 18 } },
  'tencent-chat': { write: tencentAnswer, route: { channelType: 23, credential: '1|id|secret' } },
  'library-chat': { write: libraryAnswer, route: { channelType: 21, other: 'library' } },
  'dify-chat': { write: difyAnswer, route: { channelType: 37 } },
};

/** Request for thoughts, by the API's format. */
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

/** Names by the API's format. */
export const API_NAMES: Readonly<Record<string, string>> = {
  'openai-chat': 'chat',
  'openai-responses': 'responses',
  'anthropic-messages': 'messages',
  'gemini-generate': 'gemini',
};

/** A vendor may use another format with callers of one API. */
function wireFor(clientFormat: string, changes: Partial<Route>): string | undefined {
  const route = aRoute(changes);
  const provider = PROVIDERS.find(({ channelTypes }) =>
    channelTypes.some(({ code }) => code === route.channelType),
  );
  return provider && findOperation(provider, 'chat', aProviderCall({ route, clientFormat }))?.apiFormat.id;
}

/** Every client API with every vendor format for it. */
export interface AnswerPair {
  readonly api: ChatApi;
  readonly frontId: string;
  readonly format: Format;
  readonly name: string;
}

export const ANSWER_PAIRS: readonly AnswerPair[] = CHAT_APIS.flatMap((api) => {
  const [frontId = ''] = Object.entries(API_NAMES).find(([, name]) => name === api.name) ?? [];
  return Object.entries(ANSWERING_FORMATS)
    .filter(([id, { route }]) => wireFor(frontId, route) === id)
    .map(([id, format]) => ({ api, frontId, format, name: `${frontId} ← ${id}` }));
});

/** The vendor's side of a call, in the way its format is streamed. */
export function giveAnswer(exchange: MemoryExchange, written: Written, stream: boolean): void {
  const { type, body } =
    stream || written.whole === undefined
      ? onTheWire(
          {
            name: '',
            vendor: '',
            api: '',
            form: 'chunks' as const,
            bytes: Buffer.from(written.events.map((event) => JSON.stringify(event)).join('\n')),
          },
          written.framing,
        )
      : { type: 'application/json', body: Buffer.from(JSON.stringify(written.whole)) };
  exchange.head(200, { 'content-type': type }).bytes(body).end();
}

/** Answer at the client for this answer of its vendor. Fails: throws the result if it is no answer. */
export async function answerTo(
  pair: AnswerPair,
  answered: Answered,
  asked: { readonly stream: boolean; readonly thoughts: boolean; readonly more?: Json },
): Promise<string> {
  const { api, frontId, format } = pair;
  const written = format.write(answered);
  const ports = new MemoryPorts();
  // The caller's own API is translated too.
  ports.options.value = someOptions({ retryTimes: 0 });
  const { stream } = asked;
  // Continuing a text knows no tools.
  const hasTools = ![difyAnswer, cozeAnswer, libraryAnswer].includes(format.write);
  const reply = await callCore(ports, {
    dialect: api.dialect,
    path: stream ? api.path.replace('::generate', '::streamGenerate') : api.path,
    pathModel: api.pathModel,
    query: stream ? api.query : '',
    body: {
      ...api.body(stream),
      ...(asked.thoughts ? THOUGHTS[frontId] : {}),
      ...asked.more,
      ...(hasTools && asked.more === undefined ? TOOLS[frontId] : {}),
    },
    route: { ...format.route, settings: { forceFormat: true } },
    script: (exchange) => giveAnswer(exchange, written, stream),
  });
  expect({ status: reply.status, said: reply.status === 200 ? '' : reply.text }).toEqual({
    status: 200,
    said: '',
  });
  return reply.text;
}

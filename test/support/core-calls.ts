import type { Dialect } from '../../server/relay-core/dialects/dialect.js';
import { anthropic } from '../../server/relay-core/dialects/anthropic.js';
import { gemini } from '../../server/relay-core/dialects/gemini.js';
import { openai } from '../../server/relay-core/dialects/openai.js';
import type { Operation } from '../../server/relay-core/model/operation.js';
import { runCall } from '../../server/relay-core/pipeline/run-call.js';
import type { Route } from '../../server/relay-core/ports/channel-picker.js';
import { aRoute, type MemoryPorts } from './memory-ports.js';
import { MemoryReply, type MemoryExchange } from './memory-sides.js';
import { aClientCall, clientRouteOf } from './relay-calls.js';

const MODEL = 'gpt-test';
const PROMPT = [{ role: 'user', content: 'hello there' }];

/** A client API of chats: its address and request. */
export interface ChatApi {
  readonly name: string;
  readonly dialect: Dialect;
  readonly path: string;
  readonly pathModel?: string;
  readonly query?: string;
  body(stream: boolean): Readonly<Record<string, unknown>>;
}

const asks = (more: Readonly<Record<string, unknown>>) => (stream: boolean) => ({
  model: MODEL,
  ...more,
  ...(stream ? { stream } : {}),
});
const contents = [{ role: 'user', parts: [{ text: 'hello there' }] }];

export const CHAT_APIS: readonly ChatApi[] = [
  {
    name: 'chat',
    dialect: openai,
    path: '/v1/chat/completions',
    body: (stream) => ({
      ...asks({ messages: PROMPT })(stream),
      ...(stream ? { stream_options: { include_usage: true } } : {}),
    }),
  },
  {
    name: 'responses',
    dialect: openai,
    path: '/v1/responses',
    body: asks({ input: 'hello there' }),
  },
  {
    name: 'messages',
    dialect: anthropic,
    path: '/v1/messages',
    body: asks({ messages: PROMPT, max_tokens: 64 }),
  },
  {
    name: 'gemini',
    dialect: gemini,
    path: '/v1beta/models/:model(^.+)::generateContent',
    pathModel: MODEL,
    query: 'alt=sse',
    body: () => ({ contents }),
  },
];

/** Channels by their vendor's format. */
export const FORMAT_ROUTES: Record<string, Partial<Route>> = {
  chat: { channelType: 1 },
  responses: { channelType: 8, baseUrl: 'https://upstream.example/v1/responses' },
  messages: { channelType: 14 },
  gemini: { channelType: 24 },
};

export function apiNamed(name: string): ChatApi {
  const api = CHAT_APIS.find((candidate) => candidate.name === name);
  if (api === undefined) throw new Error(`no client API is called ${name}`);
  return api;
}

/** One call through the core. `script` answers every request that reaches the upstream. */
export async function callCore(
  ports: MemoryPorts,
  input: {
    readonly dialect: Dialect;
    readonly path: string;
    readonly operation?: Operation;
    readonly pathModel?: string | undefined;
    readonly query?: string | undefined;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body: unknown;
    readonly route?: Partial<Route>;
    readonly script: (exchange: MemoryExchange) => void;
  },
): Promise<MemoryReply> {
  const { dialect, path, operation = 'chat', pathModel, query = '', body, route, script, headers } = input;
  if (route !== undefined) ports.channels.routes.splice(0, Infinity, aRoute(route));
  const answering = (): void => {
    void ports.sender.next().then((exchange) => {
      answering();
      queueMicrotask(() => script(exchange));
    });
  };
  answering();
  const reply = new MemoryReply();
  const call = aClientCall({
    path,
    pathModel,
    query,
    headers: { authorization: 'Bearer sk-test', ...headers },
    body: Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body)),
    receivedAtMs: ports.clock.nowMs(),
  });
  await runCall(ports, call, dialect, clientRouteOf(dialect, operation, path), reply);
  await reply.ended;
  return reply;
}

/** A chat of one client API over a vendor of one format. */
export const chatCore = (
  ports: MemoryPorts,
  api: ChatApi,
  stream: boolean,
  format: string,
  script: (exchange: MemoryExchange) => void,
): Promise<MemoryReply> =>
  callCore(ports, {
    dialect: api.dialect,
    path: stream ? api.path.replace('::generate', '::streamGenerate') : api.path,
    pathModel: api.pathModel,
    query: stream ? api.query : '',
    body: api.body(stream),
    route: FORMAT_ROUTES[format] ?? {},
    script,
  });

/** The documents of a stream's events. */
export const eventsIn = (text: string): readonly Record<string, unknown>[] =>
  [...text.matchAll(/^data: ?(\{.*\})$/gm)].map(
    (match) => JSON.parse(match[1] as string) as Record<string, unknown>,
  );

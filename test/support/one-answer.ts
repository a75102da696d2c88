import type { Route } from '../../server/relay-core/ports/channel-picker.js';
import { apiNamed, callCore, eventsIn, FORMAT_ROUTES } from './core-calls.js';
import { MemoryPorts, someOptions } from './memory-ports.js';
import type { Json } from './strict-vendors/story.js';

/** A call of one client API, and what its upstream answers. */
export interface OneCall {
  /** `chat`, `responses`, `messages` or `gemini`. */
  readonly api: string;
  /** A format of `FORMAT_ROUTES`, or a channel of its own. */
  readonly over: string | Partial<Route>;
  /** Members of the request that replace the usual ones. */
  readonly more?: Json;
  readonly status?: number;
  /** A whole answer, or the events of a stream. */
  readonly answer: Json | readonly (Json | string)[];
}

/** The result of a call. */
export interface OneAnswer {
  readonly status: number;
  readonly body: Json;
  readonly events: readonly Json[];
  readonly warnings: string;
  /** The request as it reached the upstream. */
  readonly sent: Json;
  readonly settled: MemoryPorts['quota']['settled'];
}

/** Runs one call through the core, without retries. An answer in events is requested and sent as a stream. */
export async function oneCall({ api, over, more = {}, status = 200, answer }: OneCall): Promise<OneAnswer> {
  const { dialect, path, pathModel, query, body } = apiNamed(api);
  const ports = new MemoryPorts();
  ports.options.value = someOptions({ retryTimes: 0 });
  const stream = Array.isArray(answer);
  const frame = (one: Json | string): string => {
    if (typeof one === 'string') return `data: ${one}\n\n`;
    const name = typeof one['type'] === 'string' ? `event: ${one['type']}\n` : '';
    return `${name}data: ${JSON.stringify(one)}\n\n`;
  };
  const bytes = stream ? (answer as readonly (Json | string)[]).map(frame).join('') : JSON.stringify(answer);
  let sent: Json = {};
  const reply = await callCore(ports, {
    dialect,
    path: stream ? path.replace('::generate', '::streamGenerate') : path,
    pathModel,
    query: stream ? query : '',
    body: { ...body(stream), ...more },
    route: typeof over === 'string' ? (FORMAT_ROUTES[over] ?? {}) : over,
    script: (exchange) => {
      sent = exchange.body;
      exchange
        .head(status, { 'content-type': stream ? 'text/event-stream' : 'application/json' })
        .bytes(bytes)
        .end();
    },
  });
  const isJson = reply.text.startsWith('{');
  return {
    status: reply.status,
    body: isJson ? (JSON.parse(reply.text) as Json) : {},
    events: isJson ? [] : eventsIn(reply.text),
    warnings: reply.headers['x-tollgate-warnings'] ?? '',
    sent,
    settled: ports.quota.settled,
  };
}

/** A whole chat answer. */
export const chatAnswer = (message: Json, finish_reason: string | null, more: Json = {}): Json => ({
  id: 'x',
  object: 'chat.completion',
  created: 1_795_580_447,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: null, ...message }, finish_reason }],
  usage: { prompt_tokens: 3, completion_tokens: 5, total_tokens: 8 },
  ...more,
});

/** A streamed chat answer. */
export const chatStream = (deltas: readonly Json[], finish_reason: string | null): (Json | string)[] => {
  const chunk = (delta: Json, finish: string | null): Json => ({
    id: 'x',
    object: 'chat.completion.chunk',
    created: 1_795_580_447,
    model: 'm',
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  return [
    ...deltas.map((delta) => chunk(delta, null)),
    chunk({}, finish_reason),
    { ...chunk({}, null), choices: [], usage: { prompt_tokens: 3, completion_tokens: 5, total_tokens: 8 } },
    '[DONE]',
  ];
};

/** A call in a chat answer. */
export const chatCall = (name: string, json: string): Json => ({
  tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name, arguments: json } }],
});

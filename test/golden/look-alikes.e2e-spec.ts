import { describe, expect, it } from '@jest/globals';
import type { Route } from '../../server/relay-core/ports/channel-picker.js';
import { API_NAMES } from '../support/answer-pairs.js';
import { CHAT_APIS, callCore, type ChatApi } from '../support/core-calls.js';
import { documentsIn } from '../support/gather-streams.js';
import { MemoryPorts, someOptions } from '../support/memory-ports.js';
import { ANSWER_RULES } from '../support/schemas/answer-rules.js';
import { list, object, text, type Json } from '../support/strict-vendors/story.js';

/** Content of a stream as a client of any API sees it. */
interface Heard {
  readonly words: string;
  readonly calls: readonly (readonly [name: string, args: string])[];
}

/** A stream in the form of an OpenAI-compatible provider, and its content. */
interface Shape {
  readonly name: string;
  readonly route: Partial<Route>;
  readonly events: readonly Json[];
  readonly end?: string;
  readonly says: Heard;
  /** A finish reason of no table: it passes to callers of the same API as it came, although their schema does not have it. */
  readonly passedFinish?: string;
}

const CHAT: Partial<Route> = { channelType: 8, baseUrl: 'https://upstream.example/v1/chat/completions' };
const RESPONSES: Partial<Route> = { channelType: 8, baseUrl: 'https://upstream.example/v1/responses' };
const MESSAGES: Partial<Route> = { channelType: 14 };

/** APIs whose events pass as they came. */
const FRONT_OF = new Map([
  [RESPONSES, 'openai-responses'],
  [MESSAGES, 'anthropic-messages'],
]);

const head = { id: 'c', object: 'chat.completion.chunk', created: 1_700_000_000, model: 'm' };
const usage = { prompt_tokens: 5, completion_tokens: 3, total_tokens: 8 };
const chunk = (delta: Json, finish: string | null = null): Json => ({
  ...head,
  choices: [{ index: 0, delta, finish_reason: finish }],
});
const told = { ...head, choices: [], usage };
const words = chunk({ role: 'assistant', content: 'Hello' });
const call = (id: string, args: unknown): Json => ({
  id,
  type: 'function',
  function: { name: id === 'call_1' ? 'lookup' : 'now', arguments: args },
});
const HELLO: Heard = { words: 'Hello', calls: [] };
const ARGS = '{"city":"Oslo"}';
const BOTH: Heard = {
  words: '',
  calls: [
    ['lookup', ARGS],
    ['now', '{}'],
  ],
};
const DONE = 'data: [DONE]\n\n';

const chat = (name: string, events: readonly Json[], says = HELLO): Shape => ({
  name,
  route: CHAT,
  events,
  end: DONE,
  says,
});

const response = { id: 'r', object: 'response', created_at: 1, model: 'm', status: 'completed', output: [] };
const item = {
  id: 'fc',
  type: 'function_call',
  call_id: 'call_1',
  name: 'lookup',
  arguments: '',
  status: 'in_progress',
};
const message = {
  id: 'msg',
  type: 'message',
  role: 'assistant',
  model: 'm',
  stop_reason: null,
  stop_sequence: null,
};

const SHAPES: readonly Shape[] = [
  chat(
    'calls without an index',
    [
      chunk({ role: 'assistant', tool_calls: [call('call_1', ARGS)] }),
      chunk({ tool_calls: [call('call_2', '{}')] }, 'tool_calls'),
      told,
    ],
    BOTH,
  ),
  chat(
    'calls that grow in turns',
    [
      chunk({
        tool_calls: [
          { index: 0, ...call('call_1', '') },
          { index: 1, ...call('call_2', '') },
        ],
      }),
      chunk({ tool_calls: [{ index: 0, function: { arguments: '{"city":' } }] }),
      chunk({ tool_calls: [{ index: 1, function: { arguments: '{}' } }] }),
      chunk({ tool_calls: [{ index: 0, function: { arguments: '"Oslo"}' } }] }),
      chunk({}, 'tool_calls'),
      told,
    ],
    BOTH,
  ),
  ...[undefined, null, ''].map((none) =>
    chat(
      `a call whose arguments are ${JSON.stringify(none)}`,
      [
        chunk({ tool_calls: [{ index: 0, ...call('call_1', ARGS) }] }),
        chunk({ tool_calls: [{ index: 1, ...call('call_2', none) }] }),
        chunk({}, 'tool_calls'),
        told,
      ],
      BOTH,
    ),
  ),
  chat('figures without choices, in milliseconds', [
    words,
    chunk({}, 'stop'),
    { ...head, choices: undefined, created: 1_700_000_000_123, usage },
  ]),
  chat('figures in a frame of another kind', [
    words,
    chunk({}, 'stop'),
    { id: 'usage-1', provider_id: 'x', model: 'm', usage, request_id: 'y' },
  ]),
  chat('no figures at all', [words, chunk({}, 'stop')]),
  chat('figures that are null', [
    words,
    chunk({}, 'stop'),
    { ...told, usage: { prompt_tokens: null, completion_tokens: null, total_tokens: 0 } },
  ]),
  ...['eos', ''].map((finish) =>
    chat(`it ends by ${JSON.stringify(finish)}`, [words, chunk({}, finish), told]),
  ),
  {
    ...chat('it ends by a word of no table', [words, chunk({}, 'guardrail_intervened'), told]),
    passedFinish: 'guardrail_intervened',
  },
  chat('words beside an empty list of calls', [
    chunk({ role: 'assistant', content: 'Hel', tool_calls: [] }),
    chunk({ content: 'lo', tool_calls: [] }),
    chunk({ tool_calls: [] }, 'stop'),
    told,
  ]),
  chat('null for what is not there', [
    chunk({ role: null, content: 'Hello', tool_calls: null, reasoning_content: null, refusal: null }),
    chunk({ role: null, content: null, tool_calls: null }, 'stop'),
    told,
  ]),
  chat('nothing in the first frame', [{ ...head, choices: [] }, words, chunk({}, 'stop'), told]),
  {
    name: 'Responses: arguments only at the end of a call',
    route: RESPONSES,
    events: [
      { type: 'response.created', response: { ...response, status: 'in_progress' } },
      { type: 'response.output_item.added', output_index: 0, item },
      { type: 'response.function_call_arguments.done', item_id: 'fc', output_index: 0, arguments: ARGS },
      {
        type: 'response.output_item.done',
        output_index: 0,
        item: { ...item, arguments: ARGS, status: 'completed' },
      },
      {
        type: 'response.completed',
        response: {
          ...response,
          output: [{ ...item, arguments: ARGS, status: 'completed' }],
          usage: { input_tokens: 5, output_tokens: 3, total_tokens: 8 },
        },
      },
    ],
    says: { words: '', calls: [['lookup', ARGS]] },
  },
  {
    name: 'Messages: null for what is empty',
    route: MESSAGES,
    events: [
      {
        type: 'message_start',
        message: { ...message, content: null, usage: { input_tokens: 5, output_tokens: 1 } },
      },
      {
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'thinking', thinking: null, signature: null },
      },
      { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Hm.' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'content_block_start', index: 1, content_block: { type: 'text', text: null } },
      { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'Hello' } },
      { type: 'content_block_stop', index: 1 },
      {
        type: 'message_delta',
        delta: { stop_reason: 'end_turn', stop_sequence: null },
        usage: { input_tokens: null, output_tokens: 3 },
      },
      { type: 'message_stop' },
    ],
    says: HELLO,
  },
];

async function streamOf(api: ChatApi, { route, events, end = '' }: Shape): Promise<string> {
  const ports = new MemoryPorts();
  ports.options.value = someOptions({ retryTimes: 0 });
  const reply = await callCore(ports, {
    dialect: api.dialect,
    pathModel: api.pathModel,
    query: api.query,
    route,
    path: api.path.replace('::generate', '::streamGenerate'),
    body: api.body(true),
    script: (exchange) => {
      const frames = events.map((event) => {
        const name = typeof event['type'] === 'string' ? `event: ${event['type']}\n` : '';
        return `${name}data: ${JSON.stringify(event)}\n\n`;
      });
      exchange
        .head()
        .bytes(frames.join('') + end)
        .end();
    },
  });
  expect([reply.status, reply.status === 200 ? '' : reply.text]).toEqual([200, '']);
  return reply.text;
}

/** Reading of a stream by clients of each API. */
const HEAR: Readonly<Record<string, (events: readonly Json[]) => Heard>> = {
  chat: (events) => {
    const calls: [string, string][] = [];
    let said = '';
    for (const { delta } of events.flatMap(({ choices }) => list(choices))) {
      said += text(object(delta)['content']);
      for (const { index, function: made } of list(object(delta)['tool_calls'])) {
        const one = (calls[Number(index)] ??= ['', '']);
        one[0] += text(object(made)['name']);
        one[1] += text(object(made)['arguments']);
      }
    }
    return { words: said, calls };
  },
  responses: (events) => {
    const last = object(events.at(-1)?.['response']);
    const items = list(last['output']);
    return {
      words: items.flatMap(({ content }) => list(content).map((part) => text(part['text']))).join(''),
      calls: items
        .filter(({ type }) => type === 'function_call')
        .map(({ name, arguments: args }) => [text(name), text(args)] as const),
    };
  },
  messages: (events) => {
    const calls = new Map<unknown, [string, string]>();
    let said = '';
    for (const { index, content_block: block, delta } of events) {
      if (object(block)['type'] === 'tool_use') calls.set(index, [text(object(block)['name']), '']);
      said += text(object(delta)['text']);
      const one = calls.get(index);
      if (one !== undefined) one[1] += text(object(delta)['partial_json']);
    }
    return { words: said, calls: [...calls.values()].map(([name, args]) => [name, args || '{}']) };
  },
  gemini: (events) => {
    const parts = events
      .flatMap(({ candidates }) => list(candidates))
      .flatMap(({ content }) => list(object(content)['parts']))
      .filter(({ thought }) => thought !== true);
    return {
      words: parts.map((part) => text(part['text'])).join(''),
      calls: parts
        .filter(({ functionCall }) => functionCall !== undefined)
        .map(({ functionCall: made }) => [text(object(made)['name']), JSON.stringify(object(made)['args'])]),
    };
  },
};

describe.each(CHAT_APIS)('a stream of a look-alike is one of $name', (api) => {
  const [frontId = ''] = Object.entries(API_NAMES).find(([, name]) => name === api.name) ?? [];

  it.each(SHAPES)('$name', async (shape) => {
    const events = documentsIn(await streamOf(api, shape));
    expect(HEAR[api.name]?.(events)).toEqual(shape.says);
    // Fields another API's vendor leaves out of its own events are not written for it.
    if (shape.route !== CHAT && frontId === FRONT_OF.get(shape.route)) return;
    const faults = events.flatMap(
      (event) => ANSWER_RULES[frontId]?.event(event) ?? ['nobody wrote the rules'],
    );
    const { passedFinish } = shape;
    const isPassed = (fault: string): boolean =>
      passedFinish !== undefined && api.name === 'chat' && fault.includes(`finish_reason: "${passedFinish}"`);
    expect({ events, faults: faults.filter((fault) => !isPassed(fault)) }).toEqual({ events, faults: [] });
    expect(faults.some(isPassed)).toBe(passedFinish !== undefined && api.name === 'chat');
  });
});

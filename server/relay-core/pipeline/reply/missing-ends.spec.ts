import { describe, expect, it } from '@jest/globals';
import { oneCall, type OneAnswer } from '../../../../test/support/one-answer.js';
import { list, object, type Json } from '../../../../test/support/strict-vendors/story.js';

const chunk = (delta: Json, finish_reason: unknown): Json => ({
  id: 'x',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [{ index: 0, delta, finish_reason }],
});

/** Text and end of a stream by each client API. */
const READ: Readonly<Record<string, (events: readonly Json[]) => readonly unknown[]>> = {
  chat: (events) => {
    const choices = events.flatMap((event) => list(event['choices']).map(object));
    const ends = choices.map((choice) => choice['finish_reason']).filter((end) => end !== null);
    return [choices.map((choice) => object(choice['delta'])['content'] ?? '').join(''), ...ends];
  },
  messages: (events) => [
    events.map((event) => object(event['delta'])['text'] ?? '').join(''),
    ...events.flatMap((event) => object(event['delta'])['stop_reason'] ?? []),
  ],
  responses: (events) => {
    const response = object(events.at(-1)?.['response']);
    const [item] = list(response['output']).map(object);
    return [
      list(item?.['content'])
        .map((part) => object(part)['text'])
        .join(''),
      response['status'],
    ];
  },
  gemini: (events) => {
    const candidates = events.flatMap((event) => list(event['candidates']).map(object));
    const parts = candidates.flatMap((candidate) => list(object(candidate['content'])['parts']).map(object));
    return [
      parts.map((part) => part['text'] ?? '').join(''),
      ...candidates.flatMap((candidate) => candidate['finishReason'] ?? []),
    ];
  },
};
const ENDS: Readonly<Record<string, string>> = {
  chat: 'stop',
  messages: 'end_turn',
  responses: 'completed',
  gemini: 'STOP',
};

/** DashScope's own API and some answers of DeepSeek write what is missing as a word. */
describe('a finish reason that stands for none', () => {
  it.each(Object.keys(READ).flatMap((api) => ['null', 'None', ''].map((word) => [api, word] as const)))(
    'does not end a stream of %s: %j',
    async (api, word) => {
      const answer = [
        chunk({ role: 'assistant', content: 'A' }, word),
        chunk({ content: 'B' }, word),
        chunk({ content: 'C' }, word),
        chunk({}, 'stop'),
        '[DONE]',
      ];
      const { events } = await oneCall({ api, over: 'chat', answer });
      expect(READ[api]?.(events)).toEqual(['ABC', ENDS[api]]);
    },
  );

  it.each(['null', 'None'])('leaves a call of a stream open: %s', async (word) => {
    const call = (index: number, made: Json): Json => ({ tool_calls: [{ index, ...made }] });
    const answer = [
      chunk(call(0, { id: 'c', type: 'function', function: { name: 'f', arguments: '{"a":' } }), word),
      chunk(call(0, { function: { arguments: '1}' } }), word),
      chunk({}, 'tool_calls'),
      '[DONE]',
    ];
    const { events } = await oneCall({ api: 'messages', over: 'chat', answer });
    expect(events.map((event) => object(event['delta'])['partial_json'] ?? '').join('')).toBe('{"a":1}');
  });

  it.each(['null', 'None'])(
    'leaves a whole answer with the end it would have without one: %s',
    async (word) => {
      const endOf = async (finish_reason: unknown): Promise<OneAnswer> =>
        oneCall({
          api: 'messages',
          over: 'chat',
          answer: {
            id: 'x',
            object: 'chat.completion',
            created: 1,
            model: 'm',
            choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason }],
            usage: { prompt_tokens: 3, completion_tokens: 5, total_tokens: 8 },
          },
        });
      expect((await endOf(word)).body['stop_reason']).toBe((await endOf(null)).body['stop_reason']);
    },
  );
});

/** NVIDIA NIM and others end a stream regularly without one: https://github.com/earendil-works/pi/pull/6225 (read 2026-11-30). */
describe('a chat that passes without a finish reason', () => {
  const usage = { prompt_tokens: 3, completion_tokens: 5, total_tokens: 8 };
  const call = {
    tool_calls: [{ index: 0, id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
  };
  const endsOf = async (answer: readonly (Json | string)[]): Promise<readonly unknown[]> =>
    READ['chat']?.((await oneCall({ api: 'chat', over: 'chat', answer: [...answer] })).events) ?? [];

  it.each([
    ['calls', [chunk(call, null)], 'tool_calls'],
    ['text', [chunk({ content: 'Hi' }, null)], 'stop'],
    ['text with its usage', [{ ...chunk({ content: 'Hi' }, null), usage }], 'stop'],
  ] as const)('gets the end of its content: %s', async (_name, events, end) => {
    expect((await endsOf([...events, '[DONE]'])).slice(1)).toEqual([end]);
  });

  it('keeps the only end that its vendor gave', async () => {
    expect(await endsOf([chunk({ content: 'Hi' }, 'length'), '[DONE]'])).toEqual(['Hi', 'length']);
  });

  it('stays broken where the stream breaks off', async () => {
    expect(await endsOf([chunk(call, null)])).toEqual(['']);
  });
});

describe('a stream of Responses whose last event has the name of the Realtime API', () => {
  it.each(['chat', 'messages', 'gemini'])('ends for callers of %s', async (api) => {
    const response = {
      id: 'r',
      object: 'response',
      created_at: 1,
      model: 'm',
      output: [],
      status: 'in_progress',
    };
    const item = { type: 'message', id: 'm', role: 'assistant', content: [] };
    const text = { output_index: 0, content_index: 0, item_id: 'm', delta: 'Hi' };
    const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
    const answer = [
      { type: 'response.created', response },
      { type: 'response.output_item.added', output_index: 0, item },
      { type: 'response.output_text.delta', ...text },
      { type: 'response.done', response: { ...response, status: 'completed', usage } },
    ];
    const { events } = await oneCall({ api, over: 'responses', answer });
    expect(READ[api]?.(events)).toEqual(['Hi', ENDS[api]]);
  });
});

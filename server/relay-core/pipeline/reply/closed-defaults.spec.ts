import { describe, expect, it } from '@jest/globals';
import {
  chatAnswer,
  chatCall,
  chatStream,
  oneCall,
  type OneAnswer,
} from '../../../../test/support/one-answer.js';
import { list, object } from '../../../../test/support/strict-vendors/story.js';

/** The member of each client API that holds the finish reason. */
const ENDS: Readonly<Record<string, (answer: OneAnswer) => unknown>> = {
  chat: ({ body }) => list(body['choices'])[0]?.['finish_reason'],
  responses: ({ body }) => body['status'],
  messages: ({ body }) => body['stop_reason'],
  gemini: ({ body }) => list(body['candidates'])[0]?.['finishReason'],
};
const WORDS = ['model_context_window_exceeded', 'repetition_truncation', 'abort', 'a_new_word'];

describe('an end that is in no table', () => {
  it.each(WORDS)('returns %s as it came on the same format, and elsewhere as a cut', async (word) => {
    const ends = await Promise.all(
      Object.entries(ENDS).map(async ([api, endOf]) =>
        endOf(await oneCall({ api, over: 'chat', answer: chatAnswer({ content: 'Hi' }, word) })),
      ),
    );
    expect(ends).toEqual([
      word,
      'incomplete',
      word === 'model_context_window_exceeded' ? word : 'max_tokens',
      'MAX_TOKENS',
    ]);
  });

  it('returns tool calls where a whole one came, and a cut where none did', async () => {
    const endOf = async (json: string): Promise<unknown> => {
      const answer = await oneCall({
        api: 'messages',
        over: 'chat',
        answer: chatAnswer(chatCall('f', json), 'a_new_word'),
      });
      return answer.body['stop_reason'];
    };
    expect([await endOf('{"a":1}'), await endOf('{"a":')]).toEqual(['tool_use', 'max_tokens']);
  });

  it.each(Object.keys(ENDS).filter((api) => api !== 'chat'))(
    'fails the call of %s where nothing came',
    async (api) => {
      const usage = { prompt_tokens: 3, completion_tokens: 0, total_tokens: 3 };
      const answer = chatAnswer({}, 'a_new_word', { usage });
      expect((await oneCall({ api, over: 'chat', answer })).status).toBe(502);
    },
  );

  it('returns a pause of Anthropic to callers of Messages, and a cut to others', async () => {
    const answer = {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [{ type: 'text', text: 'Hi' }],
      stop_reason: 'pause_turn',
      usage: { input_tokens: 3, output_tokens: 2 },
    };
    const ends = await Promise.all(
      Object.entries(ENDS).map(async ([api, endOf]) =>
        endOf(await oneCall({ api, over: 'messages', answer })),
      ),
    );
    expect(ends).toEqual(['length', 'incomplete', 'pause_turn', 'MAX_TOKENS']);
  });
});

describe('arguments that are no whole object', () => {
  it.each(['{"city":"Par', 'null', '[]', '  ', '"text"'])(
    'returns none for tools that take an object: %s',
    async (json) => {
      const whole = chatAnswer(chatCall('f', json), 'length');
      const stream = chatStream([chatCall('f', json)], 'length');
      const { body } = await oneCall({ api: 'messages', over: 'chat', answer: whole });
      expect(list(body['content'])).toMatchObject([{ type: 'tool_use', name: 'f', input: {} }]);
      for (const answer of [whole, stream]) {
        const gemini = await oneCall({ api: 'gemini', over: 'chat', answer });
        const text = JSON.stringify([gemini.body, gemini.events]);
        expect(text).toContain('"name":"f","args":{}');
      }
    },
  );

  it.each(['null', '[]', '  '])('leaves them out of a stream of Messages: %s', async (json) => {
    const answer = chatStream([chatCall('f', json)], 'tool_calls');
    const { events } = await oneCall({ api: 'messages', over: 'chat', answer });
    const pieces = events
      .map(({ delta }) => object(delta)['partial_json'])
      .filter((piece) => piece !== undefined);
    expect(['', '{}']).toContain(pieces.join(''));
  });
});

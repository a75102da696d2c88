import { describe, expect, it } from '@jest/globals';
import { chatAnswer, oneCall } from '../../../../test/support/one-answer.js';
import { list, type Json } from '../../../../test/support/strict-vendors/story.js';
import type { Route } from '../../ports/channel-picker.js';

const ANSWER = chatAnswer({ content: 'Hi' }, 'stop');
const ASKED = [{ role: 'user', content: 'q' }];
const call = { id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } };
const HISTORY: Record<string, Json> = {
  chat: {
    messages: [
      ...ASKED,
      { role: 'assistant', content: null, reasoning_content: 'Hm.', tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c1', content: 'r' },
    ],
  },
  messages: {
    messages: [
      ...ASKED,
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Hm.', signature: '' },
          { type: 'tool_use', id: 'c1', name: 'f', input: {} },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'r' }] },
    ],
  },
};

const GROQ = 'https://api.groq.com/openai';
const CEREBRAS = 'https://api.cerebras.ai/v1';
const channel = (baseUrl: string, upstreamModel: string, preset?: string): Partial<Route> => ({
  channelType: 1,
  baseUrl,
  upstreamModel,
  isModelMapped: true,
  settings: preset === undefined ? {} : { vendor: { preset } },
});
const sentTo = (over: Partial<Route>, api: string, more: Json) =>
  oneCall({ api, over, more, answer: ANSWER });

describe('a vendor that refuses `reasoning_content`', () => {
  const routes: [string, Partial<Route>, Json][] = [
    ['Groq by its host', channel(GROQ, 'openai/gpt-oss-120b'), { reasoning: 'Hm.' }],
    ['Groq by its preset', channel('https://a.example', 'qwen/qwen3-32b', 'groq'), { reasoning: 'Hm.' }],
    ['a model of Groq that does not reason', channel(GROQ, 'llama-3.3-70b-versatile', 'groq'), {}],
    ['Cerebras by its host', channel(CEREBRAS, 'zai-glm-4.7'), { reasoning: 'Hm.' }],
    [
      'Cerebras by its preset',
      channel('https://a.example', 'gpt-oss-120b', 'cerebras'),
      { reasoning: 'Hm.' },
    ],
  ];
  for (const api of ['chat', 'messages'])
    it.each(routes)(
      `gets earlier thoughts in its own form from ${api}: %s`,
      async (_name, over, thoughts) => {
        const { sent } = await sentTo(over, api, HISTORY[api] as Json);
        expect(list(sent['messages'])[1]).toEqual({
          role: 'assistant',
          content: null,
          tool_calls: [call],
          ...thoughts,
        });
      },
    );

  it.each(['https://api.groq.com.evil.example', 'https://a.example/api.groq.com'])(
    'keeps them as they came at another host: %s',
    async (baseUrl) => {
      const { sent } = await sentTo(channel(baseUrl, 'm'), 'chat', HISTORY['chat'] as Json);
      expect(list(sent['messages'])[1]).toMatchObject({ reasoning_content: 'Hm.' });
    },
  );
});

describe('a vendor that refuses unknown members', () => {
  it.each([GROQ, CEREBRAS])('gets none of them from a chat, with a warning each: %s', async (baseUrl) => {
    const refused = { reasoning: {}, enable_thinking: true, think: false, top_k: 3, store: true };
    const { sent, warnings } = await sentTo(channel(baseUrl, 'gpt-oss-120b'), 'chat', {
      messages: ASKED,
      seed: 1,
      ...refused,
    });
    expect(sent).toMatchObject({ messages: ASKED, seed: 1 });
    expect(Object.keys(sent).filter((name) => name in refused)).toEqual([]);
    expect(warnings.split(', ').toSorted()).toEqual(Object.keys(refused).toSorted());
  });

  it.each([GROQ, CEREBRAS])('gets no members of messages that it does not know: %s', async (baseUrl) => {
    const said = { role: 'assistant', content: 'a' };
    const messages = [
      { role: 'user', content: 'q', timestamp: 7, name: 'n' },
      { ...said, refusal: null, annotations: [], reasoning_details: [] },
      { role: 'user', content: 'q' },
    ];
    const { sent, warnings } = await sentTo(channel(baseUrl, 'gpt-oss-120b'), 'chat', { messages });
    expect(sent['messages']).toEqual([
      { role: 'user', content: 'q', name: 'n' },
      said,
      { role: 'user', content: 'q' },
    ]);
    expect(warnings).toBe('messages.0.timestamp, messages.1.annotations');
  });

  it('raises no warning where a word of another API was translated', async () => {
    const thinking = { type: 'enabled', budget_tokens: 4_000 };
    const more = { messages: ASKED, max_tokens: 9_000, thinking };
    const { sent, warnings } = await sentTo(channel(GROQ, 'openai/gpt-oss-20b'), 'messages', more);
    expect([sent['reasoning_effort'], warnings]).toEqual(['low', '']);
  });
});

describe('a vendor with efforts of its own', () => {
  it.each([
    [GROQ, 'openai/gpt-oss-120b', 'xhigh', 'high'],
    [GROQ, 'openai/gpt-oss-120b', 'none', 'low'],
    [GROQ, 'qwen/qwen3-32b', 'high', 'default'],
    [GROQ, 'qwen/qwen3-32b', 'none', 'none'],
    [GROQ, 'llama-3.3-70b-versatile', 'high', undefined],
    [CEREBRAS, 'gpt-oss-120b', 'none', 'low'],
    [CEREBRAS, 'zai-glm-4.7', 'none', 'none'],
    [CEREBRAS, 'zai-glm-4.7', 'max', 'high'],
    [CEREBRAS, 'llama3.1-8b', 'low', undefined],
  ])('gets efforts in the words of the model: %s, %s, %s', async (baseUrl, model, effort, written) => {
    const over = channel(baseUrl, model);
    const chat = await sentTo(over, 'chat', { messages: ASKED, reasoning_effort: effort });
    const nested = await sentTo(over, 'chat', { messages: ASKED, reasoning: { effort } });
    expect([chat.sent['reasoning_effort'], nested.sent['reasoning_effort']]).toEqual([written, written]);
  });
});

import { describe, expect, it } from '@jest/globals';
import { oneCall } from '../../../../test/support/one-answer.js';

const search = {
  type: 'web_search',
  filters: { blocked_domains: ['a.example'] },
  external_web_access: false,
};
const more = { input: 'q', tools: [search] };

describe('limits of a web search of the Responses API', () => {
  it('reach vendors with a word for them', async () => {
    const messages = await oneCall({ api: 'responses', over: 'messages', more, answer: {} });
    expect(messages.sent['tools']).toMatchObject([{ blocked_domains: ['a.example'] }]);
    const gemini = await oneCall({ api: 'responses', over: 'gemini', more, answer: {} });
    expect(gemini.sent['tools']).toEqual([{ googleSearch: { excludeDomains: ['a.example'] } }]);
  });

  it.each(['messages', 'gemini'])('add a warning where there is none: %s', async (over) => {
    const answer =
      over === 'gemini'
        ? { candidates: [{ content: { parts: [{ text: 'a' }] }, finishReason: 'STOP' }] }
        : {
            type: 'message',
            role: 'assistant',
            id: 'm',
            model: 'm',
            content: [{ type: 'text', text: 'a' }],
            stop_reason: 'end_turn',
            usage: { input_tokens: 1, output_tokens: 1 },
          };
    const { warnings } = await oneCall({ api: 'responses', over, more, answer });
    expect(warnings).toContain('external_web_access');
  });
});

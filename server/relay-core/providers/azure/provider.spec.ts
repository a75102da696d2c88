import { describe, expect, it } from '@jest/globals';
import { chatAnswer, chatStream, oneCall, type OneCall } from '../../../../test/support/one-answer.js';
import { list, object, type Json } from '../../../../test/support/strict-vendors/story.js';
import type { Route } from '../../ports/channel-picker.js';

const USAGE = {
  prompt_tokens: 249,
  completion_tokens: 5,
  total_tokens: 254,
  prompt_tokens_details: { cached_tokens: 158 },
};
const WHOLE = chatAnswer({ content: 'ok' }, 'stop', { usage: USAGE });
const STREAM = chatStream([{ content: 'ok' }], 'stop').map((event) =>
  typeof event !== 'string' && event['usage'] !== undefined ? { ...event, usage: USAGE } : event,
);
const AZURE = { channelType: 3, baseUrl: 'https://r.openai.azure.com', other: '2025-04-01-preview' };
const grokAt = (route: Partial<Route>): Partial<Route> => ({ ...route, upstreamModel: 'grok-4-fast' });

const inputOf = async (call: Omit<OneCall, 'api'>, api = 'chat'): Promise<unknown> =>
  (await oneCall({ ...call, api })).settled[0]?.usage.input;

describe('cached tokens of Grok', () => {
  it.each([
    ['whole', WHOLE],
    ['streamed', STREAM],
  ])('charges them beside the prompt at Azure, passed and translated: %s', async (_, answer) => {
    for (const api of ['chat', 'messages'])
      expect(await inputOf({ over: grokAt(AZURE), answer, more: { max_tokens: 64 } }, api)).toEqual({
        total: 407,
        cacheRead: 158,
      });
  });

  it('shows them to translated callers as they are charged, whole and streamed', async () => {
    const shown: Json[] = [];
    for (const answer of [WHOLE, STREAM]) {
      const { body, events } = await oneCall({ api: 'messages', over: grokAt(AZURE), answer });
      shown.push(
        object(body['usage'] ?? list(events).find(({ type }) => type === 'message_delta')?.['usage']),
      );
    }
    expect(shown).toMatchObject(
      Array.from({ length: 2 }, () => ({ input_tokens: 249, cache_read_input_tokens: 158 })),
    );
  });

  it('counts them as a part of the prompt at xAI, as those of other models at Azure', async () => {
    const inside = { total: 249, cacheRead: 158 };
    const xai = { channelType: 48, baseUrl: 'https://proxy.example' };
    expect(await inputOf({ over: grokAt(xai), answer: WHOLE })).toEqual(inside);
    expect(await inputOf({ over: { ...AZURE, upstreamModel: 'gpt-4o' }, answer: WHOLE })).toEqual(inside);
  });
});

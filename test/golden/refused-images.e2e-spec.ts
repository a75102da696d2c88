import { describe, expect, it } from '@jest/globals';
import { IMAGE_NOTE } from '../../server/relay-core/pipeline/request/unseen-images.js';
import { ANSWER, MESSAGE, RESPONSE, sentTo } from '../support/sent-to.js';
import type { Json } from '../support/strict-vendors/story.js';

const DATA = 'iVBORw0KGgoAAAANSUhEUg==';
const imageUrl = (type = 'image/png'): Json => ({
  type: 'image_url',
  image_url: { url: `data:${type};base64,${DATA}` },
});
const block: Json = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: DATA } };
const inputImage: Json = { type: 'input_image', image_url: `data:image/png;base64,${DATA}` };
const see: Json = { type: 'text', text: 'See' };
const answer = { role: 'assistant', content: 'Seen.' };
const next = { role: 'user', content: 'Go on.' };

/** A conversation with an image in its first turn, and one in the result of a tool, in the words of each API. */
const EARLIER: Readonly<Record<string, Json>> = {
  chat: { messages: [{ role: 'user', content: [see, imageUrl()] }, answer, next] },
  messages: {
    messages: [
      { role: 'user', content: [see, block] },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'look', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: [see, block] }] },
    ],
  },
  responses: {
    input: [
      { role: 'user', content: [{ type: 'input_text', text: 'See' }, inputImage] },
      { type: 'function_call', call_id: 'c', name: 'look', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c', output: [inputImage] },
    ],
  },
};
const ANSWERS: Readonly<Record<string, Json>> = { chat: ANSWER, messages: MESSAGE, responses: RESPONSE };
const TEXT_MODELS: readonly [number, string][] = [
  [43, 'deepseek-v4-pro'],
  [26, 'glm-4.7'],
  [26, 'glm-5.2'],
  [35, 'MiniMax-M2.7'],
  [25, 'kimi-k2-0905-preview'],
];
const VISION_MODELS: readonly [number, string][] = [
  [26, 'glm-4.6v'],
  [26, 'glm-5v-turbo'],
  [26, 'glm-5.3-flash'],
  [35, 'MiniMax-M3'],
  [25, 'kimi-k2.6'],
  [25, 'moonshot-v1-8k-vision-preview'],
  [48, 'grok-4-0709'],
  [42, 'mistral-small-latest'],
];
/** Types whose vendor has the API itself: bytes pass there. */
const SPEAKS: Readonly<Record<string, readonly number[]>> = {
  chat: [25, 26, 35, 42, 43, 48],
  messages: [25, 26, 35, 43, 48],
  responses: [43, 48],
};
const answerFor = (api: string, type: number): Json | undefined =>
  ANSWERS[SPEAKS[api]?.includes(type) === true ? api : 'chat'];

describe.each(Object.keys(EARLIER))('images of earlier turns and of tools, from callers of %s', (api) => {
  const send = (type: number, upstreamModel: string): ReturnType<typeof sentTo> =>
    sentTo(type, api, EARLIER[api] ?? {}, { upstreamModel, answer: answerFor(api, type) ?? ANSWER });

  it.each(TEXT_MODELS)('become notes for a model that takes texts alone: %i, %s', async (type, model) => {
    const { text, warnings } = await send(type, model);
    expect(text).not.toContain(DATA);
    expect(text.split(IMAGE_NOTE)).toHaveLength(api === 'chat' ? 2 : 3);
    expect(text).toContain('See');
    expect(warnings).toMatch(/image|\.content\.\d|\.output\.\d/);
  });

  it.each(VISION_MODELS)('stay for a model that sees: %i, %s', async (type, model) => {
    const { text, warnings } = await send(type, model);
    expect(text).toContain(DATA);
    expect(text).not.toContain(IMAGE_NOTE);
    expect(warnings).not.toMatch(/image|\.content\.\d|\.output\.\d/);
  });
});

describe('images that a vendor refuses', () => {
  it('reach it in the question itself, whose caller gets its refusal', async () => {
    const question = { role: 'user', content: [see, imageUrl()] };
    const { body, warnings } = await sentTo(
      43,
      'chat',
      { messages: [next, answer, question] },
      { upstreamModel: 'deepseek-v4-pro' },
    );
    // It refuses turns without thoughts.
    expect(body['messages']).toEqual([next, { ...answer, reasoning_content: ' ' }, question]);
    expect(warnings).toBe('');
  });

  it('appear in the warnings by their path where the bytes pass', async () => {
    const { warnings } = await sentTo(43, 'messages', EARLIER['messages'] ?? {}, {
      upstreamModel: 'deepseek-v4-pro',
      answer: MESSAGE,
    });
    expect(warnings).toBe('messages.0.content.1, messages.2.content.0.content.1');
  });

  it.each([
    ['image/webp', true],
    ['image/gif', true],
    ['image/png', false],
    ['image/jpeg', false],
  ])('include the types that xAI does not open: %s', async (type, isNoted) => {
    const messages = [{ role: 'user', content: [see, imageUrl(type)] }, answer, next];
    const { text } = await sentTo(48, 'chat', { messages });
    expect(text.includes(IMAGE_NOTE)).toBe(isNoted);
    expect(text.includes(DATA)).toBe(!isNoted);
  });

  it('lose the empty text beside them at Zhipu', async () => {
    const messages = [{ role: 'user', content: [{ type: 'text', text: '' }, imageUrl()] }];
    const { body } = await sentTo(26, 'chat', { messages }, { upstreamModel: 'glm-5.3-flash' });
    expect(body['messages']).toEqual([{ role: 'user', content: [imageUrl()] }]);
  });
});

import { describe, expect, it } from '@jest/globals';
import { sentTo } from '../../../../test/support/sent-to.js';

const ASKED = {
  gemini: { generationConfig: { topK: 64 } },
  messages: { top_k: 64 },
  chat: { top_k: 64 },
};
const preset = (id: string) => ({ settings: { vendor: { preset: id } } });

describe('`top_k`, which OpenAI’s chats do not have', () => {
  it.each([
    ['a host of which nothing is known', 1, {}],
    ['a complete address', 8, { baseUrl: 'https://vendor.example/v1/chat/completions' }],
    ['a router to many vendors', 1, { baseUrl: 'https://router.huggingface.co' }],
    ['a gateway by its preset', 1, preset('litellm')],
    ['a strict vendor', 1, { baseUrl: 'https://api.groq.com/openai' }],
  ])('leaves the calls of other APIs with a warning: %s', async (_name, type, route) => {
    for (const api of ['gemini', 'messages'] as const) {
      const { body, warnings } = await sentTo(type, api, ASKED[api], route);
      expect(body).not.toHaveProperty('top_k');
      expect(warnings).toContain('top_k');
    }
  });

  it.each([
    ['vLLM', 1, preset('vllm')],
    ['llama.cpp', 1, preset('llama-cpp')],
    ['SGLang', 1, preset('sglang')],
    ['Together by its address', 1, { baseUrl: 'https://api.together.xyz' }],
    ['a vendor with a type of its own', 40, {}],
  ])('stays where the vendor takes it: %s', async (_name, type, route) => {
    for (const api of ['gemini', 'messages'] as const)
      expect((await sentTo(type, api, ASKED[api], route)).body['top_k']).toBe(64);
  });

  it('stays in a chat that a caller of chats wrote', async () => {
    expect((await sentTo(1, 'chat', ASKED.chat)).body['top_k']).toBe(64);
  });
});

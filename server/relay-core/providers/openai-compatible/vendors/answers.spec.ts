import { describe, expect, it } from '@jest/globals';
import { oneCall, type OneCall } from '../../../../../test/support/one-answer.js';
import type { Json } from '../../../../../test/support/strict-vendors/story.js';

interface Answer {
  readonly vendor: string;
  readonly over: OneCall['over'];
  readonly message: Json;
  readonly usage: Json;
  readonly more?: Json;
  /** The words, the thoughts and the tokens that clients get. */
  readonly text: string;
  readonly thought: string | undefined;
  readonly tokens: readonly [number, number];
}

/** Answers in the form of recordings of each vendor, shortened; the words are not the vendor's. */
const ANSWERS: readonly Answer[] = [
  {
    vendor: 'DeepSeek',
    over: { channelType: 43 },
    message: { content: 'Three.', reasoning_content: 'Counting.' },
    usage: {
      prompt_tokens: 18,
      completion_tokens: 345,
      total_tokens: 363,
      prompt_tokens_details: { cached_tokens: 0 },
      completion_tokens_details: { reasoning_tokens: 315 },
      prompt_cache_hit_tokens: 0,
      prompt_cache_miss_tokens: 18,
    },
    more: { system_fingerprint: 'fp_1' },
    text: 'Three.',
    thought: 'Counting.',
    tokens: [18, 345],
  },
  {
    vendor: 'Groq',
    over: { channelType: 1, baseUrl: 'https://api.groq.com/openai' },
    message: { content: 'Three.', reasoning: 'Counting.' },
    usage: {
      queue_time: 0.17,
      prompt_tokens: 17,
      prompt_time: 0.0008,
      completion_tokens: 1_107,
      completion_time: 3.2,
      total_tokens: 1_124,
      total_time: 3.2,
      completion_tokens_details: { reasoning_tokens: 963 },
    },
    more: { x_groq: { id: 'req_1', seed: 1 }, usage_breakdown: null, service_tier: 'on_demand' },
    text: 'Three.',
    thought: 'Counting.',
    tokens: [17, 1_107],
  },
  {
    vendor: 'Mistral',
    over: { channelType: 42 },
    message: {
      content: [
        { type: 'thinking', thinking: [{ type: 'text', text: 'Counting.' }] },
        { type: 'text', text: 'Three.' },
      ],
    },
    usage: { prompt_tokens: 10, total_tokens: 56, completion_tokens: 46 },
    text: 'Three.',
    thought: 'Counting.',
    tokens: [10, 46],
  },
  {
    vendor: 'Moonshot',
    over: { channelType: 25 },
    message: { content: 'Three.' },
    usage: { prompt_tokens: 9, completion_tokens: 5, total_tokens: 14 },
    text: 'Three.',
    thought: undefined,
    tokens: [9, 5],
  },
];

function wholeOf({ message, usage, more }: Answer): Json {
  return {
    id: 'c',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop' }],
    usage,
    ...more,
  };
}

describe.each(ANSWERS)('an answer of $vendor', (answer) => {
  const { over, text, thought, tokens } = answer;

  it('reaches chats with its words, thoughts and tokens', async () => {
    const { body } = await oneCall({ api: 'chat', over, answer: wholeOf(answer) });
    const [choice] = body['choices'] as readonly { readonly message: Json; readonly finish_reason: string }[];
    expect(choice?.message['content']).toBe(text);
    const { reasoning_content: thoughts, reasoning } = choice?.message ?? {};
    expect(thoughts ?? reasoning).toBe(thought);
    expect(choice?.finish_reason).toBe('stop');
    expect(body['usage']).toMatchObject({ prompt_tokens: tokens[0], completion_tokens: tokens[1] });
  });

  it('reaches callers of Google’s API', async () => {
    const { body } = await oneCall({ api: 'gemini', over, answer: wholeOf(answer) });
    const [candidate] = body['candidates'] as readonly {
      readonly content: Json;
      readonly finishReason: string;
    }[];
    const parts = candidate?.content['parts'] as readonly Json[];
    expect(parts.filter((part) => part['thought'] !== true).map((part) => part['text'])).toEqual([text]);
    expect(candidate?.finishReason).toBe('STOP');
    expect(body['usageMetadata']).toMatchObject({ promptTokenCount: tokens[0] });
  });
});

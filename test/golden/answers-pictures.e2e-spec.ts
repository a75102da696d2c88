import { describe, expect, it } from '@jest/globals';
import { ANSWER, MESSAGE, RESPONSE, sentTo } from '../support/sent-to.js';
import { list, object, type Json } from '../support/strict-vendors/story.js';

const DATA = 'iVBORw0KGgoAAAANSUhEUg==';
const SOUND = Buffer.from('RIFF\0\0\0\0WAVEfmt ').toString('base64');
const URL = `data:image/png;base64,${DATA}`;
const picture: Json = { type: 'image_url', image_url: { url: URL } };
const ask = { role: 'user', content: 'Draw' };
const next = { role: 'user', content: 'Larger' };
const call = { id: 'c', type: 'function', function: { name: 'save', arguments: '{}' } };

/** Histories with an image of an earlier answer, as clients of each API keep them. */
const HISTORIES: readonly (readonly [string, string, Json])[] = [
  [
    'images beside a chat',
    'chat',
    { messages: [ask, { role: 'assistant', content: 'Here', images: [picture] }, next] },
  ],
  [
    'parts of a chat',
    'chat',
    { messages: [ask, { content: [{ type: 'text', text: 'Here' }, picture], role: 'assistant' }, next] },
  ],
  [
    'a chat with calls behind the picture',
    'chat',
    {
      messages: [
        ask,
        { role: 'assistant', content: null, images: [picture], tool_calls: [call] },
        { role: 'tool', tool_call_id: 'c', content: 'saved' },
        { role: 'assistant', content: 'Saved.' },
        next,
      ],
    },
  ],
  [
    'an item of Responses',
    'responses',
    { input: [ask, { type: 'image_generation_call', id: 'ig_1', status: 'completed', result: DATA }, next] },
  ],
  [
    'an image in a block of Messages',
    'messages',
    {
      messages: [
        ask,
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'Here' },
            { type: 'text', text: `![image](${URL})` },
          ],
        },
        next,
      ],
    },
  ],
  [
    'inline data of Gemini',
    'gemini',
    {
      contents: [
        { role: 'user', parts: [{ text: 'Draw' }] },
        { role: 'model', parts: [{ text: 'Here' }, { inlineData: { mimeType: 'image/png', data: DATA } }] },
        { role: 'user', parts: [{ text: 'Larger' }] },
      ],
    },
  ],
];

const GEMINI: Json = {
  candidates: [{ content: { role: 'model', parts: [{ text: 'Hi' }] }, finishReason: 'STOP' }],
  usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
};
const CONVERSE: Json = {
  output: { message: { role: 'assistant', content: [{ text: 'Hi' }] } },
  stopReason: 'end_turn',
  usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
};
const OLLAMA: Json = {
  model: 'm',
  message: { role: 'assistant', content: 'Hi' },
  done: true,
  done_reason: 'stop',
};
const COHERE: Json = {
  id: 'x',
  message: { role: 'assistant', content: [{ type: 'text', text: 'Hi' }] },
  finish_reason: 'COMPLETE',
};

interface Target {
  readonly type: number;
  readonly upstreamModel?: string;
  readonly baseUrl?: string;
  readonly credential?: string;
  /** Answer to each API; the first where it has none of its own. */
  readonly answers: Readonly<Record<string, Json>> & { readonly other: Json };
}
const CHAT_AND_MESSAGES = { other: ANSWER, messages: MESSAGE };
/** Vendors that take images from users alone. */
const TARGETS: Readonly<Record<string, Target>> = {
  OpenAI: { type: 1, baseUrl: '', upstreamModel: 'gpt-4.1', answers: { other: RESPONSE, chat: ANSWER } },
  'a host like OpenAI': { type: 1, answers: { other: ANSWER } },
  Responses: { type: 8, baseUrl: 'https://own.example/v1/responses', answers: { other: RESPONSE } },
  Anthropic: { type: 14, upstreamModel: 'claude-sonnet-4-5', answers: { other: MESSAGE } },
  'Gemini 3': { type: 24, upstreamModel: 'gemini-3-pro-image', answers: { other: GEMINI } },
  'Bedrock Converse': {
    type: 33,
    upstreamModel: 'amazon.nova-pro-v1:0',
    credential: 'AK|SK|us-east-1',
    answers: { other: CONVERSE },
  },
  Ollama: { type: 4, answers: { other: OLLAMA, chat: ANSWER } },
  Cohere: { type: 34, upstreamModel: 'command-a-vision', answers: { other: COHERE } },
  Zhipu: { type: 26, upstreamModel: 'glm-4.6v', answers: CHAT_AND_MESSAGES },
  MiniMax: { type: 35, upstreamModel: 'MiniMax-M3', answers: CHAT_AND_MESSAGES },
  Moonshot: { type: 25, upstreamModel: 'kimi-k2.6', answers: CHAT_AND_MESSAGES },
  Mistral: { type: 42, upstreamModel: 'mistral-small-latest', answers: { other: ANSWER } },
  xAI: { type: 48, upstreamModel: 'grok-4-0709', answers: { ...CHAT_AND_MESSAGES, responses: RESPONSE } },
};

const PAIRS = Object.entries(TARGETS).flatMap(([name, target]) =>
  HISTORIES.map(([kind, api, asked]) => ({ name: `${kind} → ${name}`, kind, api, asked, target })),
);
const turnsOf = (body: Json): readonly Json[] =>
  list(body['messages'] ?? body['input'] ?? body['contents']).map(object);
const isAnswer = ({ role }: Json): boolean => role === 'assistant' || role === 'model';

const send = ({ type, answers, ...route }: Target, api: string, asked: Json): ReturnType<typeof sentTo> =>
  sentTo(type, api, asked, { ...route, answer: answers[api] ?? answers.other });

describe('a picture of an earlier answer stands where the vendor takes images', () => {
  it('has a history in every API', () => {
    expect(new Set(HISTORIES.map(([, api]) => api)).size).toBe(4);
    expect(PAIRS.length).toBeGreaterThanOrEqual(78);
  });

  it.each(PAIRS)('$name', async ({ kind, api, asked, target }) => {
    const { body, text, warnings } = await send(target, api, asked);
    expect(text.split(DATA)).toHaveLength(2);
    // An API's own bytes and items stay as its vendor gave them.
    if (
      api === 'responses' &&
      list(body['input']).some((item) => object(item)['type'] === 'image_generation_call')
    )
      return;
    const turns = turnsOf(body);
    expect(JSON.stringify(turns.filter(isAnswer))).not.toContain(DATA);
    expect(text).not.toContain('![image]');
    expect(warnings).toContain('messages');
    if (kind.includes('calls')) {
      const roles = turns.map(({ role, type }) => String(role ?? type));
      expect(roles.slice(-3).filter((role) => role === 'user').length).toBeGreaterThanOrEqual(1);
    }
  });

  it('stays in the answer where the vendor takes it back: Gemini before it signed, and OpenRouter', async () => {
    for (const [, api, asked] of HISTORIES) {
      const { body } = await sentTo(24, api, asked, {
        upstreamModel: 'gemini-2.5-flash-image',
        answer: GEMINI,
      });
      expect(JSON.stringify(turnsOf(body).filter(isAnswer))).toContain(DATA);
    }
    const [, api, asked] = HISTORIES[0] ?? [];
    const { body, warnings } = await sentTo(20, api ?? '', asked ?? {});
    expect(turnsOf(body)[1]).toMatchObject({ role: 'assistant', images: [picture] });
    expect(warnings).toBe('');
  });

  it('stays at Gemini that signs, with its signature', async () => {
    const parts = [{ inlineData: { mimeType: 'image/png', data: DATA }, thoughtSignature: 'c2lnbmVk' }];
    const contents = [
      { role: 'user', parts: [{ text: 'Draw' }] },
      { role: 'model', parts },
    ];
    const { body } = await sentTo(
      24,
      'gemini',
      { contents },
      { upstreamModel: 'gemini-3-pro-image', answer: GEMINI },
    );
    expect(body['contents']).toEqual(contents);
  });

  it('becomes a note for a model that takes texts alone', async () => {
    const history = HISTORIES[0]?.[2] ?? {};
    for (const [type, upstreamModel] of [
      [43, 'deepseek-v4-pro'],
      [26, 'glm-4.7'],
    ] as const) {
      const { text, warnings } = await sentTo(type, 'chat', history, { upstreamModel });
      expect(text).not.toContain(DATA);
      expect(text).toContain('An image was left out');
      expect(warnings).not.toBe('');
    }
  });

  it('leaves images of users, and chats without any, as they came', async () => {
    const messages = [
      { role: 'user', content: [{ type: 'text', text: 'See' }, picture] },
      { role: 'assistant', content: 'Seen.' },
      next,
    ];
    const { body, warnings } = await sentTo(1, 'chat', { messages });
    expect(body['messages']).toEqual(messages);
    expect(warnings).toBe('');
  });
});

describe('sound of an earlier answer', () => {
  it.each([
    [14, 'claude-sonnet-4-5', MESSAGE],
    [1, 'gpt-4.1', ANSWER],
  ])('becomes a note, not a refusal: %i', async (type, upstreamModel, answer) => {
    const contents = [
      { role: 'user', parts: [{ text: 'Speak' }] },
      { role: 'model', parts: [{ inlineData: { mimeType: 'audio/wav', data: SOUND } }] },
      { role: 'user', parts: [{ text: 'Again' }] },
    ];
    const { text, warnings } = await sentTo(type, 'gemini', { contents }, { upstreamModel, answer });
    expect(text).not.toContain(SOUND);
    expect(text).toContain('A file of this answer was left out');
    expect(warnings).toContain('messages');
  });
});

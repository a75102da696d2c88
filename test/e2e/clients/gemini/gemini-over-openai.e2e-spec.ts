import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FunctionCallingConfigMode, type Content, Type } from '@google/genai';
import { openGeminiFixture, type GeminiFixture } from './gemini.fixture.js';

/** Google's grammar in front, OpenAI's behind; prices in gemini-house.ts. */
let fixture: GeminiFixture;

beforeAll(async () => {
  fixture = await openGeminiFixture([
    { type: 1, key: 'sk-upstream-key-000', models: ['gpt-scripted', 'embed-scripted'] },
  ]);
});
afterAll(async () => {
  await fixture?.close();
});

const chunk = (delta: object, more: object = {}): object => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'gpt-scripted',
  choices: [{ index: 0, delta, finish_reason: null, ...more }],
});
const FIGURES = {
  prompt_tokens: 100,
  completion_tokens: 15,
  total_tokens: 115,
  prompt_tokens_details: { cached_tokens: 50 },
  completion_tokens_details: { reasoning_tokens: 5 },
};

describe('Google’s client over OpenAI’s grammar', () => {
  const model = 'gpt-scripted';
  const tools = [
    {
      functionDeclarations: [
        {
          name: 'weather',
          description: 'Weather of a city.',
          parameters: {
            type: Type.OBJECT,
            properties: { city: { type: Type.STRING, nullable: true } },
            required: ['city'],
          },
        },
      ],
    },
  ];

  it('asks, and reads thoughts, words and figures', async () => {
    fixture.vendor.on(model, () => ({
      json: {
        id: 'chatcmpl-1',
        object: 'chat.completion',
        created: 1,
        model,
        choices: [
          {
            index: 0,
            message: { role: 'assistant', reasoning_content: 'Hm.', content: 'Hello.' },
            finish_reason: 'length',
          },
        ],
        usage: FIGURES,
      },
    }));
    const charge = await fixture.chargeOf(async ({ google }) => {
      const answer = await google.models.generateContent({
        model,
        contents: [
          {
            role: 'user',
            parts: [{ text: 'Hi' }, { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } }],
          },
        ],
        config: {
          systemInstruction: 'Be brief.',
          maxOutputTokens: 200,
          thinkingConfig: { includeThoughts: true },
          stopSequences: ['END'],
          responseMimeType: 'application/json',
          responseSchema: { type: Type.OBJECT, properties: { a: { type: Type.STRING } } },
          toolConfig: { functionCallingConfig: { mode: FunctionCallingConfigMode.ANY } },
          tools,
        },
      });
      expect(answer.candidates?.[0]?.content?.parts).toEqual([
        { text: 'Hm.', thought: true },
        { text: 'Hello.' },
      ]);
      expect(answer.candidates?.[0]?.finishReason).toBe('MAX_TOKENS');
      expect(answer.usageMetadata).toMatchObject({
        promptTokenCount: 100,
        candidatesTokenCount: 10,
        thoughtsTokenCount: 5,
        cachedContentTokenCount: 50,
        totalTokenCount: 115,
      });
    });
    expect(charge).toBe(85);
    expect(fixture.vendor.last(model).body).toMatchObject({
      messages: [
        { role: 'system', content: 'Be brief.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Hi' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
          ],
        },
      ],
      max_tokens: 200,
      stop: ['END'],
      tool_choice: 'required',
      tools: [
        {
          type: 'function',
          function: {
            name: 'weather',
            parameters: {
              type: 'object',
              properties: { city: { type: ['string', 'null'] } },
              required: ['city'],
            },
          },
        },
      ],
      response_format: {
        type: 'json_schema',
        json_schema: {
          strict: true,
          schema: {
            type: 'object',
            properties: { a: { type: ['string', 'null'] } },
            required: ['a'],
            additionalProperties: false,
          },
        },
      },
    });
  });

  it('streams: calls come whole, whatever pieces they were in', async () => {
    fixture.vendor.on(model, () => ({
      frames: [
        chunk({ role: 'assistant', content: 'Let me ' }),
        chunk({ content: 'look.' }),
        chunk({
          tool_calls: [
            { index: 0, id: 'call_a', type: 'function', function: { name: 'weather', arguments: '' } },
          ],
        }),
        chunk({ tool_calls: [{ index: 0, function: { arguments: '{"ci' } }] }),
        chunk({
          tool_calls: [
            {
              index: 1,
              id: 'call_b',
              type: 'function',
              function: { name: 'weather', arguments: '{"city":"Rome"}' },
            },
          ],
        }),
        chunk({ tool_calls: [{ index: 0, function: { arguments: 'ty":"Oslo"}' } }] }),
        chunk({}, { finish_reason: 'tool_calls' }),
        { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model, choices: [], usage: FIGURES },
      ],
    }));
    const charge = await fixture.chargeOf(async ({ google }) => {
      const stream = await google.models.generateContentStream({ model, contents: 'Hi', config: { tools } });
      let text = '';
      const calls = [];
      let last;
      for await (const part of stream) {
        for (const { text: words } of part.candidates?.[0]?.content?.parts ?? []) text += words ?? '';
        calls.push(...(part.functionCalls ?? []));
        last = part;
      }
      expect(text).toBe('Let me look.');
      expect(calls).toEqual([
        { id: 'call_a', name: 'weather', args: { city: 'Oslo' } },
        { id: 'call_b', name: 'weather', args: { city: 'Rome' } },
      ]);
      expect(last?.candidates?.[0]?.finishReason).toBe('STOP');
      expect(last?.usageMetadata?.totalTokenCount).toBe(115);
    });
    expect(charge).toBe(85);
  });

  it('answers calls by their ids, and by their order where the client keeps none', async () => {
    fixture.vendor.on(model, () => ({
      frames: [chunk({ role: 'assistant', content: 'ok' }, { finish_reason: 'stop' })],
    }));
    const contents: Content[] = [
      { role: 'user', parts: [{ text: 'Oslo and Rome?' }] },
      {
        role: 'model',
        parts: [
          { functionCall: { name: 'weather', args: { city: 'Oslo' } } },
          { functionCall: { name: 'weather', args: { city: 'Rome' } } },
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { name: 'weather', response: { output: 'sun' } } },
          { functionResponse: { name: 'weather', response: { temperature: 7 } } },
        ],
      },
    ];
    const stream = await fixture.clients.google.models.generateContentStream({ model, contents });
    for await (const part of stream) expect(part.candidates?.length).toBeGreaterThan(0);
    const messages = fixture.vendor.last(model).body['messages'] as Record<string, unknown>[];
    const calls = messages[1]?.['tool_calls'] as { id: string }[];
    expect(messages.slice(2)).toEqual([
      expect.objectContaining({ role: 'tool', tool_call_id: calls[0]?.id, content: 'sun' }),
      expect.objectContaining({ role: 'tool', tool_call_id: calls[1]?.id, content: '{"temperature":7}' }),
    ]);
  });

  it('streams as an array too, and a failure is its last element', async () => {
    const ask = async (): Promise<Record<string, unknown>[]> => {
      const response = await fetch(
        `${fixture.app.url}/v1beta/models/${model}:streamGenerateContent?key=${fixture.clients.key}`,
        {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ contents: [{ parts: [{ text: 'Hi' }] }] }),
        },
      );
      return (await response.json()) as Record<string, unknown>[];
    };
    fixture.vendor.on(model, () => ({
      frames: [chunk({ role: 'assistant', content: 'Hi' }), chunk({}, { finish_reason: 'stop' })],
    }));
    const whole = await ask();
    expect(whole).toHaveLength(2);
    expect(whole.at(-1)).toMatchObject({ candidates: [{ finishReason: 'STOP' }] });
    fixture.vendor.on(model, () => ({
      frames: [chunk({ role: 'assistant', content: 'Hi' })],
      breaksOff: true,
    }));
    const broken = await ask();
    expect(broken.at(-1)).toMatchObject({ error: { code: 502, status: 'UNAVAILABLE' } });
  });

  it('embeds', async () => {
    fixture.vendor.on('embed-scripted', () => ({
      json: {
        object: 'list',
        model: 'embed-scripted',
        data: [0, 1].map((index) => ({ object: 'embedding', index, embedding: [index, 2] })),
        usage: { prompt_tokens: 4, total_tokens: 4 },
      },
    }));
    const answer = await fixture.clients.google.models.embedContent({
      model: 'embed-scripted',
      contents: ['a', 'b'],
    });
    expect(answer.embeddings?.map(({ values }) => values)).toEqual([
      [0, 2],
      [1, 2],
    ]);
  });

  it('counts tokens by our own count where the vendor cannot', async () => {
    const { totalTokens } = await fixture.clients.google.models.countTokens({
      model,
      contents: 'Hello there, how are you?',
    });
    expect(totalTokens).toBeGreaterThan(3);
    expect(totalTokens).toBeLessThan(30);
  });
});

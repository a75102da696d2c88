import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Content } from '@google/genai';
import type OpenAI from 'openai';
import { openGeminiFixture, type GeminiFixture } from './gemini.fixture.js';
import { candidate, reply, usage } from './scripted-google.js';

/** OpenAI's grammar in front, Google's behind; prices in gemini-house.ts. */
const GEMINI = [
  'gemini-2.5-flash',
  'gemini-2.5-flash-thinking',
  'gemini-3-pro-preview',
  'gemini-embedding-001',
  'imagen-4.0-generate-001',
  'gemini-2.5-flash-image',
];
let fixture: GeminiFixture;

beforeAll(async () => {
  fixture = await openGeminiFixture([{ type: 24, key: 'AIzaUpstreamKey0000', models: GEMINI }], {
    'gemini.thinking_adapter_enabled': true,
    ModelPrice: { 'imagen-4.0-generate-001': 0.04 },
  });
});
afterAll(async () => {
  await fixture?.close();
});

const weather = {
  type: 'function' as const,
  function: {
    name: 'weather',
    description: 'Weather of a city.',
    parameters: {
      type: 'object',
      properties: { city: { type: ['string', 'null'], description: 'Its name' } },
      required: ['city'],
      additionalProperties: false,
    },
  },
};

describe('OpenAI’s client over Gemini', () => {
  it('answers, and charges Gemini’s reported usage', async () => {
    fixture.vendor.on('gemini-2.5-flash', () => ({
      json: reply(
        [
          candidate([{ text: 'Thinking.', thought: true }, { text: 'Grüezi.' }], {
            finishReason: 'MAX_TOKENS',
            groundingMetadata: {
              groundingChunks: [{ web: { uri: 'https://example.org/a', title: 'A' } }],
              groundingSupports: [{ segment: { startIndex: 0, endIndex: 8 }, groundingChunkIndices: [0] }],
            },
          }),
        ],
        usage(100, 10, { thoughtsTokenCount: 5, cachedContentTokenCount: 50, totalTokenCount: 115 }),
      ),
    }));
    const charge = await fixture.chargeOf(async ({ openai }) => {
      const answer = await openai.chat.completions.create({
        model: 'gemini-2.5-flash',
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
        temperature: 0,
        max_tokens: 200,
        stop: 'END',
        reasoning_effort: 'low',
        response_format: { type: 'json_object' },
      });
      const [choice] = answer.choices;
      expect(choice?.message.content).toBe('Grüezi.');
      expect(choice?.message).toMatchObject({
        reasoning_content: 'Thinking.',
        annotations: [
          {
            type: 'url_citation',
            url_citation: { url: 'https://example.org/a', title: 'A', start_index: 0, end_index: 7 },
          },
        ],
      });
      expect(choice?.finish_reason).toBe('length');
      expect(answer.usage).toMatchObject({
        prompt_tokens: 100,
        completion_tokens: 15,
        prompt_tokens_details: { cached_tokens: 50 },
        completion_tokens_details: { reasoning_tokens: 5 },
      });
    });
    // 50 + 50 × 0.1 + 15 × 2
    expect(charge).toBe(85);
    expect(fixture.vendor.last('gemini-2.5-flash').body).toMatchObject({
      systemInstruction: { parts: [{ text: 'Be brief.' }] },
      contents: [
        {
          role: 'user',
          parts: [{ text: 'Hi' }, { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } }],
        },
      ],
      generationConfig: {
        temperature: 0,
        maxOutputTokens: 200,
        stopSequences: ['END'],
        responseMimeType: 'application/json',
        thinkingConfig: { thinkingBudget: 2457, includeThoughts: true },
      },
    });
    expect(fixture.vendor.last('gemini-2.5-flash').body['safetySettings']).toHaveLength(4);
  });

  it('calls functions in parallel, and brings their signature back', async () => {
    const model = 'gemini-3-pro-preview';
    fixture.vendor.on(model, ({ body }) =>
      (body['contents'] as Content[]).length === 1
        ? {
            frames: [
              reply([candidate([{ text: 'Two.', thought: true }])]),
              reply([
                candidate([
                  { functionCall: { name: 'weather', args: { city: 'Oslo' } }, thoughtSignature: 'c2ln' },
                  { functionCall: { name: 'weather', args: { city: 'Rome' } } },
                ]),
              ]),
              reply([candidate([{ text: '' }], { finishReason: 'STOP' })], usage(20, 8)),
            ],
          }
        : { frames: [reply([candidate([{ text: 'Fine.' }], { finishReason: 'STOP' })], usage(40, 2))] },
    );
    const { openai } = fixture.clients;
    const stream = openai.chat.completions.stream({
      model,
      messages: [{ role: 'user', content: 'Oslo and Rome?' }],
      tools: [weather],
      stream_options: { include_usage: true },
    });
    const answer = await stream.finalChatCompletion();
    const [choice] = answer.choices;
    const calls = choice?.message.tool_calls ?? [];
    expect(choice?.finish_reason).toBe('tool_calls');
    expect(answer.usage?.completion_tokens).toBe(8);
    expect(calls.map((call) => call.type === 'function' && call.function.arguments)).toEqual([
      '{"city":"Oslo"}',
      '{"city":"Rome"}',
    ]);
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
    const history: OpenAI.ChatCompletionMessageParam[] = [
      { role: 'user', content: 'Oslo and Rome?' },
      {
        role: 'assistant',
        tool_calls: calls.map((call) => ({
          id: call.id,
          type: 'function' as const,
          function:
            call.type === 'function'
              ? { name: call.function.name, arguments: call.function.arguments }
              : { name: '', arguments: '' },
          ...('extra_content' in call ? { extra_content: call.extra_content } : {}),
        })),
      },
      ...calls.map(({ id }, index) => ({
        role: 'tool' as const,
        tool_call_id: id,
        content: index === 0 ? 'sun' : '["rain"]',
      })),
    ];
    const last = await openai.chat.completions.create({
      model,
      messages: history,
      tools: [weather],
      stream: true,
    });
    let text = '';
    for await (const chunk of last) text += chunk.choices[0]?.delta.content ?? '';
    expect(text).toBe('Fine.');
    expect(fixture.vendor.last(model).body['contents']).toEqual([
      { role: 'user', parts: [{ text: 'Oslo and Rome?' }] },
      {
        role: 'model',
        parts: [
          { functionCall: { name: 'weather', args: { city: 'Oslo' } }, thoughtSignature: 'c2ln' },
          { functionCall: { name: 'weather', args: { city: 'Rome' } } },
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { name: 'weather', response: { content: 'sun' } } },
          { functionResponse: { name: 'weather', response: { result: ['rain'] } } },
        ],
      },
    ]);
    expect(fixture.vendor.last(model).body['tools']).toEqual([
      {
        functionDeclarations: [
          {
            name: 'weather',
            description: 'Weather of a city.',
            parameters: {
              type: 'OBJECT',
              properties: { city: { type: 'STRING', nullable: true, description: 'Its name' } },
              required: ['city'],
            },
          },
        ],
      },
    ]);
  });

  it('a client that lost the signature gets the stand-in, once per turn', async () => {
    const model = 'gemini-3-pro-preview';
    fixture.vendor.on(model, () => ({
      json: reply([candidate([{ text: 'ok' }], { finishReason: 'STOP' })], usage(1, 1)),
    }));
    const call = (id: string) => ({
      id,
      type: 'function' as const,
      function: { name: 'weather', arguments: '{}' },
    });
    await fixture.clients.openai.chat.completions.create({
      model,
      messages: [
        { role: 'user', content: 'Go' },
        { role: 'assistant', tool_calls: [call('a'), call('b')] },
        { role: 'tool', tool_call_id: 'a', content: 'x' },
        { role: 'tool', tool_call_id: 'b', content: 'y' },
      ],
      tools: [weather],
    });
    const turns = fixture.vendor.last(model).body['contents'] as Content[];
    expect(turns[1]?.parts?.map(({ thoughtSignature }) => thoughtSignature)).toEqual([
      'context_engineering_is_the_way_to_go',
      undefined,
    ]);
  });

  it('the name’s suffix asks for thinking', async () => {
    fixture.vendor.on('gemini-2.5-flash', () => ({
      json: reply([candidate([{ text: 'ok' }], { finishReason: 'STOP' })], usage(1, 1)),
    }));
    await fixture.clients.openai.chat.completions.create({
      model: 'gemini-2.5-flash-thinking',
      max_tokens: 1_000,
      messages: [{ role: 'user', content: 'Hi' }],
    });
    expect(fixture.vendor.last('gemini-2.5-flash').body['generationConfig']).toEqual({
      maxOutputTokens: 1_000,
      thinkingConfig: { thinkingBudget: 600, includeThoughts: true },
    });
  });

  it('a refused prompt is an answer that ends with content_filter, in streams too', async () => {
    fixture.vendor.on('gemini-2.5-flash', () => ({
      frames: [{ promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } }],
    }));
    const stream = await fixture.clients.openai.chat.completions.create({
      model: 'gemini-2.5-flash',
      messages: [{ role: 'user', content: 'Hi' }],
      stream: true,
    });
    const reasons: unknown[] = [];
    for await (const chunk of stream) reasons.push(chunk.choices[0]?.finish_reason ?? null);
    expect(reasons.filter((reason) => reason !== null)).toEqual(['content_filter']);
  });

  it.each([false, true])('charges a refused prompt by the vendor’s report (streamed: %p)', async (stream) => {
    const refusal = {
      promptFeedback: { blockReason: 'SAFETY' },
      usageMetadata: { promptTokenCount: 12, totalTokenCount: 12 },
    };
    fixture.vendor.on('gemini-2.5-flash', () => (stream ? { frames: [refusal] } : { json: refusal }));
    const charge = await fixture.chargeOf(async ({ openai }) => {
      const call = await openai.chat.completions.create({
        model: 'gemini-2.5-flash',
        messages: [{ role: 'user', content: 'Hi' }],
        stream,
      });
      if (Symbol.asyncIterator in call)
        for await (const chunk of call) expect(chunk.object).toContain('chunk');
      else expect(call.choices[0]?.finish_reason).toBe('content_filter');
    });
    expect(charge).toBe(12);
  });

  it('embeds', async () => {
    fixture.vendor.on('gemini-embedding-001', ({ body }) => ({
      json: { embeddings: (body['requests'] as unknown[]).map((_, index) => ({ values: [index, 0.5] })) },
    }));
    const answer = await fixture.clients.openai.embeddings.create({
      model: 'gemini-embedding-001',
      input: ['a', 'b'],
      dimensions: 2,
      encoding_format: 'float',
    });
    expect(answer.data.map(({ embedding }) => embedding)).toEqual([
      [0, 0.5],
      [1, 0.5],
    ]);
    expect(fixture.vendor.last('gemini-embedding-001').body).toEqual({
      requests: ['a', 'b'].map((text) => ({
        model: 'models/gemini-embedding-001',
        content: { parts: [{ text }] },
        outputDimensionality: 2,
      })),
    });
  });

  it('makes images with Imagen and with Gemini', async () => {
    const model = 'imagen-4.0-generate-001';
    fixture.vendor.on(model, () => ({
      json: {
        predictions: [
          { mimeType: 'image/png', bytesBase64Encoded: 'aGk=' },
          { raiFilteredReason: 'held back' },
        ],
      },
    }));
    // Two images were requested and one came: $0.04.
    const charge = await fixture.chargeOf(async ({ openai }) => {
      const answer = await openai.images.generate({
        model,
        prompt: 'a cat',
        n: 2,
        size: '1536x1024',
        quality: 'hd',
      });
      expect(answer.data?.map(({ b64_json }) => b64_json)).toEqual(['aGk=']);
    });
    expect(charge).toBe(20_000);
    expect(fixture.vendor.last(model).body).toEqual({
      instances: [{ prompt: 'a cat' }],
      parameters: { personGeneration: 'allow_adult', sampleCount: 2, aspectRatio: '3:2', imageSize: '2K' },
    });
    fixture.vendor.on('gemini-2.5-flash-image', () => ({
      json: reply(
        [candidate([{ inlineData: { mimeType: 'image/png', data: 'cGlj' } }], { finishReason: 'STOP' })],
        usage(5, 1290),
      ),
    }));
    const answer = await fixture.clients.openai.images.generate({
      model: 'gemini-2.5-flash-image',
      prompt: 'a dog',
    });
    expect(answer.data?.[0]?.b64_json).toBe('cGlj');
  });
});

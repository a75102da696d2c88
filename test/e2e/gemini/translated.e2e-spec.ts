import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FunctionCallingConfigMode, type Content, Type } from '@google/genai';
import type OpenAI from 'openai';
import { openGeminiHouse, type GeminiHouse } from './gemini-house.js';
import { candidate, reply, usage } from './scripted-google.js';

/** One grammar in front, another behind; prices in gemini-house.ts. */
const GEMINI = [
  'gemini-2.5-flash',
  'gemini-2.5-flash-thinking',
  'gemini-3-pro-preview',
  'gemini-embedding-001',
  'imagen-4.0-generate-001',
  'gemini-2.5-flash-image',
];
const OPENAI = ['gpt-scripted', 'embed-scripted'];
let house: GeminiHouse;

beforeAll(async () => {
  house = await openGeminiHouse(
    [
      { type: 24, key: 'AIzaUpstreamKey0000', models: GEMINI },
      { type: 1, key: 'sk-upstream-key-000', models: OPENAI },
    ],
    { 'gemini.thinking_adapter_enabled': true, ModelPrice: { 'imagen-4.0-generate-001': 0.04 } },
  );
});
afterAll(async () => {
  await house?.close();
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
  it('asks, and is charged by what Gemini reports', async () => {
    house.vendor.on('gemini-2.5-flash', () => ({
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
    const charge = await house.chargeOf(async ({ openai }) => {
      const answer = await openai.chat.completions.create({
        model: 'gemini-2.5-flash',
        messages: [
          { role: 'system', content: 'Be brief.' },
          {
            role: 'user',
            content: [
              { type: 'text', text: 'Hi' },
              { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } },
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
    expect(house.vendor.last('gemini-2.5-flash').body).toMatchObject({
      systemInstruction: { parts: [{ text: 'Be brief.' }] },
      contents: [
        { role: 'user', parts: [{ text: 'Hi' }, { inlineData: { mimeType: 'image/png', data: 'aGk=' } }] },
      ],
      generationConfig: {
        temperature: 0,
        maxOutputTokens: 200,
        stopSequences: ['END'],
        responseMimeType: 'application/json',
        thinkingConfig: { thinkingBudget: 2457, includeThoughts: true },
      },
    });
    expect(house.vendor.last('gemini-2.5-flash').body['safetySettings']).toHaveLength(4);
  });

  it('calls functions in parallel, and brings their signature back', async () => {
    const model = 'gemini-3-pro-preview';
    house.vendor.on(model, ({ body }) =>
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
    const { openai } = house.clients;
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
    expect(house.vendor.last(model).body['contents']).toEqual([
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
    expect(house.vendor.last(model).body['tools']).toEqual([
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
    house.vendor.on(model, () => ({
      json: reply([candidate([{ text: 'ok' }], { finishReason: 'STOP' })], usage(1, 1)),
    }));
    const call = (id: string) => ({
      id,
      type: 'function' as const,
      function: { name: 'weather', arguments: '{}' },
    });
    await house.clients.openai.chat.completions.create({
      model,
      messages: [
        { role: 'user', content: 'Go' },
        { role: 'assistant', tool_calls: [call('a'), call('b')] },
        { role: 'tool', tool_call_id: 'a', content: 'x' },
        { role: 'tool', tool_call_id: 'b', content: 'y' },
      ],
      tools: [weather],
    });
    const turns = house.vendor.last(model).body['contents'] as Content[];
    expect(turns[1]?.parts?.map(({ thoughtSignature }) => thoughtSignature)).toEqual([
      'context_engineering_is_the_way_to_go',
      undefined,
    ]);
  });

  it('the name’s suffix asks for thinking', async () => {
    house.vendor.on('gemini-2.5-flash', () => ({
      json: reply([candidate([{ text: 'ok' }], { finishReason: 'STOP' })], usage(1, 1)),
    }));
    await house.clients.openai.chat.completions.create({
      model: 'gemini-2.5-flash-thinking',
      max_tokens: 1_000,
      messages: [{ role: 'user', content: 'Hi' }],
    });
    expect(house.vendor.last('gemini-2.5-flash').body['generationConfig']).toEqual({
      maxOutputTokens: 1_000,
      thinkingConfig: { thinkingBudget: 600, includeThoughts: true },
    });
  });

  it('a refused prompt is 400 prompt_blocked', async () => {
    house.vendor.on('gemini-2.5-flash', () => ({
      frames: [{ promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } }],
    }));
    await expect(
      house.clients.openai.chat.completions.create({
        model: 'gemini-2.5-flash',
        messages: [{ role: 'user', content: 'Hi' }],
        stream: true,
      }),
    ).rejects.toMatchObject({ status: 400, code: 'prompt_blocked' });
  });

  it.each([false, true])(
    'a refused prompt costs what the vendor says it cost (streamed: %p)',
    async (stream) => {
      const refusal = {
        promptFeedback: { blockReason: 'SAFETY' },
        usageMetadata: { promptTokenCount: 12, totalTokenCount: 12 },
      };
      house.vendor.on('gemini-2.5-flash', () => (stream ? { frames: [refusal] } : { json: refusal }));
      const charge = await house.chargeOf(async ({ openai }) => {
        const call = openai.chat.completions.create({
          model: 'gemini-2.5-flash',
          messages: [{ role: 'user', content: 'Hi' }],
          stream,
        });
        await expect(call).rejects.toMatchObject({ status: 400, code: 'prompt_blocked' });
      });
      expect(charge).toBe(12);
    },
  );

  it('embeds', async () => {
    house.vendor.on('gemini-embedding-001', ({ body }) => ({
      json: { embeddings: (body['requests'] as unknown[]).map((_, index) => ({ values: [index, 0.5] })) },
    }));
    const answer = await house.clients.openai.embeddings.create({
      model: 'gemini-embedding-001',
      input: ['a', 'b'],
      dimensions: 2,
      encoding_format: 'float',
    });
    expect(answer.data.map(({ embedding }) => embedding)).toEqual([
      [0, 0.5],
      [1, 0.5],
    ]);
    expect(house.vendor.last('gemini-embedding-001').body).toEqual({
      requests: ['a', 'b'].map((text) => ({
        model: 'models/gemini-embedding-001',
        content: { parts: [{ text }] },
        outputDimensionality: 2,
      })),
    });
  });

  it('makes pictures with Imagen and with Gemini', async () => {
    const model = 'imagen-4.0-generate-001';
    house.vendor.on(model, () => ({
      json: {
        predictions: [
          { mimeType: 'image/png', bytesBase64Encoded: 'aGk=' },
          { raiFilteredReason: 'held back' },
        ],
      },
    }));
    // One picture came of two: $0.04.
    const charge = await house.chargeOf(async ({ openai }) => {
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
    expect(house.vendor.last(model).body).toEqual({
      instances: [{ prompt: 'a cat' }],
      parameters: { personGeneration: 'allow_adult', sampleCount: 2, aspectRatio: '3:2', imageSize: '2K' },
    });
    house.vendor.on('gemini-2.5-flash-image', () => ({
      json: reply(
        [candidate([{ inlineData: { mimeType: 'image/png', data: 'cGlj' } }], { finishReason: 'STOP' })],
        usage(5, 1290),
      ),
    }));
    const answer = await house.clients.openai.images.generate({
      model: 'gemini-2.5-flash-image',
      prompt: 'a dog',
    });
    expect(answer.data?.[0]?.b64_json).toBe('cGlj');
  });
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
    house.vendor.on(model, () => ({
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
    const charge = await house.chargeOf(async ({ google }) => {
      const answer = await google.models.generateContent({
        model,
        contents: [
          { role: 'user', parts: [{ text: 'Hi' }, { inlineData: { mimeType: 'image/png', data: 'aGk=' } }] },
        ],
        config: {
          systemInstruction: 'Be brief.',
          maxOutputTokens: 200,
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
    expect(house.vendor.last(model).body).toMatchObject({
      messages: [
        { role: 'system', content: 'Be brief.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Hi' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } },
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
        json_schema: { schema: { type: 'object', properties: { a: { type: 'string' } } } },
      },
    });
  });

  it('streams: calls come whole, whatever pieces they were in', async () => {
    house.vendor.on(model, () => ({
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
    const charge = await house.chargeOf(async ({ google }) => {
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
    house.vendor.on(model, () => ({
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
    const stream = await house.clients.google.models.generateContentStream({ model, contents });
    for await (const part of stream) expect(part.candidates?.length).toBeGreaterThan(0);
    const messages = house.vendor.last(model).body['messages'] as Record<string, unknown>[];
    const calls = messages[1]?.['tool_calls'] as { id: string }[];
    expect(messages.slice(2)).toEqual([
      expect.objectContaining({ role: 'tool', tool_call_id: calls[0]?.id, content: 'sun' }),
      expect.objectContaining({ role: 'tool', tool_call_id: calls[1]?.id, content: '{"temperature":7}' }),
    ]);
  });

  it('streams as an array too, and a failure is its last element', async () => {
    const ask = async (): Promise<Record<string, unknown>[]> => {
      const response = await fetch(
        `${house.app.url}/v1beta/models/${model}:streamGenerateContent?key=${house.clients.key}`,
        {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ contents: [{ parts: [{ text: 'Hi' }] }] }),
        },
      );
      return (await response.json()) as Record<string, unknown>[];
    };
    house.vendor.on(model, () => ({
      frames: [chunk({ role: 'assistant', content: 'Hi' }), chunk({}, { finish_reason: 'stop' })],
    }));
    const whole = await ask();
    expect(whole).toHaveLength(2);
    expect(whole.at(-1)).toMatchObject({ candidates: [{ finishReason: 'STOP' }] });
    house.vendor.on(model, () => ({
      frames: [chunk({ role: 'assistant', content: 'Hi' })],
      breaksOff: true,
    }));
    const broken = await ask();
    expect(broken.at(-1)).toMatchObject({ error: { code: 502, status: 'UNAVAILABLE' } });
  });

  it('embeds', async () => {
    house.vendor.on('embed-scripted', () => ({
      json: {
        object: 'list',
        model: 'embed-scripted',
        data: [0, 1].map((index) => ({ object: 'embedding', index, embedding: [index, 2] })),
        usage: { prompt_tokens: 4, total_tokens: 4 },
      },
    }));
    const answer = await house.clients.google.models.embedContent({
      model: 'embed-scripted',
      contents: ['a', 'b'],
    });
    expect(answer.embeddings?.map(({ values }) => values)).toEqual([
      [0, 2],
      [1, 2],
    ]);
  });

  it('counts tokens by our own count where the vendor cannot', async () => {
    const { totalTokens } = await house.clients.google.models.countTokens({
      model,
      contents: 'Hello there, how are you?',
    });
    expect(totalTokens).toBeGreaterThan(3);
    expect(totalTokens).toBeLessThan(30);
  });
});

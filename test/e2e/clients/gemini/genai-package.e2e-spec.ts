import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiError, type Content, Type } from '@google/genai';
import { openGeminiFixture, type GeminiFixture } from './gemini.fixture.js';
import { candidate, reply, usage } from './scripted-google.js';

/** Google's official client over a vendor of its own grammar; prices in gemini-house.ts. */
const BROKEN = ['refused', 'malformed', 'busy', 'keyless', 'cut'].map((name) => `gemini-${name}`);
const MODELS = ['gemini-2.5-flash', 'gemini-3-pro-preview', 'gemini-embedding-001', ...BROKEN];
let fixture: GeminiFixture;

beforeAll(async () => {
  fixture = await openGeminiFixture([{ type: 24, key: 'AIzaUpstreamKey0000', models: MODELS }]);
});
afterAll(async () => {
  await fixture?.close();
});

const model = 'gemini-2.5-flash';

describe('generateContent over Gemini', () => {
  it('passes the answer untouched and charges prompt, thoughts and cached tokens as reported', async () => {
    fixture.vendor.on(model, () => ({
      json: reply(
        [candidate([{ text: 'Hello.' }], { finishReason: 'STOP', avgLogprobs: -0.1 })],
        usage(100, 10, { thoughtsTokenCount: 30, cachedContentTokenCount: 40, totalTokenCount: 140 }),
        { unknownField: { kept: true } },
      ),
    }));
    // 60 + 40 × 0.1 + (10 + 30) × 2
    const charge = await fixture.chargeOf(async ({ google }) => {
      const answer = await google.models.generateContent({ model, contents: 'Hi' });
      expect(answer.text).toBe('Hello.');
      expect(answer.usageMetadata?.thoughtsTokenCount).toBe(30);
      expect(answer).toMatchObject({ candidates: [{ avgLogprobs: -0.1 }] });
    });
    expect(charge).toBe(144);
    const seen = fixture.vendor.last(model);
    expect(seen.path).toBe('/v1beta/models/gemini-2.5-flash:generateContent');
    expect(seen.headers['x-goog-api-key']).toBe('AIzaUpstreamKey0000');
    expect(seen.body).toEqual({ contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] });
  });

  it('charges audio and images by their own ratios', async () => {
    fixture.vendor.on(model, () => ({
      json: reply(
        [candidate([{ text: 'ok' }], { finishReason: 'STOP' })],
        usage(60, 5, {
          promptTokensDetails: [
            { modality: 'TEXT', tokenCount: 10 },
            { modality: 'AUDIO', tokenCount: 20 },
            { modality: 'IMAGE', tokenCount: 30 },
          ],
        }),
      ),
    }));
    // 10 + 20 × 3 + 30 × 5 + 5 × 2
    const charge = await fixture.chargeOf(({ google }) =>
      google.models.generateContent({ model, contents: 'Hi' }),
    );
    expect(charge).toBe(230);
  });

  it('streams as events, the last figures counting', async () => {
    fixture.vendor.on(model, () => ({
      frames: [
        reply([candidate([{ text: 'Hel' }])], { promptTokenCount: 10, totalTokenCount: 10 }),
        reply([candidate([{ text: 'lo' }], { finishReason: 'STOP' })], usage(10, 4)),
      ],
    }));
    const charge = await fixture.chargeOf(async ({ google }) => {
      const stream = await google.models.generateContentStream({ model, contents: 'Hi' });
      let text = '';
      let last;
      for await (const chunk of stream) {
        text += chunk.text ?? '';
        last = chunk;
      }
      expect(text).toBe('Hello');
      expect(last?.candidates?.[0]?.finishReason).toBe('STOP');
    });
    expect(charge).toBe(18);
    expect(fixture.vendor.last(model).query.get('alt')).toBe('sse');
  });

  it('streams as an array to clients that do not want events, byte for byte', async () => {
    const frames = [
      reply([candidate([{ text: 'Hel' }])]),
      reply([candidate([{ text: 'lo' }], { finishReason: 'STOP' })], usage(10, 4)),
    ];
    fixture.vendor.on(model, () => ({ frames }));
    const charge = await fixture.chargeOf(async ({ key }) => {
      const response = await fetch(`${fixture.app.url}/v1beta/models/${model}:streamGenerateContent`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-goog-api-key': key },
        body: JSON.stringify({ contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] }),
      });
      expect(response.headers.get('content-type')).toContain('application/json');
      expect(await response.json()).toEqual(frames);
    });
    expect(charge).toBe(18);
    expect(fixture.vendor.last(model).query.get('alt')).toBeNull();
  });

  it('keeps thoughts, signatures and parallel calls through a chat of several turns', async () => {
    const thinker = 'gemini-3-pro-preview';
    const call = (name: string, city: string, signature?: string) => ({
      functionCall: { name, args: { city }, id: `id-${city}` },
      ...(signature === undefined ? {} : { thoughtSignature: signature }),
    });
    fixture.vendor.on(thinker, ({ body }) => {
      const turns = body['contents'] as Content[];
      if (turns.length === 1) {
        return {
          frames: [
            reply([candidate([{ text: 'Two cities.', thought: true }])]),
            reply(
              [
                candidate([call('weather', 'Oslo', 'c2ln'), call('weather', 'Rome')], {
                  finishReason: 'STOP',
                }),
              ],
              usage(20, 8),
            ),
          ],
        };
      }
      return {
        frames: [reply([candidate([{ text: 'Both fine.' }], { finishReason: 'STOP' })], usage(40, 3))],
      };
    });
    const chat = fixture.clients.google.chats.create({
      model: thinker,
      config: {
        thinkingConfig: { includeThoughts: true },
        tools: [
          {
            functionDeclarations: [
              {
                name: 'weather',
                parameters: { type: Type.OBJECT, properties: { city: { type: Type.STRING } } },
              },
            ],
          },
        ],
      },
    });
    const calls = [];
    for await (const chunk of await chat.sendMessageStream({ message: 'Weather in Oslo and Rome?' })) {
      calls.push(...(chunk.functionCalls ?? []));
    }
    expect(calls.map(({ args }) => args)).toEqual([{ city: 'Oslo' }, { city: 'Rome' }]);
    const results = calls.map(({ id, name }) => ({
      functionResponse: { id: id ?? '', name: name ?? '', response: { output: 'sunny' } },
    }));
    let text = '';
    for await (const chunk of await chat.sendMessageStream({ message: results })) text += chunk.text ?? '';
    expect(text).toBe('Both fine.');
    const turns = fixture.vendor.last(thinker).body['contents'] as Content[];
    const parts = turns.flatMap((turn) => turn.parts ?? []);
    expect(parts.find((part) => part.functionCall?.id === 'id-Oslo')?.thoughtSignature).toBe('c2ln');
    expect(parts.filter((part) => part.functionResponse !== undefined)).toHaveLength(2);
  });

  it('sends structured output and inline images to the vendor unchanged', async () => {
    fixture.vendor.on(model, () => ({
      json: reply([candidate([{ text: '{"name":"x"}' }], { finishReason: 'STOP' })], usage(5, 5)),
    }));
    const schema = { type: Type.OBJECT, properties: { name: { type: Type.STRING } } };
    await fixture.clients.google.models.generateContent({
      model,
      contents: [
        {
          role: 'user',
          parts: [{ inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } }, { text: 'Name it' }],
        },
      ],
      config: { responseMimeType: 'application/json', responseSchema: schema, seed: 7 },
    });
    expect(fixture.vendor.last(model).body).toMatchObject({
      contents: [
        { parts: [{ inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } }, { text: 'Name it' }] },
      ],
      generationConfig: { responseMimeType: 'application/json', responseSchema: schema, seed: 7 },
    });
  });
});

describe('the other addresses', () => {
  it('embeds one text and several', async () => {
    fixture.vendor.on('gemini-embedding-001', ({ body }) =>
      'requests' in body
        ? { json: { embeddings: (body['requests'] as unknown[]).map(() => ({ values: [0.5, -1] })) } }
        : { json: { embedding: { values: [0.5, -1] } } },
    );
    const answer = await fixture.clients.google.models.embedContent({
      model: 'gemini-embedding-001',
      contents: ['one', 'two'],
      config: { outputDimensionality: 2 },
    });
    expect(answer.embeddings?.map(({ values }) => values)).toEqual([
      [0.5, -1],
      [0.5, -1],
    ]);
    const response = await fetch(
      `${fixture.app.url}/v1beta/models/gemini-embedding-001:embedContent?key=${fixture.clients.key}`,
      {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'models/gemini-embedding-001', content: { parts: [{ text: 'one' }] } }),
      },
    );
    expect(await response.json()).toEqual({
      embedding: { values: [0.5, -1] },
      // Counted here: reported usage equals the billed one.
      usageMetadata: { promptTokenCount: 1 },
    });
  });

  it('counts tokens where the vendor counts, without a charge', async () => {
    fixture.vendor.on(model, ({ path }) => ({
      json: path.endsWith(':countTokens')
        ? { totalTokens: 7 }
        : reply([candidate([{ text: 'ok' }], { finishReason: 'STOP' })], usage(1, 1)),
    }));
    const charge = await fixture.chargeOf(async ({ google }) => {
      const { totalTokens } = await google.models.countTokens({ model, contents: 'Hello there' });
      expect(totalTokens).toBe(7);
      // 1 + 1 × 2, and nothing for the count.
      await google.models.generateContent({ model, contents: 'Hi' });
    });
    expect(charge).toBe(3);
    expect(fixture.vendor.seen.find(({ path }) => path.endsWith(':countTokens'))?.body).toMatchObject({
      generateContentRequest: {
        model: 'models/gemini-2.5-flash',
        contents: [{ parts: [{ text: 'Hello there' }] }],
      },
    });
  });

  it('lists models in Google’s shape, page by page, and shows one', async () => {
    const names: string[] = [];
    for await (const one of await fixture.clients.google.models.list({ config: { pageSize: 2 } }))
      names.push(one.name ?? '');
    expect(names).toEqual(MODELS.toSorted().map((name) => `models/${name}`));
    const one = await fixture.clients.google.models.get({ model });
    expect(one.name).toBe(`models/${model}`);
    expect(one.supportedActions).toContain('generateContent');
  });
});

const failureOf = async (call: Promise<unknown>): Promise<ApiError> => {
  const fault: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(fault instanceof ApiError)) throw new Error(`expected an ApiError, got ${String(fault)}`);
  return fault;
};

const errorOf = (fault: ApiError): Record<string, unknown> =>
  (JSON.parse(fault.message) as { error: Record<string, unknown> }).error;

describe('failures in Google’s shape', () => {
  it.each([
    [
      'an answer that is broken',
      'gemini-malformed',
      { json: reply([candidate([], { finishReason: 'MALFORMED_FUNCTION_CALL' })]) },
      502,
      'UNAVAILABLE',
      /MALFORMED_FUNCTION_CALL/,
    ],
    [
      'a limit of the vendor',
      'gemini-busy',
      {
        status: 429,
        json: {
          error: {
            code: 429,
            message: 'Slow down.',
            status: 'RESOURCE_EXHAUSTED',
            details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '37s' }],
          },
        },
      },
      429,
      'RESOURCE_EXHAUSTED',
      /busy/,
    ],
  ])('%s', async (_name, broken, answer, status, word, sentence) => {
    fixture.vendor.on(broken, () => answer);
    const fault = await failureOf(
      fixture.clients.google.models.generateContent({ model: broken, contents: 'Hi' }),
    );
    expect(fault.status).toBe(status);
    expect(errorOf(fault)).toMatchObject({ code: status, status: word });
    expect(errorOf(fault)['message']).toMatch(sentence);
  });

  it('never shows the channel’s key, and calls a refused one the channel’s fault', async () => {
    fixture.vendor.on('gemini-keyless', () => ({
      status: 400,
      json: {
        error: {
          code: 400,
          message: 'API key not valid: AIzaUpstreamKey0000',
          status: 'INVALID_ARGUMENT',
          details: [{ reason: 'API_KEY_INVALID' }],
        },
      },
    }));
    const fault = await failureOf(
      fixture.clients.google.models.generateContent({ model: 'gemini-keyless', contents: 'Hi' }),
    );
    expect(fault.message).not.toContain('AIzaUpstreamKey0000');
    expect(errorOf(fault)['message']).toMatch(/refused the channel's credentials/);
  });

  it('ends an answer that breaks off after text with an error frame', async () => {
    fixture.vendor.on('gemini-cut', () => ({
      frames: [reply([candidate([{ text: 'Half an ans' }])])],
      breaksOff: true,
    }));
    const read = async (): Promise<void> => {
      const stream = await fixture.clients.google.models.generateContentStream({
        model: 'gemini-cut',
        contents: 'Hi',
      });
      for await (const chunk of stream) expect(chunk.text).toBe('Half an ans');
    };
    await expect(read()).rejects.toThrow(/broke off|before it was complete/);
  });

  it.each([
    ['no key', '/v1beta/models/x:generateContent', {}, 401, 'UNAUTHENTICATED'],
    ['a wrong key', '/v1beta/models/x:generateContent?key=sk-nothing', {}, 401, 'UNAUTHENTICATED'],
    [
      'two keys',
      '/v1beta/models/x:generateContent?key=sk-a',
      { 'x-goog-api-key': 'sk-b' },
      401,
      'UNAUTHENTICATED',
    ],
    ['an unknown address', '/v1beta/nothing', {}, 404, 'NOT_FOUND'],
    ['an address not offered', '/v1beta/cachedContents', {}, 501, 'UNIMPLEMENTED'],
    ['a verb not offered', '/v1beta/models/veo-3:predictLongRunning', {}, 501, 'UNIMPLEMENTED'],
    ['an unknown verb', '/v1beta/models/x:doSomething', {}, 404, 'NOT_FOUND'],
  ])('%s', async (_name, path, headers: Record<string, string>, status, word) => {
    const response = await fetch(`${fixture.app.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: '{"contents":[{"parts":[{"text":"Hi"}]}]}',
    });
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ error: { code: status, status: word } });
  });
});

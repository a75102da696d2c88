import { describe, expect, it } from '@jest/globals';
import { aRoute } from '../../../../test/support/memory-ports.js';
import { someRequestFacts } from '../../../../test/support/relay-calls.js';
import { isPlausibleInput, isPlausibleOutput, mostDelivered, type RequestFacts } from './bound-usage.js';

const route = aRoute();

describe('isPlausibleOutput', () => {
  const request = (changes: Partial<RequestFacts['worstCase']>, more: Partial<RequestFacts> = {}) =>
    someRequestFacts({
      worstCase: { outputCap: undefined, modelOutputCap: undefined, choices: 1, ...changes },
      ...more,
    });
  const believes = (total: number, facts: RequestFacts, reasoning?: number, hasUnread = false): boolean =>
    isPlausibleOutput(
      { input: { total: 5 }, output: { total, ...(reasoning === undefined ? {} : { reasoning }) } },
      1,
      hasUnread,
      facts,
    );

  it('holds a report against the cap that was sent, for each answer [UP-01]', () => {
    expect(believes(1_025, request({ outputCap: 20 }))).toBe(true);
    expect(believes(1_026, request({ outputCap: 20 }))).toBe(false);
    expect(believes(1_050, request({ outputCap: 20, choices: 2 }))).toBe(true);
    expect(believes(1_900_000, request({ outputCap: 20 }))).toBe(false);
  });

  it('holds it against our own count when no cap was sent [UP-01]', () => {
    expect(believes(1_004, request({}))).toBe(true);
    expect(believes(1_005, request({}))).toBe(false);
  });

  it('counts reasoning against the cap of a vendor whose cap covers it', () => {
    expect(believes(30_000, request({ outputCap: 20 }), 29_990)).toBe(false);
  });

  it.each([
    [
      'for a vendor whose cap does not cover it',
      request({ outputCap: 20 }, { route: { ...route, channelType: 17 } }),
    ],
    ['when no cap was sent', request({})],
  ])('believes reasoning up to the largest answer %s', (_when, facts) => {
    expect(believes(131_072, facts, 131_060)).toBe(true);
    expect(believes(150_000, facts, 149_990)).toBe(false);
  });

  it('allows for unreported reasoning of models that do not show it', () => {
    const upstreamModel = 'o3-mini';
    expect(believes(50_000, request({}, { route: { ...route, upstreamModel } }))).toBe(true);
    expect(believes(50_000, request({}, { route: { ...route, upstreamModel } }), 0)).toBe(false);
    expect(believes(50_000, request({}))).toBe(false);
  });

  it('allows for content that is not counted here', () => {
    expect(believes(50_000, request({}), undefined, true)).toBe(true);
  });

  it('takes what a picture is held for as its cap', () => {
    const shape = {
      model: route.upstreamModel,
      promptTokens: 5,
      heldOutput: { tokens: 6_240, kind: 'image' },
    } as const;
    expect(believes(8_800, request({}, { shape }))).toBe(true);
    expect(believes(8_801, request({}, { shape }))).toBe(false);
  });

  it('takes the largest picture, or all of the sound, as the cap of a model behind another name', () => {
    const image = {
      model: 'my-image',
      promptTokens: 5,
      heldOutput: { tokens: 1_250, kind: 'image' },
    } as const;
    expect(believes(6_240, request({}, { shape: image }))).toBe(true);
    expect(believes(9_176, request({}, { shape: image }))).toBe(false);
    const transcript = {
      model: 'whisper-1',
      promptTokens: 4_800,
      heldOutput: { tokens: 0, kind: 'text' },
    } as const;
    expect(believes(1_600, request({}, { shape: transcript }))).toBe(true);
    expect(believes(7_001, request({}, { shape: transcript }))).toBe(false);
  });

  it('allows for hidden reasoning by the name the caller used, too', () => {
    const shape = { model: 'o3-mini', promptTokens: 5 };
    expect(believes(50_000, request({}, { shape }))).toBe(true);
  });

  it('takes a cap of up to twice the largest answer that the price table knows', () => {
    expect(believes(120_000, request({ outputCap: 128_000, modelOutputCap: 64_000 }))).toBe(true);
    expect(believes(170_000, request({ outputCap: 500_000, modelOutputCap: 64_000 }))).toBe(false);
  });

  it('stops a running answer at twice the cap that was sent', () => {
    expect(mostDelivered(request({ outputCap: 500 }))).toBe(2_000);
  });
});

const traffic = (changes: Partial<Omit<RequestFacts, 'shape'>> & { readonly promptTokens?: number } = {}) => {
  const { promptTokens = 5, ...others } = changes;
  return someRequestFacts({
    requestBody: Buffer.from('{"messages":[]}'),
    shape: { model: 'gpt-4o', promptTokens },
    ...others,
  });
};

describe('isPlausibleInput', () => {
  it('allows for tools, and for what a channel adds to the prompt [UP-01]', () => {
    expect(isPlausibleInput(30_000, traffic())).toBe(false);
    const requestBody = Buffer.from(JSON.stringify({ messages: [], tools: [{}, {}, {}, {}] }));
    expect(isPlausibleInput(30_000, traffic({ requestBody }))).toBe(true);
    const systemPrompt = 'word '.repeat(5_000);
    expect(isPlausibleInput(30_000, traffic({ route: { ...route, settings: { systemPrompt } } }))).toBe(true);
    const looping = { tools: [{ type: 'code_execution_20250825', name: 'code_execution' }] };
    expect(isPlausibleInput(950_648, traffic({ requestBody: Buffer.from(JSON.stringify(looping)) }))).toBe(
      true,
    );
    const own = { tools: [{ name: 'f', type: 'custom', input_schema: { type: 'object' } }] };
    expect(isPlausibleInput(950_648, traffic({ requestBody: Buffer.from(JSON.stringify(own)) }))).toBe(false);
    const paramOverride = { tools: [{}, {}, {}, {}] };
    expect(isPlausibleInput(30_000, traffic({ route: { ...route, paramOverride } }))).toBe(true);
  });

  const asks = (body: unknown) => traffic({ requestBody: Buffer.from(JSON.stringify(body)) });
  const turn = (...content: readonly unknown[]) => ({ messages: [{ role: 'user', content }] });

  it.each<[string, unknown]>([
    ['a page the vendor opens', { contents: [], tools: [{ url_context: {} }] }],
    [
      'a search, beside tools of its own',
      { contents: [], tools: [{ functionDeclarations: [], googleSearch: {} }] },
    ],
    ['a store of files', { contents: [], tools: [{ fileSearch: { fileSearchStoreNames: ['s'] } }] }],
    ['a cache', { contents: [], cachedContent: 'cachedContents/1' }],
    ['a cache, in the other spelling', { contents: [], cached_content: 'cachedContents/1' }],
    ['a file in another spelling', { contents: [{ parts: [{ file_data: { file_uri: 'u' } }] }] }],
    [
      'a document of many pages',
      { contents: [{ parts: [{ inlineData: { mimeType: 'application/pdf', data: 'QQ' } }] }] },
    ],
    ['an answer that is stored', { input: 'go on', previous_response_id: 'resp_1' }],
    ['a stored conversation', { input: 'go on', conversation: { id: 'conv_1' } }],
    ['a stored prompt', { prompt: { id: 'pmpt_1' } }],
    ['a stored item', { input: [{ type: 'item_reference', id: 'msg_1' }] }],
    ['a stored item, by its id alone', { input: [{ id: 'msg_1' }] }],
    ['stored thoughts', { input: [{ type: 'reasoning', id: 'rs_1', summary: [] }] }],
    ['a search of a chat', { messages: [], web_search_options: {} }],
    ['a setting nobody here knows', { messages: [], search_parameters: { mode: 'on' } }],
    ['a document by its address', turn({ type: 'document_url', document_url: 'https://x.example/y.pdf' })],
    ['a part of a kind nobody here knows', turn({ type: 'slides', slides: 'https://x.example/y' })],
    ['a member whose name is escaped', { messages: [{ role: 'user', 'f\\u0069le_id': 'f' }] }],
  ])('believes the input a vendor reports for %s', (_what, body) => {
    const text = JSON.stringify(body).replaceAll('\\\\u', '\\u');
    expect(isPlausibleInput(900_000, traffic({ requestBody: Buffer.from(text) }))).toBe(true);
  });

  it.each<[string, unknown]>([
    [
      'a chat',
      { model: 'm', temperature: 1, n: 2, metadata: { a: 'b' }, ...turn({ type: 'text', text: 'x' }) },
    ],
    ['a prompt', { model: 'm', prompt: ['a', 'b'], max_tokens: 5, echo: true }],
    [
      'items that hold what they say',
      { input: [{ type: 'message', role: 'user', content: 'x' }], reasoning: {} },
    ],
    [
      'a turn of Gemini',
      { contents: [{ role: 'user', parts: [{ text: 'x' }] }], generationConfig: { topK: 1 } },
    ],
    [
      'a call and its result',
      turn({ type: 'tool_use', id: 'c', name: 'f', input: {} }, { type: 'tool_result' }),
    ],
    ['a tool that is not used', { contents: [], tools: [{ functionDeclarations: [], googleSearch: null }] }],
    ['a setting that is null', { messages: [], web_search_options: null, previous_response_id: null }],
  ])('does not believe it for %s', (_what, body) => {
    expect(isPlausibleInput(900_000, asks(body))).toBe(false);
  });

  it('believes it where the name of the model or an application asks for more than was sent', () => {
    expect(isPlausibleInput(900_000, traffic({ readsMore: true }))).toBe(true);
    expect(isPlausibleInput(100_000, traffic({ promptTokens: 100_000 }))).toBe(true);
  });
});

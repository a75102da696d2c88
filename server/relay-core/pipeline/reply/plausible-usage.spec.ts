import { describe, expect, it } from '@jest/globals';
import { isPlausible, type Traffic } from './measure-reply.js';

const traffic = (more: Partial<Traffic> = {}): Traffic => ({
  requestBody: Buffer.from('{"messages":[]}'),
  promptTokens: 5,
  readsMore: false,
  route: { settings: {}, paramOverride: undefined },
  receivedBytes: 100,
  modelOutputCap: undefined,
  choices: 1,
  ...more,
});
const output = (total: number) => ({ input: { total: 5 }, output: { total } });
const input = (total: number) => ({ input: { total }, output: { total: 5 } });

describe('isPlausible', () => {
  it('holds output against the cap of the model, per answer, or the bytes that came [UP-01]', () => {
    expect(isPlausible(output(8_000), traffic({ modelOutputCap: 8_000 }))).toBe(true);
    expect(isPlausible(output(8_001), traffic({ modelOutputCap: 8_000 }))).toBe(false);
    expect(isPlausible(output(16_000), traffic({ modelOutputCap: 8_000, choices: 2 }))).toBe(true);
    expect(isPlausible(output(8_001), traffic({ modelOutputCap: 8_000, receivedBytes: 9_000 }))).toBe(true);
    expect(isPlausible(output(2_000_001), traffic())).toBe(false);
  });

  it('allows for tools, and for what a channel adds to the prompt [UP-01]', () => {
    expect(isPlausible(input(30_000), traffic())).toBe(false);
    const requestBody = Buffer.from(JSON.stringify({ messages: [], tools: [{}, {}, {}, {}] }));
    expect(isPlausible(input(30_000), traffic({ requestBody }))).toBe(true);
    const systemPrompt = 'word '.repeat(5_000);
    expect(
      isPlausible(
        input(30_000),
        traffic({ route: { settings: { systemPrompt }, paramOverride: undefined } }),
      ),
    ).toBe(true);
    const looping = { tools: [{ type: 'code_execution_20250825', name: 'code_execution' }] };
    expect(isPlausible(input(950_648), traffic({ requestBody: Buffer.from(JSON.stringify(looping)) }))).toBe(
      true,
    );
    const own = { tools: [{ name: 'f', type: 'custom', input_schema: { type: 'object' } }] };
    expect(isPlausible(input(950_648), traffic({ requestBody: Buffer.from(JSON.stringify(own)) }))).toBe(
      false,
    );
    const paramOverride = { tools: [{}, {}, {}, {}] };
    expect(isPlausible(input(30_000), traffic({ route: { settings: {}, paramOverride } }))).toBe(true);
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
    expect(isPlausible(input(900_000), traffic({ requestBody: Buffer.from(text) }))).toBe(true);
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
    expect(isPlausible(input(900_000), asks(body))).toBe(false);
  });

  it('believes it where the name of the model or an application asks for more than was sent', () => {
    expect(isPlausible(input(900_000), traffic({ readsMore: true }))).toBe(true);
    expect(isPlausible(input(100_000), traffic({ promptTokens: 100_000 }))).toBe(true);
  });
});

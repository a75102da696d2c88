import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { json, jsonLines, sse } from './vendor-server.js';
import { VendorFixture } from './vendor.fixture.js';

const TOOL = { type: 'function' as const, function: { name: 'weather', parameters: { type: 'object' } } };
const question = [{ role: 'user' as const, content: 'How is the weather in Oslo?' }];
const search = { query: 'rain?', documents: ['sun', { text: 'rain' }, 'snow'] };
const ranks = [
  { index: 0, relevance_score: 0.1 },
  { index: 1, relevance_score: 0.9 },
];

let fixture: VendorFixture;

beforeAll(async () => {
  fixture = await VendorFixture.start([
    { type: 34, key: 'cohere-key', models: ['command-a', 'embed-v4.0', 'rerank-v3.5', 'rerank-by-search'] },
    { type: 4, key: 'none', models: ['qwen3', 'nomic-embed-text'] },
    { type: 37, key: 'app-chat', models: ['dify-chat'] },
    { type: 37, key: 'app-flow', other: 'workflow', models: ['dify-flow'] },
    { type: 38, key: 'jina_key', models: ['jina-embeddings-v3', 'jina-reranker-m0'] },
    { type: 47, key: 'any', models: ['bge-reranker'] },
    { type: 40, key: 'sk-silicon', models: ['BAAI/bge-reranker-v2-m3'] },
    { type: 39, key: 'token', other: 'acc-1', models: ['@cf/meta/llama'] },
  ]);
});
afterAll(() => fixture?.stop());

/** Reads a chat stream with the official client. */
async function streamed(model: string, extra: { readonly tools?: (typeof TOOL)[] } = {}) {
  const stream = fixture.openai.chat.completions.stream({
    model,
    messages: question,
    stream_options: { include_usage: true },
    ...extra,
  });
  const completion = await stream.finalChatCompletion();
  return { choice: completion.choices[0], usage: completion.usage };
}

describe('Cohere', () => {
  const usage = {
    billed_units: { input_tokens: 6, output_tokens: 4 },
    tokens: { input_tokens: 106, output_tokens: 14 },
  };

  it('an OpenAI client sees the tokens and pays what the vendor bills', async () => {
    fixture.vendor.on(
      '/v2/chat',
      json({
        id: 'c1',
        message: { role: 'assistant', content: [{ type: 'text', text: 'Rain.' }] },
        finish_reason: 'COMPLETE',
        usage,
      }),
    );
    const answer = await fixture.openai.chat.completions.create({ model: 'command-a', messages: question });
    expect(answer).toMatchObject({
      id: 'c1',
      choices: [{ message: { content: 'Rain.' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 106, completion_tokens: 14 },
    });
    const request = fixture.vendor.last('/v2/chat');
    expect(request.headers['authorization']).toBe('Bearer cohere-key');
    expect(request.body).toEqual({ model: 'command-a', messages: question, stream: false });
    expect(await fixture.chargeOf('command-a')).toMatchObject({
      prompt_tokens: 6,
      completion_tokens: 4,
      quota: 14,
    });
  });

  it('calls are streamed with their plan as reasoning', async () => {
    const call = (delta: unknown, type: string) => ({
      type,
      index: 0,
      delta: { message: { tool_calls: delta } },
    });
    fixture.vendor.on(
      '/v2/chat',
      sse([
        { id: 'c2', type: 'message-start', delta: { message: {} } },
        { type: 'tool-plan-delta', delta: { message: { tool_plan: 'I look' } } },
        call({ id: 'w1', type: 'function', function: { name: 'weather', arguments: '' } }, 'tool-call-start'),
        call({ function: { arguments: '{"city":"Oslo"}' } }, 'tool-call-delta'),
        { type: 'tool-call-end', index: 0 },
        { type: 'message-end', delta: { finish_reason: 'TOOL_CALL', usage } },
      ]),
    );
    const { choice } = await streamed('command-a', { tools: [TOOL] });
    expect(choice).toMatchObject({
      finish_reason: 'tool_calls',
      message: { tool_calls: [{ id: 'w1', function: { name: 'weather', arguments: '{"city":"Oslo"}' } }] },
    });
  });

  it('a stream that ends with an error is an error', async () => {
    fixture.vendor.on(
      '/v2/chat',
      sse([
        { id: 'c3', type: 'message-start', delta: {} },
        { type: 'message-end', delta: { finish_reason: 'ERROR', error: 'model broke' } },
      ]),
    );
    const response = await fixture.post('/v1/chat/completions', {
      model: 'command-a',
      messages: question,
      stream: true,
    });
    expect(response.status).toBe(502);
  });

  it('returns embeddings packed when the official client wants them so', async () => {
    fixture.vendor.on(
      '/v2/embed',
      json({ embeddings: { float: [[0.5, 0.25]] }, meta: { billed_units: { input_tokens: 3 } } }),
    );
    const answer = await fixture.openai.embeddings.create({ model: 'embed-v4.0', input: ['rain'] });
    expect(Array.from(answer.data[0]?.embedding ?? [])).toEqual([0.5, 0.25]);
    expect(await fixture.chargeOf('embed-v4.0')).toMatchObject({ quota: 3 });
  });

  it('ranks; a price per call counts searches, a price per token our own estimate', async () => {
    fixture.vendor.on(
      '/v2/rerank',
      json({ id: 'r', results: ranks, meta: { billed_units: { search_units: 1 } } }),
    );
    const response = await fixture.post('/v1/rerank', {
      model: 'rerank-by-search',
      ...search,
      return_documents: true,
      top_n: 1,
    });
    expect(await response.json()).toMatchObject({
      id: 'r',
      results: [{ index: 1, relevance_score: 0.9, document: { text: 'rain' } }],
    });
    expect(fixture.vendor.last('/v2/rerank').body).toMatchObject({
      documents: ['sun', 'rain', 'snow'],
      top_n: 1,
    });
    expect(await fixture.chargeOf('rerank-by-search')).toMatchObject({ quota: 1_000 });
    const before = await fixture.post('/v1/rerank', { model: 'rerank-v3.5', ...search });
    const { usage: shown } = (await before.json()) as { usage: { total_tokens: number } };
    expect(await fixture.chargeOf('rerank-v3.5')).toMatchObject({ quota: shown.total_tokens });
  });
});

describe('Ollama', () => {
  const line = (message: unknown, rest: Readonly<Record<string, unknown>> = {}) => ({
    model: 'qwen3',
    created_at: '2026-11-21T15:00:00Z',
    message,
    done: false,
    ...rest,
  });

  it('an OpenAI client passes by the compatible way', async () => {
    fixture.vendor.on(
      '/v1/chat/completions',
      json({
        id: 'o1',
        object: 'chat.completion',
        created: 1,
        model: 'qwen3',
        choices: [{ index: 0, message: { role: 'assistant', content: 'Rain.' }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 },
        own_word: 1,
      }),
    );
    const answer = await fixture.openai.chat.completions.create({ model: 'qwen3', messages: question });
    expect(answer).toMatchObject({ own_word: 1, choices: [{ message: { content: 'Rain.' } }] });
  });

  it('an Anthropic client comes by its own grammar: thoughts, text and a call, streamed', async () => {
    fixture.vendor.on(
      '/api/chat',
      jsonLines([
        line({ role: 'assistant', content: '', thinking: 'hm' }),
        line({ role: 'assistant', content: 'I look.' }),
        line({
          role: 'assistant',
          content: '',
          tool_calls: [{ function: { name: 'weather', arguments: { city: 'Oslo' } } }],
        }),
        line(
          { role: 'assistant', content: '' },
          { done: true, done_reason: 'stop', prompt_eval_count: 20, eval_count: 9 },
        ),
      ]),
    );
    const message = await fixture.anthropic.messages
      .stream({
        model: 'qwen3',
        max_tokens: 100,
        thinking: { type: 'adaptive' },
        messages: question,
        tools: [{ name: 'weather', input_schema: { type: 'object' } }],
      })
      .finalMessage();
    expect(message.stop_reason).toBe('tool_use');
    expect(message.content).toMatchObject([
      { type: 'thinking', thinking: 'hm' },
      { type: 'text', text: 'I look.' },
      { type: 'tool_use', name: 'weather', input: { city: 'Oslo' } },
    ]);
    expect(fixture.vendor.last('/api/chat').body).toMatchObject({
      stream: true,
      options: { num_predict: 100 },
    });
    expect(await fixture.chargeOf('qwen3', 2)).toMatchObject({
      prompt_tokens: 20,
      completion_tokens: 9,
      quota: 38,
    });
  });

  it('an error line inside a stream of success is a failure', async () => {
    fixture.vendor.on('/api/chat', jsonLines([{ error: 'model runner has stopped' }]));
    const stream = fixture.anthropic.messages.stream({ model: 'qwen3', max_tokens: 9, messages: question });
    await expect(stream.finalMessage()).rejects.toThrow(/runner has stopped/);
  });

  it('embeds by its own grammar', async () => {
    fixture.vendor.on(
      '/api/embed',
      json({
        embeddings: [
          [1, 2],
          [3, 4],
        ],
        prompt_eval_count: 4,
      }),
    );
    const answer = await fixture.openai.embeddings.create({ model: 'nomic-embed-text', input: ['a', 'b'] });
    expect(answer.data.map(({ embedding }) => Array.from(embedding))).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });
});

describe('Dify', () => {
  it('a chat application streams, and is charged by its own figures', async () => {
    fixture.vendor.on(
      '/v1/chat-messages',
      sse([
        { event: 'workflow_started', data: {} },
        { event: 'message', message_id: 'd1', answer: 'Ra' },
        { event: 'message', message_id: 'd1', answer: 'in.' },
        { event: 'message_end', metadata: { usage: { prompt_tokens: 30, completion_tokens: 5 } } },
      ]),
    );
    const { choice, usage } = await streamed('dify-chat');
    expect(choice?.message.content).toBe('Rain.');
    expect(usage).toMatchObject({ prompt_tokens: 30, completion_tokens: 5 });
    const request = fixture.vendor.last('/v1/chat-messages');
    expect(request.headers['authorization']).toBe('Bearer app-chat');
    expect(request.body).toMatchObject({ query: question[0]?.content, response_mode: 'streaming' });
    expect(await fixture.chargeOf('dify-chat')).toMatchObject({ quota: 40 });
  });

  it('a workflow is run at its own address, and counted by us', async () => {
    fixture.vendor.on(
      '/v1/workflows/run',
      json({
        workflow_run_id: 'w',
        data: { status: 'succeeded', outputs: { text: 'Rain.' }, total_tokens: 9 },
      }),
    );
    const answer = await fixture.openai.chat.completions.create({ model: 'dify-flow', messages: question });
    expect(answer.choices[0]?.message.content).toBe('Rain.');
    expect(fixture.vendor.last('/v1/workflows/run').body).toMatchObject({
      inputs: { query: question[0]?.content },
    });
    const charge = await fixture.chargeOf('dify-flow');
    expect(charge.quota).toBe(charge.prompt_tokens + 2 * charge.completion_tokens);
    expect(charge.completion_tokens).toBeGreaterThan(0);
  });

  it('an error event is a failure with its own status', async () => {
    fixture.vendor.on(
      '/v1/chat-messages',
      sse([{ event: 'error', status: 400, code: 'invalid_param', message: 'no' }]),
    );
    const response = await fixture.post('/v1/chat/completions', {
      model: 'dify-chat',
      messages: question,
      stream: true,
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: 'invalid_param' } });
  });
});

describe('rankings and embeddings of specialists', () => {
  it('Jina: passes a ranking unchanged, and sends an embedding in its own form', async () => {
    const reply = {
      model: 'jina-reranker-m0',
      results: ranks.toReversed(),
      usage: { total_tokens: 21 },
      own_word: 1,
    };
    fixture.vendor.on('/v1/rerank', json(reply));
    const response = await fixture.post('/v1/rerank', { model: 'jina-reranker-m0', ...search });
    expect(await response.json()).toEqual(reply);
    expect(await fixture.chargeOf('jina-reranker-m0')).toMatchObject({ quota: 21 });
    fixture.vendor.on(
      '/v1/embeddings',
      json({ data: [{ index: 0, embedding: [1, 2] }], usage: { total_tokens: 2 } }),
    );
    const answer = await fixture.openai.embeddings.create({ model: 'jina-embeddings-v3', input: 'rain' });
    expect(Array.from(answer.data[0]?.embedding ?? [])).toEqual([1, 2]);
    expect(fixture.vendor.last('/v1/embeddings').body).toEqual({
      model: 'jina-embeddings-v3',
      input: ['rain'],
    });
  });

  it('Xinference: one shape for documents, best first, charged by our own estimate', async () => {
    const results = [
      { ...ranks[0], document: null },
      { ...ranks[1], document: 'rain' },
    ];
    fixture.vendor.on('/v1/rerank', json({ id: 'x', results, meta: { tokens: { input_tokens: 99_999 } } }));
    const response = await fixture.post('/v1/rerank', {
      model: 'bge-reranker',
      ...search,
      return_documents: true,
    });
    expect(await response.json()).toMatchObject({
      results: [
        { index: 1, document: { text: 'rain' } },
        { index: 0, document: { text: 'sun' } },
      ],
    });
    expect((await fixture.chargeOf('bge-reranker')).quota).toBeLessThan(100);
  });

  it('SiliconFlow: figures from where it puts them', async () => {
    fixture.vendor.on(
      '/v1/rerank',
      json({ id: 's', results: ranks, meta: { tokens: { input_tokens: 17 } } }),
    );
    const response = await fixture.post('/v1/rerank', { model: 'BAAI/bge-reranker-v2-m3', ...search });
    expect(await response.json()).toMatchObject({ usage: { prompt_tokens: 17, total_tokens: 17 } });
    expect(await fixture.chargeOf('BAAI/bge-reranker-v2-m3')).toMatchObject({ quota: 17 });
  });
});

it('Cloudflare: the account stands in the address; failures in its own shape are understood', async () => {
  const path = '/client/v4/accounts/acc-1/ai/v1/chat/completions';
  fixture.vendor.on(path, json({ success: false, errors: [{ code: 5007, message: 'No such model' }] }, 400));
  const response = await fixture.post('/v1/chat/completions', {
    model: '@cf/meta/llama',
    messages: question,
  });
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({
    error: { message: expect.stringContaining('No such model') },
  });
  expect(fixture.vendor.last(path).headers['authorization']).toBe('Bearer token');
});

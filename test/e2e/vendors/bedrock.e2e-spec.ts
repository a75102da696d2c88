import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AWS_KEY, expectSigned } from './check-signature.js';
import { AWS_STREAM, awsFrame } from '../../support/aws-frames.js';
import { awsStream, json } from './vendor-server.js';
import { VendorFixture } from './vendor.fixture.js';

const NOVA = 'amazon.nova-pro-v1:0';
const CLAUDE = 'anthropic.claude-3-7-sonnet-20250219-v1:0';
const TITAN = 'amazon.titan-embed-text-v2:0';
const RANK = 'amazon.rerank-v1:0';
const API_KEY_MODEL = 'mistral.mistral-large-2407-v1:0';

const converse = (model: string, stream = false): string =>
  `/model/${encodeURIComponent(model)}/converse${stream ? '-stream' : ''}`;
const usage = (input: number, output: number, rest: Readonly<Record<string, number>> = {}) => ({
  inputTokens: input,
  outputTokens: output,
  totalTokens: input + output,
  ...rest,
});
const TEXT_FRAMES = [
  awsFrame('messageStart', { role: 'assistant' }),
  awsFrame('contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'Hel' }, p: 'ab' }),
  awsFrame('contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'lo 🎉' } }),
  awsFrame('contentBlockStop', { contentBlockIndex: 0 }),
  awsFrame('messageStop', { stopReason: 'end_turn' }),
  awsFrame('metadata', { usage: usage(10, 4), metrics: { latencyMs: 5 } }),
];
const TOOL = { type: 'function' as const, function: { name: 'weather', parameters: { type: 'object' } } };
const question = [{ role: 'user' as const, content: 'How is the weather in Oslo and in Bergen?' }];

let fixture: VendorFixture;

beforeAll(async () => {
  fixture = await VendorFixture.start([
    {
      type: 33,
      key: AWS_KEY,
      other: 'none',
      models: [NOVA, CLAUDE, TITAN, RANK],
    },
    { type: 33, key: 'api-key-of-bedrock|eu-west-1', models: [API_KEY_MODEL] },
  ]);
});
afterAll(() => fixture?.stop());

describe('an OpenAI client over Bedrock', () => {
  it('sends signed Converse requests, and answers whole', async () => {
    fixture.vendor.on(
      converse(NOVA),
      json({
        output: { message: { role: 'assistant', content: [{ text: 'Hello' }] } },
        stopReason: 'end_turn',
        usage: usage(10, 4, { cacheReadInputTokens: 100, cacheWriteInputTokens: 20 }),
      }),
    );
    const answer = await fixture.openai.chat.completions.create({
      model: NOVA,
      messages: question,
      max_tokens: 20,
    });
    expect(answer.choices[0]).toMatchObject({ message: { content: 'Hello' }, finish_reason: 'stop' });
    expect(answer.usage).toMatchObject({
      prompt_tokens: 130,
      completion_tokens: 4,
      prompt_tokens_details: { cached_tokens: 100 },
    });
    const request = fixture.vendor.last(converse(NOVA));
    await expectSigned(request);
    expect(request.body).toEqual({
      messages: [{ role: 'user', content: [{ text: question[0]?.content }] }],
      inferenceConfig: { maxTokens: 20 },
    });
    // 10 fresh, 100 at a tenth, 20 written at 1.25, 4 at double.
    expect(await fixture.chargeOf(NOVA)).toMatchObject({
      prompt_tokens: 130,
      completion_tokens: 4,
      quota: 10 + 10 + 25 + 8,
    });
  });

  it('streams, whatever pieces the bytes come in', async () => {
    const bytes = Buffer.concat(TEXT_FRAMES);
    fixture.vendor.on(converse(NOVA, true), (_request, response) => {
      response.writeHead(200, { 'content-type': AWS_STREAM });
      for (let at = 0; at < bytes.length; at += 7) response.write(bytes.subarray(at, at + 7));
      response.end();
    });
    const stream = await fixture.openai.chat.completions.create({
      model: NOVA,
      messages: question,
      stream: true,
      stream_options: { include_usage: true },
    });
    let text = '';
    let finish: string | null = null;
    let tokens = 0;
    for await (const chunk of stream) {
      text += chunk.choices[0]?.delta.content ?? '';
      finish = chunk.choices[0]?.finish_reason ?? finish;
      tokens = chunk.usage?.total_tokens ?? tokens;
    }
    expect([text, finish, tokens]).toEqual(['Hello 🎉', 'stop', 14]);
    await expectSigned(fixture.vendor.last(converse(NOVA, true)));
    expect(await fixture.chargeOf(NOVA, 2)).toMatchObject({
      prompt_tokens: 10,
      completion_tokens: 4,
      quota: 18,
    });
  });

  it('parallel calls with thoughts go round for several turns, thoughts letter by letter (known pain 30)', async () => {
    const thought = { reasoningContent: { reasoningText: { text: ' hm \n', signature: 'c2ln' } } };
    const use = (id: string, city: string) => ({
      toolUse: { toolUseId: id, name: 'weather', input: { city } },
    });
    fixture.vendor.on(
      converse(CLAUDE),
      json({
        output: {
          message: { role: 'assistant', content: [thought, use('t1', 'Oslo'), use('t2', 'Bergen')] },
        },
        stopReason: 'tool_use',
        usage: usage(20, 30),
      }),
    );
    const messages: Parameters<typeof fixture.openai.chat.completions.create>[0]['messages'] = [...question];
    const body = { model: CLAUDE, tools: [TOOL], reasoning_effort: 'high' as const, max_tokens: 9_000 };
    for (let turn = 1; turn <= 3; turn += 1) {
      const answer = await fixture.openai.chat.completions.create({ ...body, messages });
      const message = answer.choices[0]?.message;
      if (message === undefined) throw new Error('no answer');
      expect(message.tool_calls).toHaveLength(2);
      messages.push(message);
      for (const call of message.tool_calls ?? [])
        messages.push({ role: 'tool', tool_call_id: call.id, content: `rain ${turn}` });
    }
    fixture.vendor.on(converse(CLAUDE, true), awsStream(TEXT_FRAMES));
    await fixture.openai.chat.completions.create({ ...body, messages, stream: true });
    const sent = fixture.vendor.last(converse(CLAUDE, true)).body;
    const turns = sent['messages'] as readonly {
      readonly role: string;
      readonly content: readonly unknown[];
    }[];
    expect(turns.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'user',
      'assistant',
      'user',
      'assistant',
      'user',
    ]);
    for (const turn of [1, 3, 5]) expect(turns[turn]?.content[0]).toEqual(thought);
    expect(turns[6]?.content).toEqual([
      { toolResult: { toolUseId: 't1', content: [{ text: 'rain 3' }] } },
      { toolResult: { toolUseId: 't2', content: [{ text: 'rain 3' }] } },
    ]);
    expect(sent['additionalModelRequestFields']).toEqual({
      thinking: { type: 'enabled', budget_tokens: 4_096 },
    });
  });

  it('an API key is sent as it is, to its own region', async () => {
    fixture.vendor.on(
      converse(API_KEY_MODEL),
      json({
        output: { message: { content: [{ text: 'Bonjour' }] } },
        stopReason: 'end_turn',
        usage: usage(1, 1),
      }),
    );
    await fixture.openai.chat.completions.create({ model: API_KEY_MODEL, messages: question });
    expect(fixture.vendor.last(converse(API_KEY_MODEL)).headers['authorization']).toBe(
      'Bearer api-key-of-bedrock',
    );
  });

  it.each([
    ['throttlingException', 429, 'busy'],
    ['validationException', 400, 'vendor words'],
    ['modelStreamErrorException', 502, 'vendor words'],
  ])('%s before any answer is a failure with its own status', async (type, status, words) => {
    fixture.vendor.on(
      converse(NOVA, true),
      awsStream([
        awsFrame('messageStart', { role: 'assistant' }),
        awsFrame(type, { message: 'vendor words' }, 'exception'),
      ]),
    );
    const response = await fixture.post('/v1/chat/completions', {
      model: NOVA,
      messages: question,
      stream: true,
    });
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ error: { message: expect.stringContaining(words) } });
  });

  it.each([
    ['an exception', () => awsFrame('modelStreamErrorException', { message: 'It broke' }, 'exception')],
    [
      'a broken checksum',
      () => {
        const frame = awsFrame('contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'never' } });
        frame[frame.length - 1] = (frame[frame.length - 1] as number) ^ 0xff;
        return frame;
      },
    ],
    ['half a frame', () => TEXT_FRAMES[2]?.subarray(0, 30) ?? Buffer.alloc(0)],
  ])('ends the stream after text and %s with an error and never cleanly', async (_name, broken) => {
    fixture.vendor.on(converse(NOVA, true), awsStream([...TEXT_FRAMES.slice(0, 2), broken()]));
    const response = await fixture.post('/v1/chat/completions', {
      model: NOVA,
      messages: question,
      stream: true,
    });
    const text = await response.text();
    expect(text).toContain('"content":"Hel"');
    expect(text).toContain('"error"');
    expect(text).not.toContain('never');
    expect(text).not.toContain('[DONE]');
  });

  it('a client that leaves ends the call upstream', async () => {
    fixture.vendor.on(converse(NOVA, true), (_request, response) => {
      response.writeHead(200, { 'content-type': AWS_STREAM });
      for (const frame of TEXT_FRAMES.slice(0, 3)) response.write(frame);
    });
    const before = fixture.vendor.requests.length;
    const stream = await fixture.openai.chat.completions.create({
      model: NOVA,
      messages: question,
      stream: true,
    });
    for await (const chunk of stream) if (chunk.choices[0]?.delta.content != null) break;
    await fixture.vendor.waitUntil(() => fixture.vendor.requests[before]?.isCancelled === true);
    expect(fixture.vendor.requests).toHaveLength(before + 1);
  });

  it('reports a refusal in the caller’s shape, without the key', async () => {
    fixture.vendor.on(
      converse(NOVA),
      json({ message: `AKIDEXAMPLE12345 asked for too much` }, 400, {
        'x-amzn-errortype': 'ValidationException:http://internal.example/',
      }),
    );
    const response = await fixture.post('/v1/chat/completions', { model: NOVA, messages: question });
    const { error } = (await response.json()) as { error: { message: string; type: string } };
    expect(response.status).toBe(400);
    expect(error.type).toBe('invalid_request_error');
    expect(error.message).toContain('*** asked for too much');
  });

  it('a bound answer comes as text', async () => {
    fixture.vendor.on(
      converse(NOVA),
      json({
        output: {
          message: { content: [{ toolUse: { toolUseId: 'x', name: 'json', input: { city: 'Oslo' } } }] },
        },
        stopReason: 'tool_use',
        usage: usage(1, 1),
      }),
    );
    const answer = await fixture.openai.chat.completions.create({
      model: NOVA,
      messages: question,
      response_format: { type: 'json_schema', json_schema: { name: 'place', schema: { type: 'object' } } },
    });
    expect(answer.choices[0]).toMatchObject({
      message: { content: '{"city":"Oslo"}' },
      finish_reason: 'stop',
    });
  });
});

describe('other operations of Bedrock', () => {
  it('embeds texts one by one, signed', async () => {
    const path = `/model/${encodeURIComponent(TITAN)}/invoke`;
    fixture.vendor.on(path, json({ embedding: [0.5, 0.25], inputTextTokenCount: 3 }));
    const answer = await fixture.openai.embeddings.create({ model: TITAN, input: 'rain' });
    expect(Array.from(answer.data[0]?.embedding ?? [])).toEqual([0.5, 0.25]);
    await expectSigned(fixture.vendor.last(path));
    expect(await fixture.chargeOf(TITAN)).toMatchObject({ prompt_tokens: 3, quota: 3 });
    // The model takes one text a request.
    const both = await fixture.openai.embeddings.create({ model: TITAN, input: ['a', 'b'] });
    expect(both.data.map(({ index }) => index)).toEqual([0, 1]);
    expect(both.usage.prompt_tokens).toBe(6);
  });

  it('ranks by the agent runtime, the model named by its ARN', async () => {
    fixture.vendor.on('/rerank', json({ results: [{ index: 1, relevanceScore: 0.9 }] }));
    const response = await fixture.post('/v1/rerank', {
      model: RANK,
      query: 'q',
      documents: ['a', 'b'],
      top_n: 1,
    });
    expect(await response.json()).toMatchObject({ results: [{ index: 1, relevance_score: 0.9 }] });
    const { body } = fixture.vendor.last('/rerank');
    expect(JSON.stringify(body)).toContain(`arn:aws:bedrock:us-east-1::foundation-model/${RANK}`);
  });
});

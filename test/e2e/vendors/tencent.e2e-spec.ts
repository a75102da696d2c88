import { createHash, createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { json, sse, type VendorRequest } from './vendor-server.js';
import { VendorFixture } from './vendor.fixture.js';

const PATH = '/';
const MODEL = 'hunyuan-pro';
const SECRET_ID = 'AKIDz8krbsJ5yKBZQpn74WFkmLPx3';
const SECRET_KEY = 'Gu5t9xGARNpq86cd98joQYCN3';
const TOOL = { type: 'function' as const, function: { name: 'weather', parameters: { type: 'object' } } };
const question = [
  { role: 'system' as const, content: 'Be brief.' },
  { role: 'user' as const, content: 'Rain in Oslo?' },
];
const Usage = { PromptTokens: 30, CompletionTokens: 5, TotalTokens: 35 };
const whole = (Message: unknown, FinishReason = 'stop') => ({
  Response: { Id: 't1', Created: 1, RequestId: 'r', Usage, Choices: [{ FinishReason, Message }] },
});
const piece = (Delta: unknown, FinishReason = '') => ({
  Id: 't1',
  Created: 1,
  Usage,
  Choices: [{ Delta, FinishReason }],
});

let fixture: VendorFixture;
beforeAll(async () => {
  fixture = await VendorFixture.start([
    { type: 23, key: `1250000001|${SECRET_ID}|${SECRET_KEY}`, models: [MODEL] },
    { type: 23, key: 'an-api-key', name: 'by key', models: ['hunyuan-lite'] },
  ]);
});
afterAll(() => fixture?.stop());

const body = { model: MODEL, messages: question };

/** Signs what came once more, from the vendor's description, and compares. */
function expectSigned(request: VendorRequest): void {
  const { authorization, host, 'x-tc-timestamp': time, 'content-type': type } = request.headers;
  const hash = (data: Buffer | string) => createHash('sha256').update(data).digest('hex');
  const mac = (key: Buffer | string, data: string) => createHmac('sha256', key).update(data).digest();
  const day = new Date(Number(time) * 1_000).toISOString().slice(0, 10);
  const lines = `content-type:${type}\nhost:${host}\nx-tc-action:chatcompletions\n`;
  const canonical = `POST\n/\n\n${lines}\ncontent-type;host;x-tc-action\n${hash(request.bytes)}`;
  const scope = `${day}/hunyuan/tc3_request`;
  const key = mac(mac(mac(`TC3${SECRET_KEY}`, day), 'hunyuan'), 'tc3_request');
  const signature = mac(key, `TC3-HMAC-SHA256\n${time}\n${scope}\n${hash(canonical)}`).toString('hex');
  expect(authorization).toBe(
    `TC3-HMAC-SHA256 Credential=${SECRET_ID}/${scope}, SignedHeaders=content-type;host;x-tc-action, Signature=${signature}`,
  );
  expect(request.headers).toMatchObject({ 'x-tc-action': 'ChatCompletions', 'x-tc-version': '2023-09-01' });
  expect(Math.abs(Number(time) * 1_000 - Date.now())).toBeLessThan(60_000);
}

describe('Tencent Hunyuan with the cloud’s own keys', () => {
  it('signs exactly what it sends, and answers whole', async () => {
    fixture.vendor.on(PATH, json(whole({ Role: 'assistant', Content: 'Rain.' })));
    const answer = await fixture.openai.chat.completions.create({ ...body, temperature: 0.5 });
    expect(answer).toMatchObject({
      id: 't1',
      choices: [{ message: { content: 'Rain.' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 30, completion_tokens: 5 },
    });
    const request = fixture.vendor.last(PATH);
    expectSigned(request);
    expect(request.body).toEqual({
      Model: MODEL,
      Stream: false,
      Temperature: 0.5,
      Messages: [
        { Role: 'system', Content: 'Be brief.' },
        { Role: 'user', Content: 'Rain in Oslo?' },
      ],
    });
    expect(JSON.stringify(request.headers)).not.toContain(SECRET_KEY);
    expect(await fixture.chargeOf(MODEL)).toMatchObject({ quota: 40 });
  });

  it('streams text, thoughts and a call', async () => {
    const call = (Arguments: string, more = {}) => ({
      ToolCalls: [{ Index: 0, ...more, Function: { Name: 'Id' in more ? 'weather' : '', Arguments } }],
    });
    fixture.vendor.on(
      PATH,
      sse([
        piece({ Role: 'assistant', ReasoningContent: 'Hm.' }),
        piece({ Role: 'assistant', Content: 'I look.' }),
        piece(call('{"city":', { Id: 'c1', Type: 'function' })),
        piece(call('"Oslo"}')),
        piece({ Role: 'assistant', Content: '' }, 'tool_calls'),
      ]),
    );
    const stream = fixture.openai.chat.completions.stream({
      ...body,
      tools: [TOOL],
      stream_options: { include_usage: true },
    });
    const completion = await stream.finalChatCompletion();
    expect(completion.choices[0]).toMatchObject({
      finish_reason: 'tool_calls',
      message: {
        content: 'I look.',
        reasoning_content: 'Hm.',
        tool_calls: [{ id: 'c1', function: { name: 'weather', arguments: '{"city":"Oslo"}' } }],
      },
    });
    expect(completion.usage).toMatchObject({ prompt_tokens: 30, completion_tokens: 5 });
    expectSigned(fixture.vendor.last(PATH));
    expect(fixture.vendor.last(PATH).body['Tools']).toEqual([
      { Type: 'function', Function: { Name: 'weather', Parameters: expect.stringContaining('object') } },
    ]);
    expect(await fixture.chargeOf(MODEL, 2)).toMatchObject({ quota: 40 });
  });

  it.each([
    ['a refused signature', 'AuthFailure.SignatureFailure', 401],
    ['a spent account', 'FailedOperation.ResourcePackExhausted', 402],
    ['a limit', 'LimitExceeded', 429],
    ['a bad parameter', 'InvalidParameterValue.Model', 400],
    ['a failure inside', 'InternalError', 500],
  ])('reports %s in a 200 under its own status', async (_name, Code, status) => {
    const failure = { Code, Message: `said of ${SECRET_KEY}` };
    fixture.vendor.on(PATH, json({ Response: { Error: failure, RequestId: 'r' } }));
    const path = `/api/channel/test/1?model=${MODEL}`;
    const test = await fixture.admin.sendRaw<{ message: string }>('GET', path);
    expect(test.message).toBe(`The provider answered ${status}: said of ***`);
    for (const stream of [false, true]) {
      const response = await fixture.post('/v1/chat/completions', { ...body, stream });
      expect(response.status).toBeGreaterThanOrEqual(400);
      expect(await response.text()).not.toContain(SECRET_KEY);
    }
  });

  it('a stream cut in the middle is paid for as far as it came', async () => {
    fixture.vendor.on(PATH, (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const { Usage: _usage, ...first } = piece({ Role: 'assistant', Content: 'Rain' });
      response.write(`data: ${JSON.stringify(first)}\n\n`);
      response.write(': cut', () => response.socket?.destroy());
    });
    const response = await fixture.post('/v1/chat/completions', { ...body, stream: true });
    expect(await response.text()).toContain('error');
    const charge = await fixture.chargeOf(MODEL, 3);
    expect(charge.quota).toBe(charge.prompt_tokens + 2 * charge.completion_tokens);
  });

  it('an API key is served as before, and the books are right', async () => {
    fixture.vendor.on(
      '/v1/chat/completions',
      json({
        id: 'k',
        object: 'chat.completion',
        created: 1,
        model: 'hunyuan-lite',
        choices: [{ index: 0, message: { role: 'assistant', content: 'Rain.' }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 30, completion_tokens: 5, total_tokens: 35 },
      }),
    );
    await fixture.openai.chat.completions.create({ model: 'hunyuan-lite', messages: question });
    expect(fixture.vendor.last('/v1/chat/completions').headers['authorization']).toBe('Bearer an-api-key');
    expect(await fixture.chargeOf('hunyuan-lite')).toMatchObject({ quota: 40 });
    expect(await fixture.wrongBooks()).toEqual([]);
  });
});

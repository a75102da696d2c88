import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { json, sse, type VendorAnswer } from './vendor-server.js';
import { VendorFixture } from './vendor.fixture.js';

const CHAT = '/rpc/2.0/ai_custom/v1/wenxinworkshop/chat';
const PATH = `${CHAT}/completions`;
const TOKEN = '/oauth/2.0/token';
const MODEL = 'ERNIE-3.5-8K';
const TOOL = { type: 'function' as const, function: { name: 'weather', parameters: { type: 'object' } } };
const question = [
  { role: 'system' as const, content: 'Be brief.' },
  { role: 'user' as const, content: 'Rain in Oslo?' },
];
const usage = { prompt_tokens: 30, completion_tokens: 5, total_tokens: 35 };
const whole = { id: 'as-1', created: 1, result: 'Rain.', is_truncated: false, usage };
const piece = (sentence: number, result: string, more = {}) => ({
  id: 'as-1',
  created: 1,
  sentence_id: sentence,
  is_end: false,
  result,
  ...more,
});

let fixture: VendorFixture;
let tokens = 0;
const grant: VendorAnswer = (request, response) => {
  tokens += 1;
  return json({ access_token: `24.token-${tokens}`, expires_in: 2_592_000 })(request, response);
};

beforeAll(async () => {
  fixture = await VendorFixture.start([
    { type: 15, key: 'the-client-id|the-client-secret', models: [MODEL, 'ERNIE-4.0-8K', 'Embedding-V1'] },
  ]);
  fixture.vendor.on(TOKEN, grant);
});
afterAll(() => fixture?.stop());

const body = { model: MODEL, messages: question };

describe('Baidu, first interface', () => {
  it('exchanges its pair of keys once, and answers whole', async () => {
    fixture.vendor.on(PATH, json(whole));
    for (let call = 0; call < 2; call += 1) {
      const answer = await fixture.openai.chat.completions.create({ ...body, temperature: 0, max_tokens: 1 });
      expect(answer).toMatchObject({
        id: 'as-1',
        choices: [{ message: { content: 'Rain.' }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 30, completion_tokens: 5 },
      });
    }
    const exchanges = fixture.vendor.requests.filter(({ path }) => path.startsWith(TOKEN));
    expect(exchanges.map(({ path }) => path)).toEqual([
      `${TOKEN}?grant_type=client_credentials&client_id=the-client-id&client_secret=the-client-secret`,
    ]);
    const request = fixture.vendor.last(PATH);
    expect(request.path).toBe(`${PATH}?access_token=24.token-1`);
    expect(request.headers).not.toHaveProperty('authorization');
    expect(request.body).toEqual({
      messages: [question[1]],
      system: 'Be brief.',
      stream: false,
      temperature: 0.01,
      max_output_tokens: 2,
    });
    expect(await fixture.chargeOf(MODEL, 2)).toMatchObject({ quota: 40 });
  });

  it('streams, with the figures of the last piece', async () => {
    fixture.vendor.on(
      `${CHAT}/completions_pro`,
      sse([
        piece(0, 'Ra', { usage: { ...usage, completion_tokens: 1 } }),
        piece(1, 'in.', { usage: { ...usage, completion_tokens: 4 } }),
        piece(2, '', { usage, is_end: true }),
      ]),
    );
    const stream = fixture.openai.chat.completions.stream({
      model: 'ERNIE-4.0-8K',
      messages: question,
      stream_options: { include_usage: true },
    });
    const completion = await stream.finalChatCompletion();
    expect(completion.choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: 'Rain.' } });
    expect(completion.usage).toMatchObject({ prompt_tokens: 30, completion_tokens: 5 });
    expect(await fixture.chargeOf('ERNIE-4.0-8K')).toMatchObject({ quota: 40 });
  });

  it('calls tools as functions, one per turn, and reads their results in the user’s place', async () => {
    const call = { name: 'weather', arguments: '{"city":"Oslo"}', thoughts: 'I look.' };
    fixture.vendor.on(
      PATH,
      json({ ...whole, result: '', finish_reason: 'function_call', function_call: call }),
    );
    const history = ['Oslo', 'Bergen'].map((city, at) => ({
      id: `c${at}`,
      type: 'function' as const,
      function: { name: 'weather', arguments: JSON.stringify({ city }) },
    }));
    const answer = await fixture.openai.chat.completions.create({
      model: MODEL,
      tools: [TOOL],
      messages: [
        { role: 'user', content: 'one' },
        { role: 'user', content: 'two' },
        { role: 'assistant', content: null, tool_calls: history },
        { role: 'tool', tool_call_id: 'c0', content: 'rain' },
        { role: 'tool', tool_call_id: 'c1', content: 'snow' },
      ],
    });
    expect(answer.choices[0]).toMatchObject({
      finish_reason: 'tool_calls',
      message: { tool_calls: [{ function: { name: 'weather', arguments: '{"city":"Oslo"}' } }] },
    });
    const sent = fixture.vendor.last(PATH).body;
    expect(sent['functions']).toMatchObject([{ name: 'weather' }]);
    expect(sent['messages']).toMatchObject([
      { role: 'user', content: 'one\ntwo' },
      { role: 'assistant', function_call: { name: 'weather', arguments: '{"city":"Oslo"}' } },
      { role: 'function', name: 'weather', content: 'rain' },
      { role: 'assistant', function_call: { name: 'weather', arguments: '{"city":"Bergen"}' } },
      { role: 'function', name: 'weather', content: 'snow' },
    ]);
  });

  it('embeds, and is charged by its own figures', async () => {
    const row = (index: number, embedding: readonly number[]) => ({ index, embedding, object: 'embedding' });
    fixture.vendor.on(
      '/rpc/2.0/ai_custom/v1/wenxinworkshop/embeddings/embedding-v1',
      json({ data: [row(1, [3, 4]), row(0, [1, 2])], usage: { prompt_tokens: 4, total_tokens: 4 } }),
    );
    const answer = await fixture.openai.embeddings.create({ model: 'Embedding-V1', input: ['a', 'b'] });
    expect(answer.data.map(({ embedding }) => Array.from(embedding))).toEqual([
      [1, 2],
      [3, 4],
    ]);
    expect(await fixture.chargeOf('Embedding-V1')).toMatchObject({ quota: 4 });
  });

  it.each([
    ['a refused key', 14, 403],
    ['a limit of requests', 18, 429],
    ['a bad parameter', 336_003, 400],
    ['a prompt that is too long', 336_103, 400],
    ['an overload', 336_100, 503],
  ])('reports %s in a 200 under its own status', async (_name, code, status) => {
    fixture.vendor.on(PATH, json({ error_code: code, error_msg: 'said of the-client-secret', id: 'as' }));
    const test = await fixture.admin.sendRaw<{ message: string }>(
      'GET',
      `/api/channel/test/1?model=${MODEL}`,
    );
    expect(test.message).toBe(`The provider answered ${status}: said of ***`);
    for (const stream of [false, true]) {
      const response = await fixture.post('/v1/chat/completions', { ...body, stream });
      expect(response.status).toBeGreaterThanOrEqual(400);
      expect(await response.text()).not.toMatch(/the-client|24\.token/);
    }
  });

  it.each([
    [110, false],
    [111, false],
    [110, true],
  ])(
    'repeats a call whose token has ended (%i, streamed: %s) once with another token, and charges it once',
    async (code, stream) => {
      const before = tokens;
      const asked = fixture.vendor.requests.length;
      const ended = json({ error_code: code, error_msg: 'Access token invalid or no longer valid' });
      const answer = stream ? sse([piece(0, 'Rain.', { usage, is_end: true })]) : json(whole);
      fixture.vendor.on(PATH, (request, response) => {
        const isFresh = request.path.endsWith(`access_token=24.token-${before + 1}`);
        return (isFresh ? answer : ended)(request, response);
      });
      const lines = (await fixture.charges(MODEL)).length;
      const response = await fixture.post('/v1/chat/completions', { ...body, stream });
      expect(response.status).toBe(200);
      expect(await response.text()).toContain('Rain.');
      const sent = fixture.vendor.requests.slice(asked).map(({ path }) => path.split('?', 1)[0]);
      expect(sent).toEqual([PATH, TOKEN, PATH]);
      expect(tokens).toBe(before + 1);
      expect(await fixture.chargeOf(MODEL, lines + 1)).toMatchObject({ quota: 40 });
      expect(await fixture.charges(MODEL)).toHaveLength(lines + 1);
    },
  );

  it('stops after a second refused token, and charges nothing', async () => {
    const lines = (await fixture.charges(MODEL)).length;
    const asked = fixture.vendor.requests.length;
    fixture.vendor.on(PATH, json({ error_code: 110, error_msg: 'Access token invalid or no longer valid' }));
    expect((await fixture.post('/v1/chat/completions', body)).status).toBeGreaterThanOrEqual(500);
    const sent = fixture.vendor.requests.slice(asked).map(({ path }) => path.split('?', 1)[0]);
    expect(sent).toEqual([PATH, TOKEN, PATH]);
    fixture.vendor.on(PATH, json(whole));
    expect((await fixture.post('/v1/chat/completions', body)).status).toBe(200);
    await fixture.chargeOf(MODEL, lines + 1);
    expect(await fixture.charges(MODEL)).toHaveLength(lines + 1);
  });

  it('another failure is not sent again', async () => {
    const asked = fixture.vendor.requests.length;
    fixture.vendor.on(PATH, json({ error_code: 336_100, error_msg: 'overloaded' }));
    await fixture.post('/v1/chat/completions', body);
    expect(fixture.vendor.requests).toHaveLength(asked + 1);
  });

  it('a stream cut in the middle is paid for as far as it came, and the books are right', async () => {
    fixture.vendor.on(`${CHAT}/completions_pro`, (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`data: ${JSON.stringify(piece(0, 'Rain'))}\n\n`);
      response.write(': cut', () => response.socket?.destroy());
    });
    const asked = { model: 'ERNIE-4.0-8K', messages: question, stream: true };
    expect(await (await fixture.post('/v1/chat/completions', asked)).text()).toContain('error');
    const charge = await fixture.chargeOf('ERNIE-4.0-8K', 2);
    expect(charge.quota).toBe(charge.prompt_tokens + 2 * charge.completion_tokens);
    expect(await fixture.wrongBooks()).toEqual([]);
  });

  it('a key of another form is refused when it is saved, with the right one', async () => {
    const channel = { base_url: fixture.vendor.url, type: 15, key: 'only-one', models: [MODEL] };
    await expect(fixture.admin.addChannel(channel)).rejects.toThrow(/must have the form API key\|Secret key/);
  });
});

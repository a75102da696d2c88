import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { json, sse, type VendorAnswer } from './vendor-server.js';
import { VendorFixture } from './vendor.fixture.js';

const PATH = '/v1/chat/completions';
const question = [{ role: 'user' as const, content: 'Rain in Oslo?' }];
const usage = { prompt_tokens: 30, completion_tokens: 5, total_tokens: 35 };

let fixture: VendorFixture;
beforeAll(async () => {
  fixture = await VendorFixture.start([
    {
      type: 18,
      key: 'app-1|the-api-secret|the-api-key',
      models: ['SparkDesk', 'SparkDesk-v3.5', 'x1', 'SparkDesk-x1'],
    },
    {
      type: 18,
      key: 'app-1|the-api-secret|the-api-key',
      other: 'x1',
      name: 'x1',
      model_mapping: { 'SparkDesk-thinks': 'SparkDesk' },
      models: ['SparkDesk-thinks'],
    },
    { type: 18, key: 'the-password', other: 'v4.0', name: 'password', models: ['SparkDesk-own', 'lite'] },
    {
      type: 18,
      key: 'app-1|the-api-secret|the-api-key',
      other: 'v3.1',
      name: 'v3',
      model_mapping: { 'spark-three': 'SparkDesk' },
      models: ['spark-three'],
    },
  ]);
});
afterAll(() => fixture?.stop());

const piece = (content: string, more = {}) => ({
  code: 0,
  message: 'Success',
  sid: 's1',
  ...more,
  choices: [{ index: 0, delta: { role: 'assistant', content } }],
});
const whole = {
  code: 0,
  message: 'Success',
  sid: 's1',
  usage,
  choices: [{ index: 0, message: { role: 'assistant', content: 'Rain.' } }],
};
const done =
  (events: readonly unknown[]): VendorAnswer =>
  (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of events) response.write(`data: ${JSON.stringify(event)}\n\n`);
    response.end('data: [DONE]\n\n');
  };

describe('Spark', () => {
  it('opens its HTTP interface with the key and the secret of the older one', async () => {
    fixture.vendor.on(PATH, json(whole));
    const answer = await fixture.openai.chat.completions.create({
      model: 'SparkDesk-v3.5',
      messages: question,
    });
    expect(answer).toMatchObject({
      id: expect.stringMatching(/./),
      object: 'chat.completion',
      choices: [{ message: { content: 'Rain.' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 30, completion_tokens: 5 },
    });
    expect(fixture.vendor.last(PATH).headers['authorization']).toBe('Bearer the-api-key:the-api-secret');
    expect(fixture.vendor.last(PATH).body).toMatchObject({ model: 'generalv3.5', messages: question });
    expect(await fixture.chargeOf('SparkDesk-v3.5')).toMatchObject({ quota: 40 });
  });

  it.each([
    ['SparkDesk', 'generalv2', PATH],
    ['spark-three', 'generalv3', PATH],
    ['lite', 'lite', PATH],
    ['x1', 'x1', '/v2/chat/completions'],
    ['SparkDesk-x1', 'x1', '/v2/chat/completions'],
    ['SparkDesk-thinks', 'x1', '/v2/chat/completions'],
  ])('sends %s as %s to %s', async (model, name, path) => {
    fixture.vendor.on(path, json(whole));
    await fixture.openai.chat.completions.create({ model, messages: question });
    expect(fixture.vendor.last(path).body).toMatchObject({ model: name });
    expect(await fixture.chargeOf(model)).toMatchObject({ quota: 40 });
  });

  it('a key without bars is the password', async () => {
    fixture.vendor.on(PATH, json(whole));
    await fixture.openai.chat.completions.create({ model: 'lite', messages: question });
    expect(fixture.vendor.last(PATH).headers['authorization']).toBe('Bearer the-password');
  });

  it('streams, with the figures of its last frame', async () => {
    fixture.vendor.on(PATH, done([piece('Ra'), piece('in.'), piece('', { usage })]));
    const stream = fixture.openai.chat.completions.stream({
      model: 'SparkDesk-v3.5',
      messages: question,
      stream_options: { include_usage: true },
    });
    const completion = await stream.finalChatCompletion();
    expect(completion).toMatchObject({ choices: [{ message: { content: 'Rain.' } }] });
    expect(completion.usage).toMatchObject({ prompt_tokens: 30, completion_tokens: 5 });
    expect(fixture.vendor.last(PATH).body).not.toHaveProperty('stream_options');
    expect(await fixture.chargeOf('SparkDesk-v3.5', 2)).toMatchObject({ quota: 40 });
  });

  it.each([
    ['no licence', { code: 11200, message: 'no licence for the-api-secret' }, 403],
    ['a daily limit', { code: 11201, message: 'daily limit' }, 402],
    ['a rate limit', { code: 11202, message: 'too fast' }, 429],
    ['words it refuses', { code: 10013, message: 'sensitive' }, 400],
    ['an overload', { code: 10110, message: 'busy' }, 503],
  ])('reports %s in a 200 under its own status, streamed or not', async (_name, failure, status) => {
    for (const answer of [json({ ...failure, sid: 's' }), sse([{ ...failure, sid: 's' }])]) {
      fixture.vendor.on(PATH, answer);
      const path = '/api/channel/test/1?model=SparkDesk-v3.5';
      const test = await fixture.admin.sendRaw<{ message: string }>('GET', path);
      expect(test.message).toContain(`The provider answered ${status}: `);
      expect(test.message).not.toContain('the-api-secret');
      const body = { model: 'SparkDesk-v3.5', messages: question, stream: true };
      const response = await fixture.post('/v1/chat/completions', body);
      expect(response.status).toBeGreaterThanOrEqual(400);
    }
  });

  it('a stream cut in the middle is paid for as far as it came', async () => {
    fixture.vendor.on(PATH, (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`data: ${JSON.stringify(piece('Rain'))}\n\n`);
      response.write(': cut', () => response.socket?.destroy());
    });
    const body = { model: 'SparkDesk-v3.5', messages: question, stream: true };
    expect(await (await fixture.post('/v1/chat/completions', body)).text()).toContain('error');
    const charge = await fixture.chargeOf('SparkDesk-v3.5', 3);
    expect(charge.quota).toBe(charge.prompt_tokens + 2 * charge.completion_tokens);
    expect(await fixture.wrongBooks()).toEqual([]);
  });

  it('a key of another form is refused when it is saved, with the right one', async () => {
    const channel = { base_url: fixture.vendor.url, type: 18, key: 'app|secret', models: ['lite'] };
    await expect(fixture.admin.addChannel(channel)).rejects.toThrow(
      /must have the form APPID\|APISecret\|APIKey/,
    );
  });
});

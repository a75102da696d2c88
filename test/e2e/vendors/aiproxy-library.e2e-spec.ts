import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { json, sse } from './vendor-server.js';
import { VendorFixture } from './vendor.fixture.js';

const PATH = '/api/library/ask';
const MODEL = 'library-model';
const question = [{ role: 'user' as const, content: 'Rain in Oslo?' }];
const documents = [
  { title: 'Weather', url: 'https://a.example/weather' },
  { title: 'Oslo', url: 'https://a.example/oslo', content: 'It rains.' },
];
const whole = { success: true, answer: 'Rain.', documents };
const piece = (content: string, more = {}) => ({ content, finish: false, model: 'gpt-x', ...more });
const pieces = [piece('Ra'), piece('in.', { documents }), piece('', { finish: true, documents })];
const cited = documents.map(({ title, url }) => ({
  type: 'url_citation',
  url_citation: expect.objectContaining({ title, url }),
}));

let fixture: VendorFixture;
beforeAll(async () => {
  fixture = await VendorFixture.start([{ type: 21, key: 'sk-library', other: '6509-lib', models: [MODEL] }]);
});
afterAll(() => fixture?.stop());

const body = { model: MODEL, messages: question };

/** Charge by our own count: ratio 1, completions double. */
async function expectCounted(count: number): Promise<void> {
  const charge = await fixture.chargeOf(MODEL, count);
  expect(charge.prompt_tokens).toBeGreaterThan(0);
  expect(charge.completion_tokens).toBeGreaterThan(0);
  expect(charge.quota).toBe(charge.prompt_tokens + 2 * charge.completion_tokens);
}

describe('AI Proxy library', () => {
  it('asks its library one question, cites its documents, and is charged by our own count', async () => {
    fixture.vendor.on(PATH, json(whole));
    const answer = await fixture.openai.chat.completions.create(body);
    expect(answer.choices[0]).toMatchObject({
      finish_reason: 'stop',
      message: { content: 'Rain.', annotations: cited },
    });
    const request = fixture.vendor.last(PATH);
    expect(request.headers['authorization']).toBe('Bearer sk-library');
    expect(request.body).toEqual({
      model: MODEL,
      query: 'Rain in Oslo?',
      libraryId: '6509-lib',
      stream: false,
    });
    await expectCounted(1);
  });

  it('streams, with its documents named once', async () => {
    fixture.vendor.on(PATH, sse(pieces));
    const stream = fixture.openai.chat.completions.stream(body);
    const completion = await stream.finalChatCompletion();
    expect(completion.choices[0]).toMatchObject({
      finish_reason: 'stop',
      message: { content: 'Rain.' },
    });
    expect(fixture.vendor.last(PATH).body['stream']).toBe(true);
    const response = await fixture.post('/v1/chat/completions', { ...body, stream: true });
    const text = await response.text();
    expect(text.split('https://a.example/weather')).toHaveLength(2);
    await expectCounted(3);
  });

  it('sends a conversation line by line, and refuses content other than text', async () => {
    fixture.vendor.on(PATH, json(whole));
    await fixture.openai.chat.completions.create({
      model: MODEL,
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Rain?' },
        { role: 'assistant', content: 'Where?' },
        { role: 'user', content: 'Oslo' },
      ],
    });
    expect(fixture.vendor.last(PATH).body['query']).toBe(
      'SYSTEM:\nBe brief.\nUSER:\nRain?\nASSISTANT:\nWhere?\nUSER:\nOslo',
    );
    const sent = fixture.vendor.requests.length;
    const picture = { type: 'image_url', image_url: { url: 'https://a.example/b.png' } };
    const shown = { model: MODEL, messages: [{ role: 'user', content: [picture] }] };
    expect((await fixture.post('/v1/chat/completions', shown)).status).toBe(400);
    expect(fixture.vendor.requests).toHaveLength(sent);
    await expectCounted(4);
  });

  it.each([
    ['a refused key', { success: false, errCode: 401, message: 'invalid key' }, 401],
    ['a rate limit', { success: false, errCode: '429', message: 'slow down' }, 429],
    ['a bad question', { success: false, errCode: 400, message: 'libraryId is wrong' }, 400],
    ['a failure with a code of its own', { success: false, errCode: 90_001, message: 'it broke' }, 502],
  ])('reports %s in a 200 under its own status', async (_name, failure, status) => {
    fixture.vendor.on(PATH, json(failure));
    const test = await fixture.admin.sendRaw<{ message: string }>(
      'GET',
      `/api/channel/test/1?model=${MODEL}`,
    );
    expect(test.message).toContain(failure.message);
    if (status !== 502) expect(test.message).toBe(`The provider answered ${status}: ${failure.message}`);
    for (const stream of [false, true]) {
      const response = await fixture.post('/v1/chat/completions', { ...body, stream });
      expect(response.status).toBeGreaterThanOrEqual(400);
      expect(await response.text()).not.toContain('sk-library');
    }
  });

  it('a failure in the first piece of a stream is no answer', async () => {
    fixture.vendor.on(PATH, sse([{ success: false, errCode: 400, message: 'libraryId is wrong' }]));
    const response = await fixture.post('/v1/chat/completions', { ...body, stream: true });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('libraryId is wrong');
  });

  it('tests it by a question', async () => {
    fixture.vendor.on(PATH, json(whole));
    const test = await fixture.admin.sendRaw<{ success: boolean }>(
      'GET',
      `/api/channel/test/1?model=${MODEL}`,
    );
    expect(test.success).toBe(true);
  });

  it('a stream cut in the middle is paid for as far as it came, and the books are right', async () => {
    fixture.vendor.on(PATH, (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`data: ${JSON.stringify(piece('Rain in the north'))}\n\n`);
      response.write(': cut', () => response.socket?.destroy());
    });
    const response = await fixture.post('/v1/chat/completions', { ...body, stream: true });
    expect(await response.text()).toContain('error');
    await expectCounted(5);
    expect(await fixture.wrongBooks()).toEqual([]);
  });

  it('a channel without a library is refused when it is saved', async () => {
    const channel = { base_url: fixture.vendor.url, type: 21, key: 'sk-x', models: [MODEL] };
    await expect(fixture.admin.addChannel(channel)).rejects.toThrow(/needs its extra field/);
    await expect(fixture.admin.addChannel({ ...channel, other: '1', key: 'sk x\u00e9' })).rejects.toThrow();
  });
});

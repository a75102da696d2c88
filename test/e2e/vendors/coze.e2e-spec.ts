import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { json, type VendorAnswer } from './vendor-server.js';
import { VendorFixture } from './vendor.fixture.js';

const PATH = '/v3/chat';
const question = [
  { role: 'system' as const, content: 'Be brief.' },
  { role: 'user' as const, content: 'Rain in Oslo?' },
];
const answered = (content: string, more = {}) => ({
  id: 'm1',
  chat_id: 'chat-1',
  role: 'assistant',
  type: 'answer',
  content,
  ...more,
});
type Named = readonly [name: string, data: unknown];
const PIECES: readonly Named[] = [
  ['conversation.chat.created', { id: 'chat-1', conversation_id: 'k', status: 'created' }],
  ['conversation.message.delta', answered('', { reasoning_content: 'Hm.' })],
  ['conversation.message.delta', answered('Ra')],
  ['conversation.message.delta', answered('in.')],
];
const END: readonly Named[] = [
  ['conversation.message.completed', answered('Rain.')],
  ['conversation.message.completed', { ...answered('What else?'), type: 'follow_up' }],
  [
    'conversation.message.completed',
    { ...answered('{"msg_type":"generate_answer_finish"}'), type: 'verbose' },
  ],
  [
    'conversation.chat.completed',
    { id: 'chat-1', status: 'completed', usage: { token_count: 35, input_count: 30, output_count: 5 } },
  ],
  ['done', '[DONE]'],
];
/** Names stand before their data; the connection breaks instead of ending where `isCut`. */
const named =
  (events: readonly Named[], isCut = false): VendorAnswer =>
  (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const [name, data] of events) response.write(`event:${name}\ndata:${JSON.stringify(data)}\n\n`);
    if (isCut) response.write('event:', () => response.socket?.destroy());
    else response.end();
  };

let fixture: VendorFixture;
beforeAll(async () => {
  fixture = await VendorFixture.start([
    { type: 49, key: 'pat_of_the_bot', other: 'bot-7', models: ['coze-bot'] },
  ]);
});
afterAll(() => fixture?.stop());

const body = { model: 'coze-bot', messages: question };

describe('Coze', () => {
  it('streams the words of its answer once, thoughts apart, and is charged by its own figures', async () => {
    fixture.vendor.on(PATH, named(PIECES.concat(END)));
    const stream = fixture.openai.chat.completions.stream({
      ...body,
      stream_options: { include_usage: true },
    });
    const completion = await stream.finalChatCompletion();
    expect(completion).toMatchObject({
      id: 'chat-1',
      choices: [{ finish_reason: 'stop', message: { content: 'Rain.', reasoning_content: 'Hm.' } }],
      usage: { prompt_tokens: 30, completion_tokens: 5 },
    });
    const request = fixture.vendor.last(PATH);
    expect(request.headers['authorization']).toBe('Bearer pat_of_the_bot');
    expect(request.body).toEqual({
      bot_id: 'bot-7',
      user_id: expect.stringMatching(/^caller-/),
      stream: true,
      auto_save_history: false,
      additional_messages: [
        { role: 'user', type: 'question', content: 'Be brief.', content_type: 'text' },
        { role: 'user', type: 'question', content: 'Rain in Oslo?', content_type: 'text' },
      ],
    });
    expect(await fixture.chargeOf('coze-bot')).toMatchObject({ quota: 40, prompt_tokens: 30 });
  });

  it('a whole answer is collected from a stream', async () => {
    fixture.vendor.on(PATH, named(PIECES.concat(END)));
    const answer = await fixture.openai.chat.completions.create(body);
    expect(answer).toMatchObject({
      choices: [{ message: { content: 'Rain.' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 30, completion_tokens: 5 },
    });
    expect(fixture.vendor.last(PATH).body['stream']).toBe(true);
    expect(await fixture.chargeOf('coze-bot', 2)).toMatchObject({ quota: 40 });
  });

  it('an answer that comes in one message only is one; figures of zero are counted by us', async () => {
    const silent = { id: 'chat-1', usage: { token_count: 0, input_count: 0, output_count: 0 } };
    fixture.vendor.on(
      PATH,
      named([END[0] ?? ['', {}], ['conversation.chat.completed', silent], ['done', '[DONE]']]),
    );
    const answer = await fixture.openai.chat.completions.create(body);
    expect(answer.choices[0]?.message.content).toBe('Rain.');
    const { quota, prompt_tokens: asked, completion_tokens: given } = await fixture.chargeOf('coze-bot', 3);
    expect(given).toBeGreaterThan(0);
    expect(quota).toBe(asked + 2 * given);
  });

  it('sends images by their address; refuses bytes before anything is sent', async () => {
    fixture.vendor.on(PATH, named(PIECES.concat(END)));
    const shown = (url: string) => ({
      model: 'coze-bot',
      messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }],
    });
    const sent = fixture.vendor.requests.length;
    expect((await fixture.post('/v1/chat/completions', shown('data:image/png;base64,AA=='))).status).toBe(
      400,
    );
    expect(fixture.vendor.requests).toHaveLength(sent);
    await fixture.post('/v1/chat/completions', shown('https://a.example/b.png'));
    expect(fixture.vendor.last(PATH).body['additional_messages']).toEqual([
      {
        role: 'user',
        type: 'question',
        content_type: 'object_string',
        content: JSON.stringify([{ type: 'image', file_url: 'https://a.example/b.png' }]),
      },
    ]);
  });

  it.each([
    ['a refused key', { code: 4100, msg: 'authentication is invalid' }, 401],
    ['a spent account', { code: 4028, msg: 'no balance' }, 402],
    ['a rate limit', { code: 4013, msg: 'too many' }, 429],
    ['a bad request', { code: 4000, msg: 'bot_id is wrong' }, 400],
    ['a failure inside', { code: 5000, msg: 'inside' }, 500],
    ['a model at its limit', { code: 702232001, msg: 'model busy' }, 429],
  ])('reports %s in a 200 under its own status', async (_name, failure, upstreamStatus) => {
    fixture.vendor.on(PATH, json({ ...failure, detail: { logid: 'l' } }));
    const test = await fixture.admin.sendRaw<{ success: boolean; message: string }>(
      'GET',
      '/api/channel/test/1?model=coze-bot',
    );
    expect(test.message).toBe(`The provider answered ${upstreamStatus}: ${failure.msg}`);
    const response = await fixture.post('/v1/chat/completions', body);
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(JSON.stringify(await response.json())).not.toContain('pat_of_the_bot');
  });

  it.each([
    ['a failed chat', 'conversation.chat.failed', { last_error: { code: 4000, msg: 'bad words' } }],
    ['a tool of the bot', 'conversation.chat.requires_action', { id: 'chat-1', required_action: {} }],
    ['an error', 'error', { code: 4000, msg: 'bad words' }],
  ])('%s is no answer', async (_name, event, data) => {
    fixture.vendor.on(PATH, named([PIECES[0] ?? ['', {}], [event, data]]));
    const response = await fixture.post('/v1/chat/completions', { ...body, stream: true });
    expect(response.status).toBe(400);
    expect(JSON.stringify(await response.json())).toMatch(/bad words|a tool of its own/);
  });

  it('reports a stream cut in the middle as an error, and charges the received part', async () => {
    fixture.vendor.on(PATH, named(PIECES, true));
    const response = await fixture.post('/v1/chat/completions', { ...body, stream: true });
    const text = await response.text();
    expect(text).toContain('Ra');
    expect(text).toContain('error');
    const charge = await fixture.chargeOf('coze-bot', 5);
    expect(charge.quota).toBe(charge.prompt_tokens + 2 * charge.completion_tokens);
    expect(charge.completion_tokens).toBeGreaterThan(0);
  });

  it('a client that leaves stops the chat at the vendor', async () => {
    const CANCEL = '/v3/chat/cancel';
    const before = (await fixture.charges('coze-bot')).length;
    fixture.vendor.on(CANCEL, json({ code: 0, msg: '' }));
    // The stream stops after its last piece.
    fixture.vendor.on(PATH, (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const [name, data] of PIECES) response.write(`event:${name}\ndata:${JSON.stringify(data)}\n\n`);
    });
    const sent = fixture.vendor.requests.length;
    const leaving = new AbortController();
    const response = await fetch(`${fixture.url}/v1/chat/completions`, {
      method: 'POST',
      signal: leaving.signal,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${fixture.key}` },
      body: JSON.stringify({ ...body, stream: true }),
    });
    await response.body?.getReader().read();
    leaving.abort();
    await fixture.vendor.waitUntil(() =>
      fixture.vendor.requests.slice(sent).some(({ path }) => path === CANCEL),
    );
    const cancelled = fixture.vendor.last(CANCEL);
    expect(cancelled.body).toEqual({ chat_id: 'chat-1', conversation_id: 'k' });
    expect(cancelled.headers['authorization']).toBe('Bearer pat_of_the_bot');
    const charge = await fixture.chargeOf('coze-bot', before + 1);
    expect(charge.completion_tokens).toBeGreaterThan(0);
  });

  it('a chat that has ended, or that ended in a failure, is not stopped', async () => {
    const cancels = () => fixture.vendor.requests.filter(({ path }) => path === '/v3/chat/cancel').length;
    const before = cancels();
    fixture.vendor.on(PATH, named(PIECES.concat(END)));
    await fixture.openai.chat.completions.create(body);
    fixture.vendor.on(
      PATH,
      named([...PIECES.slice(0, 1), ['conversation.chat.failed', { last_error: { code: 4000, msg: 'no' } }]]),
    );
    await fixture.post('/v1/chat/completions', body);
    fixture.vendor.on(PATH, json({ code: 4000, msg: 'no' }));
    await fixture.post('/v1/chat/completions', body);
    expect(cancels()).toBe(before);
  });

  it('the books are right after all of this', async () => {
    expect(await fixture.wrongBooks()).toEqual([]);
  });

  it('a channel without a bot is refused when it is saved', async () => {
    await expect(
      fixture.admin.addChannel({
        base_url: fixture.vendor.url,
        type: 49,
        key: 'pat_x',
        models: ['coze-bot'],
      }),
    ).rejects.toThrow(/needs its extra field/);
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FakeUpstream } from '../../../support/fake-upstream.js';
import { answer, sendJson } from '../../../support/fake-upstream-behaviours.js';
import { FX_MESSAGES } from '../../../support/relay-client.js';
import { FX_PRICES, GatewayConsole, missing } from '../../../support/gateway-console.js';
import { GatewayProcess } from '../../../support/gateway-process.js';

const PATH = '/pg/chat/completions';
/** The smallest PNG, in base64. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

let gateway: GatewayProcess;
let admin: GatewayConsole;
let user: GatewayConsole;
let upstream: FakeUpstream;

beforeAll(async () => {
  upstream = await FakeUpstream.start();
  upstream.on('fx-endless', answer({ tokens: 1_500, gapMs: 10 }));
  upstream.on('dall-e-2', (exchange) => sendJson(exchange, 200, { created: 1, data: [{ b64_json: PNG }] }));
  upstream.on('tts-1', ({ response }) => {
    response.writeHead(200, { 'content-type': 'audio/mpeg' });
    response.end(Buffer.from('ID3 sound'));
  });
  gateway = await GatewayProcess.start();
  admin = new GatewayConsole(gateway.url);
  await admin.setUp();
  await admin.setOptions({
    ...FX_PRICES(['fx-std', 'fx-json', 'fx-endless', 'unserved']),
    ModelPrice: { 'dall-e-2': 0.2, 'tts-1': 0.1 },
    GroupRatio: { default: 1, vip: 2, secret: 3 },
    UserUsableGroups: { vip: 'Better' },
  });
  await admin.addChannel({
    base_url: upstream.url,
    models: ['fx-std', 'fx-json', 'fx-endless', 'dall-e-2', 'tts-1'],
  });
  await admin.addChannel({ base_url: upstream.url, models: ['fx-json'], group: 'vip' });
  user = await admin.addUser('player', 1_000_000);
});

afterAll(async () => {
  await gateway?.stop();
  await upstream?.close();
});

const ask = (body: unknown, as = user, headers: Record<string, string> = {}): Promise<Response> =>
  as.fetch('POST', PATH, body, headers);
const chat = (changes: object = {}) => ({
  model: 'fx-json',
  messages: FX_MESSAGES,
  stream: false,
  group: '',
  ...changes,
});
interface Line {
  readonly quota: number;
  readonly token_name: string;
  readonly token_id: number;
  readonly group: string;
}
const errorOf = async (response: Response) =>
  ((await response.json()) as { error: { code: string; message: string } }).error;

describe('the playground', () => {
  it('answers as the relay does, charges the account and no token, and keeps what is the console’s', async () => {
    const before = await user.balance();
    const response = await ask(chat(), user, { authorization: 'Bearer sk-nothing' });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ object: 'chat.completion' });
    const sent = upstream.entriesOf('fx-json').at(-1) ?? missing();
    expect(sent.body).not.toHaveProperty('group');
    expect(sent.headers).not.toHaveProperty('cookie');
    expect(sent.headers.authorization).toBe('Bearer upstream-key');
    const { items } = await user.waitFor(
      () => user.send<{ items: Line[] }>('GET', '/api/log/self?type=2&p=1&page_size=10'),
      (page) => page.items.length === 1,
    );
    expect(items[0]).toMatchObject({ token_name: 'playground-default', token_id: 0, group: 'default' });
    expect(items[0]?.quota).toBeGreaterThan(0);
    await user.waitFor(
      () => user.balance(),
      (balance) => balance === before - (items[0]?.quota ?? 0),
    );
  });

  it('streams, end mark included', async () => {
    const response = await ask(chat({ model: 'fx-std', stream: true, temperature: 0.5, max_tokens: 0 }));
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
    const sent = upstream.entriesOf('fx-std').at(-1) ?? missing();
    expect(sent.body).toMatchObject({ temperature: 0.5 });
    expect(sent.body).not.toHaveProperty('max_tokens');
    const text = await response.text();
    expect(text).toContain('"delta"');
    expect(text.trimEnd().endsWith('data: [DONE]')).toBe(true);
  });

  it('calls in a group that is offered to the account, and in no other [RLY-06]', async () => {
    expect((await ask(chat({ group: 'vip' }))).status).toBe(200);
    const { items } = await user.waitFor(
      () => user.send<{ items: Line[] }>('GET', '/api/log/self?type=2&group=vip&p=1&page_size=10'),
      (page) => page.items.length === 1,
    );
    expect(items[0]).toMatchObject({ token_name: 'playground-vip', group: 'vip' });
    for (const group of ['secret', 'nothing', '__proto__']) {
      const refused = await ask(chat({ group }));
      expect(refused.status).toBe(403);
      expect(await errorOf(refused)).toMatchObject({ code: 'group_not_allowed' });
    }
  });

  it.each([
    ['no model', chat({ model: ' ' }), 400, 'model_required'],
    ['a group that is no text', chat({ group: 5 }), 400, 'invalid_request'],
    ['a model nobody serves', chat({ model: 'unserved' }), 503, 'get_playground_channel_failed'],
    ['no messages', { model: 'fx-json', group: '' }, 400, 'invalid_request'],
    ['no object', [1], 400, 'model_required'],
  ])('refuses %s in the shape of the relay', async (_, body, status, code) => {
    const response = await ask(body);
    expect(response.status).toBe(status);
    expect(await errorOf(response)).toMatchObject({ code });
  });

  it('serves signed-in users only: no guests, keys, access tokens or other sites [TOK-09]', async () => {
    const { key } = await user.addToken();
    const stranger = new GatewayConsole(gateway.url);
    expect((await ask(chat(), stranger)).status).toBe(401);
    expect((await ask(chat(), stranger, { authorization: `Bearer ${key}` })).status).toBe(401);
    const foreign = await ask(chat(), user, {
      origin: 'https://evil.example',
      'sec-fetch-site': 'cross-site',
    });
    expect(foreign.status).toBe(403);
    expect((await ask(chat(), user, { 'new-api-user': '1' })).status).toBe(401);
    const accessToken = await user.send<string>('GET', '/api/user/token');
    const { id } = await user.send<{ id: number }>('GET', '/api/user/self');
    const byToken = await ask(chat(), stranger, { authorization: accessToken, 'new-api-user': String(id) });
    expect(byToken.status).toBe(400);
    expect(await errorOf(byToken)).toMatchObject({ code: 'access_token_not_supported' });
  });

  it('ends what a banned account has running [TOK-08]', async () => {
    const banned = await admin.addUser('banned', 1_000_000);
    const { id } = await banned.send<{ id: number }>('GET', '/api/user/self');
    const response = await ask(chat({ model: 'fx-endless', stream: true }), banned);
    const reader = (response.body ?? missing()).getReader();
    expect((await reader.read()).done).toBe(false);
    await admin.send('POST', '/api/user/manage', { id, action: 'disable' });
    let text = '';
    for (let part = await reader.read(); !part.done; part = await reader.read())
      text += Buffer.from(part.value).toString();
    expect(text).toContain('Your login has ended');
    expect(text).not.toContain('[DONE]');
  });

  it.each([
    ['an image', '/pg/images/generations', { model: 'dall-e-2', prompt: 'a cat', group: '' }, 100_000],
    ['speech', '/pg/audio/speech', { model: 'tts-1', input: 'hello', voice: 'alloy', group: '' }, 50_000],
  ])('makes %s and charges the account for it', async (_, path, body, quota) => {
    const maker = await admin.addUser(`maker-${body.model}`, 1_000_000);
    const before = await maker.balance();
    const response = await maker.fetch('POST', path, body);
    expect(response.status).toBe(200);
    const content = await response.text();
    expect(content).toContain(body.model === 'tts-1' ? 'ID3 sound' : PNG);
    const sent = upstream.entriesOf(body.model).at(-1) ?? missing();
    expect(sent.body).not.toHaveProperty('group');
    expect(sent.headers).not.toHaveProperty('cookie');
    const { items } = await maker.waitFor(
      () => maker.send<{ items: Line[] }>('GET', '/api/log/self?type=2&p=1&page_size=10'),
      (page) => page.items.length === 1,
    );
    expect(items[0]).toMatchObject({ token_name: 'playground-default', token_id: 0, quota });
    await maker.waitFor(
      () => maker.balance(),
      (balance) => balance === before - quota,
    );
  });

  it.each(['/pg/images/generations', '/pg/audio/speech'])(
    'refuses %s to guests, to other sites, without a model and without balance',
    async (path) => {
      const body = { model: 'dall-e-2', prompt: 'x', input: 'x', voice: 'alloy' };
      const guest = new GatewayConsole(gateway.url);
      expect((await guest.fetch('POST', path, body)).status).toBe(401);
      const foreign = await user.fetch('POST', path, body, {
        origin: 'https://evil.example',
        'sec-fetch-site': 'cross-site',
      });
      expect(foreign.status).toBe(403);
      const nameless = await user.fetch('POST', path, { ...body, model: '' });
      expect(await errorOf(nameless)).toMatchObject({ code: 'model_required' });
      const poor = await admin.addUser(`poor${path.length}`, 0);
      const model = path.endsWith('speech') ? 'tts-1' : 'dall-e-2';
      const refused = await poor.fetch('POST', path, { ...body, model });
      expect(await errorOf(refused)).toMatchObject({ code: 'insufficient_user_quota' });
    },
  );
});

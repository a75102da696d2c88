import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../../../support/build-test-app.js';
import { FakeUpstream } from '../../../support/fake-upstream.js';
import { FX_PRICES, GatewayConsole } from '../../../support/gateway-console.js';
import { RelayClient, type RelayAnswer } from '../../../support/relay-client.js';
import { RealtimeClient } from '../../vendors/realtime/realtime-client.js';
import { ScriptedRealtime } from '../../vendors/realtime/scripted-realtime.js';

/** Addresses that callers give to upstreams, which fetch them from their own place in the network. */
const MODELS = ['fx-std', 'claude', 'gemini', 'mj_imagine', 'mj_describe', 'suno_music', 'fx-embed', 'image'];
const OPEN = '127.0.0.1:8098';
const CLOSED = 'http://127.0.0.1:8099/a.png';

let app: TestApp;
let upstream: FakeUpstream;
let vendor: ScriptedRealtime;
let client: RelayClient;
let key: string;

beforeAll(async () => {
  upstream = await FakeUpstream.start({ isLenient: true });
  vendor = await ScriptedRealtime.start();
  app = await startTestApp({ env: { ALLOWED_PRIVATE_HOSTS_USERS: OPEN } });
  const admin = new GatewayConsole(app.url);
  await admin.setUp();
  await admin.setOptions({ ...FX_PRICES([...MODELS, 'realtime']), DrawingEnabled: true });
  const url = upstream.url;
  await admin.addChannel({ base_url: url, models: ['fx-std', 'fx-embed', 'image'] });
  await admin.addChannel({ type: 14, base_url: url, models: ['claude'] });
  await admin.addChannel({ type: 24, base_url: url, models: ['gemini'] });
  await admin.addChannel({ type: 2, base_url: url, models: ['mj_imagine', 'mj_describe'] });
  await admin.addChannel({ type: 36, base_url: url, models: ['suno_music'] });
  await admin.addChannel({ base_url: vendor.url, models: ['realtime'] });
  ({ key } = await admin.addToken());
  client = new RelayClient(app.url, key);
});

afterAll(async () => {
  client?.close();
  await app?.close();
  await upstream?.close();
  await vendor?.close();
});

const part = (model: string, ...content: unknown[]) => ({ model, messages: [{ role: 'user', content }] });
const image = (url: unknown) => part('fx-std', { type: 'image_url', image_url: { url } });
const anthropic = (...content: unknown[]) => ({ ...part('claude', ...content), max_tokens: 9 });
const gemini = (...parts: unknown[]) => ({ contents: [{ role: 'user', parts }] });

async function expectRefused(path: string, body: unknown): Promise<RelayAnswer> {
  const before = upstream.journal.length;
  const answer = await client.ask({ path, body });
  expect({ status: answer.status, asked: upstream.journal.length - before }).toEqual({
    status: 400,
    asked: 0,
  });
  expect(answer.text).toContain('ALLOWED_PRIVATE_HOSTS_USERS');
  return answer;
}

describe('a private address in a request [NET-01]', () => {
  it.each<[string, unknown]>([
    ['/v1/chat/completions', image(CLOSED)],
    ['/v1/chat/completions', part('fx-std', { type: 'image_url', image_url: CLOSED })],
    ['/v1/chat/completions', part('fx-std', { type: 'video_url', video_url: { url: CLOSED } })],
    ['/v1/chat/completions', part('fx-std', { type: 'image', image: CLOSED })],
    ['/v1/chat/completions', { ...part('fx-std', 'x'), tools: [{ type: 'mcp', server_url: CLOSED }] }],
    ['/v1/chat/completions', part('claude', { type: 'image_url', image_url: { url: CLOSED } })],
    ['/v1/chat/completions', part('gemini', { type: 'image_url', image_url: { url: CLOSED } })],
    ['/v1/messages', anthropic({ type: 'image', source: { type: 'url', url: CLOSED } })],
    ['/v1/messages/count_tokens', anthropic({ type: 'image', source: { type: 'url', url: CLOSED } })],
    ['/v1/messages', anthropic({ type: 'document', source: { type: 'url', url: CLOSED } })],
    [
      '/v1/messages',
      anthropic({
        type: 'tool_result',
        tool_use_id: 't',
        content: [{ type: 'image', source: { type: 'url', url: CLOSED } }],
      }),
    ],
    ['/v1/messages', { ...anthropic('x'), mcp_servers: [{ type: 'url', name: 'm', url: CLOSED }] }],
    [
      '/v1beta/models/gemini:generateContent',
      gemini({ fileData: { mimeType: 'image/png', fileUri: CLOSED } }),
    ],
    ['/v1beta/models/gemini:streamGenerateContent?alt=sse', gemini({ file_data: { file_uri: CLOSED } })],
    [
      '/v1/responses',
      { model: 'fx-std', input: [{ role: 'user', content: [{ type: 'input_image', image_url: CLOSED }] }] },
    ],
    [
      '/v1/responses',
      { model: 'fx-std', input: [{ role: 'user', content: [{ type: 'input_file', file_url: CLOSED }] }] },
    ],
    [
      '/v1/responses',
      {
        model: 'fx-std',
        input: [
          {
            type: 'function_call_output',
            call_id: 'c',
            output: [{ type: 'input_image', image_url: CLOSED }],
          },
        ],
      },
    ],
    ['/v1/embeddings', { model: 'fx-embed', input: [CLOSED], modality: 'image' }],
    ['/v1/images/edits', { model: 'image', prompt: 'x', images: [{ image_url: CLOSED }] }],
    ['/mj/submit/describe', { link: CLOSED }],
    ['/mj/submit/imagine', { prompt: 'x', base64Array: [CLOSED] }],
    ['/mj/submit/imagine', { prompt: `${CLOSED} a cat` }],
    ['/suno/submit/music', { prompt: 'x', audio_url: CLOSED }],
  ])('refuses it at %s before any upstream sees it: %j', async (path, body) => {
    await expectRefused(path, body);
  });

  it.each([
    'http://2130706433:8099/',
    'http://0177.0.0.1:8099/',
    'http://0x7f.1:8099/',
    'http://127.1:8099',
    'http://[::1]:8099/',
    'http://[::ffff:127.0.0.1]:8099/',
    'http://[::ffff:7f00:1]/',
    'http://[fe80::1%25lo]/',
    'http://１２７.０.０.１:8099/',
    'http://127.0.0.1.:8099/',
    'http://user:pw@127.0.0.1:8099/',
    'http:\\\\127.0.0.1',
    'http://127%2e0.0.1:8099/',
    'http://example.com\\@127.0.0.1:8099/',
    '//127.0.0.1:8099/',
    '127.0.0.1:8099/a',
    'http://localhost:8099/',
    'http://a.localhost/',
    'http://169.254.169.254/latest/',
    'http://metadata.google.internal/',
    'http://10.0.0.1/',
    'http://192.168.0.1/',
    'http://172.31.0.1/',
    'http://[fd00::1]/',
    'http://0.0.0.0/',
  ])('refuses it as %s', async (url) => {
    await expectRefused('/v1/chat/completions', image(url));
  });

  it('refuses it behind escapes, and in a form', async () => {
    const escaped = String.raw`{"model":"fx-std","messages":[{"role":"user","content":[{"type":"image_url","image\u005furl":{"\u0075rl":"http:\/\/127.0.0.\u0031"}}]}]}`;
    await expectRefused('/v1/chat/completions', escaped);
    const form = new FormData();
    form.set('model', 'image');
    form.set('prompt', 'x');
    form.set('image', new Blob([Buffer.from('iVBORw0KGgo=', 'base64')], { type: 'image/png' }), 'a.png');
    form.set('image_url', CLOSED);
    const answer = await fetch(`${app.url}/v1/images/edits`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: form,
    });
    expect([answer.status, await answer.text()]).toEqual([
      400,
      expect.stringContaining('image_url: no upstream'),
    ]);
  });

  it('names the member and the variable, in the words of the API', async () => {
    const answer = await expectRefused('/v1/chat/completions', image(CLOSED));
    expect(JSON.parse(answer.text)).toMatchObject({
      error: {
        type: 'invalid_request_error',
        param: 'messages.0.content.0.image_url.url',
        message: expect.stringContaining('127.0.0.1'),
      },
    });
  });
});

describe('other addresses in a request', () => {
  it.each([
    ['a host that ALLOWED_PRIVATE_HOSTS_USERS opens', image(`http://${OPEN}/a.png`)],
    ['a public address', image('http://8.8.8.8/a.png')],
    ['bytes', image('data:image/png;base64,iVBORw0KGgo=')],
    ['an address in words', part('fx-std', { type: 'text', text: `open ${CLOSED}` })],
    ['an argument of a tool', { ...part('fx-std', 'x'), metadata: { url: CLOSED } }],
  ])('passes: %s', async (_, body) => {
    const answer = await client.ask({ body });
    expect({ status: answer.status, text: answer.text.slice(0, 200) }).toMatchObject({ status: 200 });
  });
});

describe('a private address in a session', () => {
  it('refuses the event, and the session goes on', async () => {
    const session = await RealtimeClient.open(app.url, 'realtime', key);
    const event = (url: string) => ({
      type: 'conversation.item.create',
      item: { type: 'message', role: 'user', content: [{ type: 'input_image', image_url: url }] },
    });
    session.send(event(CLOSED));
    await session.until(() => session.errors.length === 1);
    expect(session.errors[0]).toContain(
      'item.content.0.image_url: no upstream is asked to fetch from 127.0.0.1',
    );
    session.send(event('http://[::1]/'));
    await session.until(() => session.errors.length === 2);
    expect(session.closed).toBeUndefined();
    session.socket.terminate();
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FakeUpstream } from '../../../support/fake-upstream.js';
import { GatewayConsole } from '../../../support/gateway-console.js';
import { GatewayProcess } from '../../../support/gateway-process.js';

let gateway: GatewayProcess;
let admin: GatewayConsole;
let upstream: FakeUpstream;
let id: number;

interface TestAnswer {
  readonly success: boolean;
  readonly message: string;
  readonly time: number;
  readonly first_token_ms: number | null;
  readonly endpoint: string;
  readonly answer: string;
  readonly error_code: string;
}
interface TypeView {
  readonly code: number;
  readonly name: string;
  readonly base_url: string;
  readonly key_format: string;
  readonly other: string;
  readonly needs_other: boolean;
}

beforeAll(async () => {
  upstream = await FakeUpstream.start();
  gateway = await GatewayProcess.start();
  admin = new GatewayConsole(gateway.url);
  await admin.setUp();
  id = await admin.addChannel({
    base_url: upstream.url,
    models: ['fx-quick', 'fx-embed', 'fx-error-401', 'fx-error-429'],
  });
});

afterAll(async () => {
  await gateway?.stop();
  await upstream?.close();
});

const test = (query: string): Promise<TestAnswer> =>
  admin.sendRaw<TestAnswer>('GET', `/api/channel/test/${id}?${query}`);

describe('testing a channel', () => {
  for (const [endpoint, path] of [
    ['chat', '/v1/chat/completions'],
    ['responses', ''],
    ['messages', ''],
    ['generate_content', ''],
  ] as const) {
    for (const stream of [false, true]) {
      it(`${endpoint}${stream ? ', streamed' : ''}: uses the gateway's own relay and shows the answer`, async () => {
        const answer = await test(`model=fx-quick&endpoint_type=${endpoint}&stream=${stream}`);
        expect(answer).toMatchObject({ success: true, message: '', endpoint, error_code: '' });
        expect(answer.answer).toContain('tok tok');
        expect(answer.time).toBeGreaterThan(0);
        expect(answer.first_token_ms).toBeGreaterThan(0);
        if (path !== '') expect(upstream.entriesOf('fx-quick').at(-1)?.path).toBe(path);
      });
    }
  }

  it('detects embeddings by the name', async () => {
    const answer = await test('model=fx-embed');
    expect(answer).toMatchObject({ success: true, endpoint: 'embeddings', answer: '1 × embedding' });
    expect(upstream.single('fx-embed').path).toBe('/v1/embeddings');
  });

  it('a failure is an answer with its reason and its code, and no key in it', async () => {
    const answer = await test('model=fx-error-401');
    expect(answer.success).toBe(false);
    expect(answer.message).not.toBe('');
    expect(answer.error_code).not.toBe('');
    expect(JSON.stringify(answer)).not.toContain('upstream-key');
  });

  it('other gateways names of endpoints are understood, unknown ones refused', async () => {
    expect((await test('model=fx-quick&endpoint_type=anthropic')).endpoint).toBe('messages');
    expect((await test('model=fx-quick&endpoint_type=telepathy')).success).toBe(false);
  });

  it('stores the response time', async () => {
    await test('model=fx-quick');
    const channel = await admin.send<{ response_time: number; test_time: number }>(
      'GET',
      `/api/channel/${id}`,
    );
    expect(channel.response_time).toBeGreaterThan(0);
    expect(channel.test_time).toBeGreaterThan(1_700_000_000);
  });
});

describe('channel types', () => {
  it('serves them with what their form needs', async () => {
    const types = await admin.send<TypeView[]>('GET', '/api/channel/types');
    const byCode = new Map(types.map((type) => [type.code, type]));
    expect(byCode.get(1)).toMatchObject({
      base_url: 'https://api.openai.com',
      key_format: 'token',
      other: 'none',
    });
    expect(byCode.get(3)).toMatchObject({ other: 'api_version' });
    expect(byCode.get(41)).toMatchObject({ key_format: 'json', other: 'region', needs_other: true });
    expect(byCode.get(33)).toMatchObject({ key_format: 'access_keys_region' });
    for (const type of types) expect(type.name).not.toBe('');
  });
});

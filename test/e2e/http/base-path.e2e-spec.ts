import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FakeUpstream } from '../../support/fake-upstream.js';
import { FX_PRICES, GatewayConsole } from '../../support/gateway-console.js';
import { GatewayProcess } from '../../support/gateway-process.js';
import { RelayClient } from '../../support/relay-client.js';

const good = { model: 'fx-quick', messages: [{ role: 'user', content: 'hi' }] };
const LOGIN = JSON.stringify({ username: 'root', password: 'correct horse battery' });
/** Part of the built console's main page that no answer of an API contains. */
const PAGE = '<div id="root">';

interface Asked {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

/** The built product, published under different paths. */
describe.each([
  ['under no path', {}, ''],
  ['under BASE_PATH', { BASE_PATH: '/gateway/' }, '/gateway'],
  ['under BASE_PATH of two segments', { BASE_PATH: '/ai/gate-2.way' }, '/ai/gate-2.way'],
])('a gateway %s', (_, env: Record<string, string>, prefix) => {
  let gateway: GatewayProcess;
  let upstream: FakeUpstream;
  let client: RelayClient;

  beforeAll(async () => {
    upstream = await FakeUpstream.start();
    gateway = await GatewayProcess.start({
      env: { SERVER_ADDRESS: 'https://ai.example', TRUST_PROXY: '1', ...env },
    });
    const admin = new GatewayConsole(`${gateway.url}${prefix}`);
    await admin.setUp();
    await admin.setOptions(FX_PRICES(['fx-quick']));
    await admin.addChannel({ base_url: upstream.url, models: ['fx-quick'] });
    const { key } = await admin.addToken();
    client = new RelayClient(gateway.url, key);
  });
  afterAll(async () => {
    client?.close();
    await gateway?.stop();
    await upstream?.close();
  });

  async function ask(path: string, init: RequestInit = {}): Promise<Asked> {
    const response = await fetch(gateway.url + path, { redirect: 'manual', ...init });
    return { status: response.status, text: await response.text(), headers: response.headers };
  }

  it('relays calls at its path, with slashes written twice, and where a proxy took the path away', async () => {
    for (const path of ['/v1/chat/completions', '//v1/chat/completions', '/v1//chat/completions/']) {
      for (const before of new Set([prefix, ''])) {
        const answer = await client.ask({ path: before + path, body: good });
        expect([before, path, answer.status]).toEqual([before, path, 200]);
      }
    }
    for (const path of ['/v1/models', '//v1/models', '/v1beta//models'])
      expect((await client.ask({ path: prefix + path, method: 'GET' })).status).toBe(200);
  });

  it('opens realtime sessions at its path', async () => {
    for (const path of ['/v1/realtime', '//v1/realtime']) {
      const { status, text } = await client.ask({ path: `${prefix}${path}?model=x`, method: 'GET' });
      expect([status, text]).toEqual([426, expect.stringContaining('WebSocket')]);
    }
  });

  it('serves its console with addresses that are found from every place in it', async () => {
    for (const place of ['/', '/log', '/channel/edit/7']) {
      const { status, text } = await ask(prefix + place, { headers: { accept: 'text/html,*/*' } });
      expect([place, status]).toEqual([place, 200]);
      expect(text).toContain(PAGE);
      expect(text).toContain(`<meta name="base-path" content="${prefix}" />`);
      const files = [...text.matchAll(/\s(?:src|href)="([^"]+)"/g)].map(([, file]) => file ?? '');
      expect(files.length).toBeGreaterThan(3);
      for (const file of files) {
        expect(file.startsWith(`${prefix}/`)).toBe(true);
        expect([file, (await ask(file)).status]).toEqual([file, 200]);
      }
    }
  });

  it.each(['http', 'https'])(
    'gives cookies to its own path alone, by names that browsers take there: %s',
    async (scheme) => {
      const headers = { 'x-forwarded-proto': scheme };
      const login = await ask(`${prefix}/api/user/login`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: LOGIN,
      });
      const [set = ''] = login.headers.getSetCookie();
      expect(set).toContain(`; Path=${prefix || '/'};`);
      expect(set.includes('; Secure')).toBe(scheme === 'https');
      // A browser leaves out a cookie whose name promises what it does not keep.
      if (set.startsWith('__Host-')) expect(set).toMatch(/; Path=\/;.*; Secure/);
      if (set.startsWith('__')) expect(set).toContain('; Secure');
      const own = await ask(`${prefix}/api/user/self`, {
        headers: { ...headers, cookie: set.split(';', 1)[0] ?? '', 'New-Api-User': '1' },
      });
      expect(JSON.parse(own.text)).toMatchObject({ success: true });
    },
  );

  it('names its public address with its path', async () => {
    const { text } = await ask(`${prefix}/api/status`);
    expect((JSON.parse(text) as { data: { server_address: string } }).data.server_address).toBe(
      `https://ai.example${prefix}`,
    );
  });

  it.each([
    ['/other/v1/models', { accept: '*/*' }],
    ['/other/v1/models', { accept: 'text/html' }],
    ['/other/api/status', { accept: '*/*' }],
    ['/other/v1beta/models', {}],
    ['/other/mj/task/1/fetch', {}],
    ['/other/models', { accept: 'application/json' }],
    ['/models', { authorization: 'Bearer sk-x' }],
    ['/other/models', { 'x-api-key': 'sk-x', accept: '*/*' }],
    ['/other/stream', { accept: 'text/event-stream' }],
  ] as readonly (readonly [string, Record<string, string>])[])(
    'never answers a program with the console’s page: GET %s %j',
    async (path, headers) => {
      for (const method of ['GET', 'HEAD', 'POST']) {
        const answer = await ask(prefix + path, { method, headers });
        expect([method, answer.status]).toEqual([method, 404]);
        expect(answer.headers.get('content-type')).toContain('application/json');
        expect(answer.text).not.toContain(PAGE);
      }
    },
  );

  it('believes a prefix only from a trusted proxy, and only one that is plainly a path', async () => {
    const seen = async (told: string): Promise<string | undefined> => {
      const { text } = await ask('/', { headers: { accept: 'text/html', 'x-forwarded-prefix': told } });
      return /name="base-path" content="([^"]*)"/.exec(text)?.[1];
    };
    for (const [told, expected] of [
      ['/outside', '/outside'],
      ['/outside/', '/outside'],
      ['/a, /b/', '/a/b'],
      ['//evil.example', ''],
      ['/"><script>', ''],
      ['https://evil.example', ''],
      ['/../x', ''],
      ['', ''],
    ] as const)
      expect([told, await seen(told)]).toEqual([told, prefix === '' ? expected : prefix]);
  });
});

describe('a gateway without a trusted proxy', () => {
  it('does not believe a prefix', async () => {
    const gateway = await GatewayProcess.start();
    try {
      const page = await fetch(gateway.url, {
        headers: { 'x-forwarded-prefix': '/outside', accept: 'text/html' },
      });
      expect(await page.text()).toContain('<meta name="base-path" content="" />');
    } finally {
      await gateway.stop();
    }
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { connect } from 'node:net';
import { FakeUpstream } from '../../../support/fake-upstream.js';
import { FX_PRICES, GatewayConsole } from '../../../support/gateway-console.js';
import { GatewayProcess } from '../../../support/gateway-process.js';
import { errorOf, RelayClient } from '../../../support/relay-client.js';

const good = { model: 'fx-quick', messages: [{ role: 'user', content: 'hi' }] };

/**
 * Calls go straight from the server to the edge, or, with a slash at their end, by way of the framework: clients must see no
 * difference.
 */
describe.each([
  ['by themselves', {}],
  ['through a proxy', { TRUST_PROXY: '1' }],
  ['without the fast path', { RELAY_FAST_PATH: 'false' }],
])('calls that come %s', (_, env: Record<string, string>) => {
  const isBehindProxy = 'TRUST_PROXY' in env;
  let gateway: GatewayProcess;
  let upstream: FakeUpstream;
  let client: RelayClient;
  let key: string;
  let boundKey: string;

  beforeAll(async () => {
    upstream = await FakeUpstream.start();
    gateway = await GatewayProcess.start({ env: { MAX_REQUEST_BODY_MB: '1', ...env } });
    const admin = new GatewayConsole(gateway.url);
    await admin.setUp();
    await admin.setOptions(FX_PRICES(['fx-quick']));
    await admin.addChannel({ base_url: upstream.url, models: ['fx-quick'] });
    ({ key } = await admin.addToken());
    ({ key: boundKey } = await admin.addToken({ allow_ips: '203.0.113.7\n2001:db8::/64' }));
    client = new RelayClient(gateway.url, key);
  });
  afterAll(async () => {
    client?.close();
    await gateway?.stop();
    await upstream?.close();
  });

  /** Sends bytes as they are; what comes back until `isDone`, or until the connection ends. */
  async function raw(text: string, isDone: (heard: string) => boolean = () => false): Promise<string> {
    const { hostname, port } = new URL(gateway.url);
    const socket = connect(Number(port), hostname);
    let heard = '';
    socket.on('error', () => socket.destroy());
    socket.on('data', (part: Buffer) => {
      heard += part.toString();
      if (isDone(heard)) socket.destroy();
    });
    socket.write(text);
    await once(socket, 'close');
    return heard;
  }

  const head = (...lines: readonly string[]): string =>
    [
      'POST /v1/chat/completions HTTP/1.1',
      'Host: localhost',
      'Content-Type: application/json',
      ...lines,
      '',
      '',
    ].join('\r\n');

  it('answers with an id of their own, twice on one connection', async () => {
    const ids = new Set<unknown>();
    for (let round = 0; round < 2; round += 1) {
      const answer = await client.ask({ body: good });
      expect(answer.status).toBe(200);
      expect(answer.headers).toMatchObject({
        'access-control-allow-origin': '*',
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
        'content-type': expect.stringContaining('application/json'),
      });
      ids.add(answer.headers['x-request-id']);
    }
    expect(ids.size).toBe(2);
  });

  it('finds the route with a query and with a slash at the end', async () => {
    for (const path of ['/v1/chat/completions?beta=true', '/v1/chat/completions/'])
      expect((await client.ask({ path, body: good })).status).toBe(200);
  });

  it('takes them in pieces', async () => {
    const body = JSON.stringify(good);
    const chunks = [...body].map((letter) => `1\r\n${letter}\r\n`).join('');
    const reply = await raw(
      `${head(`Authorization: Bearer ${key}`, 'Transfer-Encoding: chunked')}${chunks}0\r\n\r\n`,
      (heard) => heard.includes('"usage"'),
    );
    expect(reply).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('takes large ones', async () => {
    const body = { ...good, user: 'x'.repeat(700_000) };
    expect((await client.ask({ body })).status).toBe(200);
  });

  it('refuses a body that is too large unread, and ends the connection [F-49]', async () => {
    const reply = await raw(head(`Authorization: Bearer ${key}`, 'Content-Length: 1073741824'));
    expect(reply).toMatch(/^HTTP\/1\.1 413 /);
    expect(reply).toMatch(/\r\nconnection: close\r\n/i);
  });

  it('refuses a body of unknown length while it is read [F-49]', async () => {
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
    const reply = await raw(
      head(`Authorization: Bearer ${key}`, 'Transfer-Encoding: chunked') + chunk.repeat(17),
    );
    expect(reply).toMatch(/^HTTP\/1\.1 413 /);
  });

  it('refuses large bodies of unauthenticated callers unread [HTTP-09]', async () => {
    const reply = await raw(head('Authorization: Bearer sk-wrong', 'Content-Length: 900000'));
    expect(reply).toMatch(/^HTTP\/1\.1 401 /);
    expect(reply).toMatch(/\r\nconnection: close\r\n/i);
  });

  it('refuses those without a body as bad requests, not by silence', async () => {
    const reply = await raw(head(`Authorization: Bearer ${key}`, 'Content-Length: 0', 'Connection: close'));
    expect(reply).toMatch(/^HTTP\/1\.1 400 /);
    expect(await raw(head(`Authorization: Bearer ${key}`, 'Connection: close'))).toMatch(/^HTTP\/1\.1 400 /);
  });

  it('demands JSON [HTTP-06]', async () => {
    const answer = await client.ask({ body: good, headers: { 'content-type': 'text/plain' } });
    expect(answer.status).toBe(415);
    expect(errorOf(answer)).toMatchObject({ type: 'invalid_request_error', code: 'unsupported_media_type' });
  });

  it('leaves nothing behind of those that break off in the middle of their body', async () => {
    const before = upstream.journal.length;
    const { hostname, port } = new URL(gateway.url);
    const socket = connect(Number(port), hostname);
    socket.write(`${head(`Authorization: Bearer ${key}`, 'Content-Length: 100')}{"model":`);
    await once(socket, 'connect');
    socket.end();
    socket.resume();
    await once(socket, 'close');
    expect((await client.ask({ body: good })).status).toBe(200);
    expect(upstream.journal).toHaveLength(before + 1);
  });

  /** Header of a proxy, and whether it is the address the bound keys may be used from. */
  const TOLD: readonly (readonly [field: string, isTheirs: boolean])[] = [
    ['X-Forwarded-For: 203.0.113.7', true],
    ['X-Forwarded-For: 203.0.113.7:51234', true],
    ['X-Forwarded-For: ::ffff:203.0.113.7', true],
    ['X-Forwarded-For: [2001:DB8::0005]:443', true],
    ['X-Forwarded-For: 2001:db8::5%eth0', true],
    ['X-Forwarded-For: 198.51.100.1, 203.0.113.7', true],
    ['X-Forwarded-For: 203.0.113.7, 198.51.100.1', false],
    ['X-Forwarded-For: 203.0.113.7, unknown', false],
    ['X-Forwarded-For: ', false],
    ['Forwarded: for="[2001:db8::5]:443";proto=https', true],
    ['Forwarded: for=198.51.100.1, for=203.0.113.7:80', true],
    ['Forwarded: for=203.0.113.7, for=_hidden', false],
    ['Forwarded: for="203.0.113.7', false],
  ];

  it.each(TOLD)(
    'uses the address of the proxy’s header, when the proxy is trusted, on both paths: %s',
    async (field, isTheirs) => {
      const body = JSON.stringify(good);
      const fields = [
        `Authorization: Bearer ${boundKey}`,
        `Content-Length: ${body.length}`,
        'Connection: close',
      ];
      const expected = isBehindProxy && isTheirs ? '200' : '403';
      for (const path of ['/v1/chat/completions', '/v1/chat/completions/']) {
        const asked = head(field, ...fields).replace('/v1/chat/completions', path);
        // Node's server reads a call that asks to close the connection, the fast path reads the other.
        for (const text of [asked, asked.replace('Connection: close', 'Connection: keep-alive')]) {
          const reply = await raw(text + body, (heard) => heard.includes('}'));
          expect([path, reply.slice(9, 12)]).toEqual([path, expected]);
        }
      }
      const listed = await raw(
        `GET /v1/models HTTP/1.1\r\nHost: localhost\r\n${field}\r\n${fields[0]}\r\nConnection: close\r\n\r\n`,
      );
      expect(listed.slice(9, 12)).toBe(expected);
      const session = await raw(
        [
          'GET /v1/realtime?model=fx-nobody-has HTTP/1.1',
          'Host: localhost',
          'Upgrade: websocket',
          'Connection: Upgrade',
          'Sec-WebSocket-Version: 13',
          'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
          field,
          `${fields[0]}`,
          '',
          '',
        ].join('\r\n'),
        (heard) => /address|fx-nobody-has/.test(heard),
      );
      expect(session.includes('network address')).toBe(expected === '403');
    },
  );

  it.each(TOLD)('takes it for logins too: %s', async (field, isTheirs) => {
    const [name = '', value = ''] = field.split(/: (.*)/);
    const login = await fetch(`${gateway.url}/api/user/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', [name]: value },
      body: JSON.stringify({ username: 'root', password: 'correct horse battery' }),
    });
    const cookie = (login.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    const { data: account } = (await login.json()) as { data: { id: number } };
    const list = await fetch(`${gateway.url}/api/user/self/sessions`, {
      // The cookie of a login over TLS counts over TLS only, which the proxy marks on each request.
      headers: { cookie, 'new-api-user': String(account.id), [name]: value },
    });
    const { data } = (await list.json()) as { data: { ip: string; current: boolean }[] };
    const own = ['203.0.113.7', '2001:db8::5'];
    const current = data.find((session) => session.current)?.ip ?? '';
    expect([current, own.includes(current)]).toEqual([current, isBehindProxy && isTheirs]);
  });
});

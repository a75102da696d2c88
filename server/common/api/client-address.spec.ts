import { describe, expect, it } from '@jest/globals';
import type { IncomingHttpHeaders } from 'node:http';
import { fastify } from 'fastify';
import { clientAddressOf, describeClients, readProxyTrust } from './client-address.js';

const PROXY = '10.0.0.1';

const told = (trust: string | undefined, headers: IncomingHttpHeaders, peer = PROXY): string =>
  clientAddressOf(readProxyTrust(trust), peer, headers);

/** Headers that proxies write for a client, and the address they mean. */
const WRITTEN: readonly (readonly [text: string, address: string])[] = [
  ['203.0.113.7', '203.0.113.7'],
  ['203.0.113.7:51234', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['[::ffff:203.0.113.7]:443', '203.0.113.7'],
  ['2001:db8::5', '2001:db8::5'],
  ['[2001:DB8:0::5]:443', '2001:db8::5'],
  ['[2001:db8::5]', '2001:db8::5'],
  ['fe80::5%eth0', 'fe80::5'],
  ...['unknown', '_hidden', '-', '203.0.113', '203.0.113.7:port', 'a.example'].map(
    (text) => [text, PROXY] as const,
  ),
];

describe('the address of a client', () => {
  it.each(WRITTEN)('reads the address of a proxy that writes %s: %s, in either header', (text, address) => {
    for (const headers of [
      { 'x-forwarded-for': text },
      { 'x-forwarded-for': `198.51.100.1, ${text}` },
      { forwarded: `for="${text}"` },
      { forwarded: `for=198.51.100.1;proto=http, proto=https;For="${text}"` },
    ])
      for (const trust of ['1', '10.0.0.0/8'])
        expect([headers, told(trust, headers)]).toEqual([headers, address]);
  });

  it.each([
    [undefined, PROXY],
    ['0', PROXY],
    ['1', '203.0.113.7'],
    ['2', '198.51.100.1'],
    ['3', '198.51.100.1'],
    ['10.0.0.0/8', '203.0.113.7'],
    ['10.0.0.0/8 203.0.113.0/24', '198.51.100.1'],
    ['10.0.0.2', PROXY],
  ])('trusts as many proxies as TRUST_PROXY=%s names, and no further hop', (trust, address) => {
    expect(told(trust, { 'x-forwarded-for': '198.51.100.1, ,203.0.113.7:80,' })).toBe(address);
    expect(told(trust, { forwarded: 'for=198.51.100.1,,for="203.0.113.7:80",' })).toBe(address);
  });

  it('takes the last proxy that could be read', () => {
    expect(told('3', { 'x-forwarded-for': '198.51.100.1, unknown, 203.0.113.7' })).toBe('203.0.113.7');
    expect(told('3', { forwarded: 'for=198.51.100.1, for=unknown, for=203.0.113.7' })).toBe('203.0.113.7');
    expect(told('3', { forwarded: 'for=198.51.100.1, by=x, for=203.0.113.7' })).toBe('203.0.113.7');
    expect(told('1', { forwarded: 'for="198.51.100.1, for=203.0.113.7' })).toBe(PROXY);
  });

  it('comes from X-Forwarded-For where both are there, and from Forwarded where that one is empty', () => {
    expect(told('1', { 'x-forwarded-for': '203.0.113.7', forwarded: 'for=198.51.100.1' })).toBe(
      '203.0.113.7',
    );
    expect(told('1', { 'x-forwarded-for': ' ', forwarded: 'for=198.51.100.1' })).toBe('198.51.100.1');
  });

  it('takes that of the connection without a proxy, in the same form', () => {
    for (const trust of [undefined, '1', 'loopback']) {
      expect(told(trust, {}, '::ffff:203.0.113.9')).toBe('203.0.113.9');
      expect(told(trust, {}, 'fe80::9%eth0')).toBe('fe80::9');
      expect(told(trust, {}, '')).toBe('');
    }
  });

  it('matches a range when the proxy has a mapped address', () => {
    const headers = { 'x-forwarded-for': '203.0.113.7' };
    expect(told('10.0.0.0/8', headers, '::ffff:10.0.0.1')).toBe('203.0.113.7');
    expect(told('loopback', headers, '::ffff:127.0.0.1')).toBe('203.0.113.7');
  });
});

describe('a request of the framework', () => {
  const asked = async (trust: string | undefined, headers: Record<string, string>): Promise<unknown> => {
    const app = fastify();
    describeClients(app, readProxyTrust(trust));
    await app.register(async (scope) => {
      scope.get('/', async ({ ip, host, hostname, protocol }) => ({ ip, host, hostname, protocol }));
    });
    const answer = await app.inject({
      url: '/',
      remoteAddress: PROXY,
      headers: { host: 'inner:3000', ...headers },
    });
    await app.close();
    return answer.json();
  };
  const inner = { ip: PROXY, host: 'inner:3000', hostname: 'inner', protocol: 'http' };

  it.each([
    [
      {
        'x-forwarded-for': '203.0.113.7:51234',
        'x-forwarded-proto': 'https',
        'x-forwarded-host': 'a.example',
      },
    ],
    [{ forwarded: 'for="203.0.113.7:51234";proto=https;host=a.example' }],
    [{ forwarded: 'for=198.51.100.1;proto=http;host=b.example, for=203.0.113.7;proto=HTTPS;host=a.example' }],
  ] as Record<string, string>[][])(
    'takes the client’s behind a trusted proxy, and the proxy’s otherwise: %j',
    async (headers) => {
      const outer = { ip: '203.0.113.7', host: 'a.example', hostname: 'a.example', protocol: 'https' };
      expect(await asked('1', headers as Record<string, string>)).toEqual(outer);
      expect(await asked('10.0.0.0/8', headers as Record<string, string>)).toEqual(outer);
      for (const trust of [undefined, '0', '10.0.0.2'])
        expect(await asked(trust, headers as Record<string, string>)).toEqual(inner);
    },
  );

  it('learns nothing from a proxy without headers', async () => {
    expect(await asked('1', {})).toEqual(inner);
    expect(await asked('1', { 'x-forwarded-proto': 'gopher', 'x-forwarded-host': '' })).toEqual(inner);
  });
});

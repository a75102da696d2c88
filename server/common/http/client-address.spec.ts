import { describe, expect, it } from '@jest/globals';
import { fastify } from 'fastify';
import { clientAddressOf, readProxyTrust } from './client-address.js';

const FORWARDED = [
  undefined,
  '',
  '203.0.113.7',
  '198.51.100.1, 203.0.113.7',
  '198.51.100.1,\t10.0.0.9 , 10.0.0.8',
  '10.0.0.7, 10.0.0.8',
  ', ,203.0.113.7,',
  'unknown',
  '2001:db8::7, ::ffff:10.0.0.8',
];
const PEERS = ['127.0.0.1', '10.0.0.1', '203.0.113.99', '::1', '::ffff:10.0.0.1'];

describe('the address of a client', () => {
  it.each([[undefined], ['0'], ['1'], ['2'], ['loopback'], ['10.0.0.0/8'], ['loopback, 10.0.0.8 10.0.0.1']])(
    'is the one the framework finds, with TRUST_PROXY %s',
    async (text) => {
      const trust = readProxyTrust(text);
      const app = fastify({ trustProxy: trust ?? false });
      app.get('/', async ({ ip }) => ip);
      for (const peer of PEERS)
        for (const forwarded of FORWARDED) {
          const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
          const asked = await app.inject({ url: '/', remoteAddress: peer, headers });
          expect([peer, forwarded, clientAddressOf(trust, peer, headers)]).toEqual([
            peer,
            forwarded,
            asked.body,
          ]);
        }
      await app.close();
    },
  );

  it('is told by as many proxies as are trusted, and by nobody else', () => {
    const headers = { 'x-forwarded-for': '198.51.100.1, 203.0.113.7' };
    const found = (text: string | undefined): string =>
      clientAddressOf(readProxyTrust(text), '10.0.0.1', headers);
    expect([undefined, '0', '1', '2', '10.0.0.0/8', '10.0.0.2'].map(found)).toEqual([
      ...['10.0.0.1', '10.0.0.1', '203.0.113.7', '198.51.100.1', '203.0.113.7', '10.0.0.1'],
    ]);
  });
});

import { describe, expect, it } from '@jest/globals';
import { networkOf } from '../../common/client-network.js';
import { isOwnOrigin } from './request-origin.js';

const HOST = 'gateway.example:3000';

describe('which page made a request [AUTH-05]', () => {
  it.each([
    ['a program', undefined, undefined, true],
    ['our own page', `http://${HOST}`, 'same-origin', true],
    ['the address bar', undefined, 'none', true],
    ['the public address behind a proxy', 'https://public.example', undefined, true],
    ['another site', 'https://evil.example', undefined, false],
    ['another site that says so', undefined, 'cross-site', false],
    ['a neighbour domain', undefined, 'same-site', false],
    ['another port of the same host', 'http://gateway.example:4000', undefined, false],
    ['a longer host', `http://${HOST}.evil.example`, undefined, false],
    ['the public address without TLS', 'http://public.example', undefined, false],
    ['a sandboxed frame', 'null', undefined, false],
    ['our host by another scheme', `https://${HOST}`, undefined, false],
    ['our page behind a proxy that hides TLS', `https://${HOST}`, 'same-origin', true],
    ['nonsense', 'gateway.example:3000', undefined, false],
  ])('%s', (_name, origin, fetchSite, expected) => {
    expect(
      isOwnOrigin({ origin, fetchSite, host: HOST, protocol: 'http' }, ['https://public.example/base']),
    ).toBe(expected);
  });
});

it('refuses a page without TLS for a request over TLS [AUTH-05]', () => {
  const request = { fetchSite: undefined, host: HOST, protocol: 'https' };
  expect(isOwnOrigin({ ...request, origin: `http://${HOST}` }, [])).toBe(false);
  expect(isOwnOrigin({ ...request, origin: `https://${HOST}` }, [])).toBe(true);
});

describe('what an address limit counts [AUTH-09]', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::ffff', '2001:db8:1:2::/64'],
    ['not an address', 'not an address'],
  ])('%s → %s', (ip, network) => {
    expect(networkOf(ip)).toBe(network);
  });
});

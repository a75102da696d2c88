import { describe, expect, it } from '@jest/globals';
import { relyingPartyOf } from './relying-party.js';

const page = { protocol: 'https', host: 'gateway.example:8443' };

describe('relyingPartyOf', () => {
  it('takes the configured address, whatever host the request names', () => {
    const forged = { protocol: 'https', host: 'evil.example' };
    const expected = { id: 'ai.example', origins: ['https://ai.example'] };
    expect(relyingPartyOf(['https://ai.example'], forged)).toEqual(expected);
    expect(relyingPartyOf(['', 'https://ai.example/path'], forged)).toEqual(expected);
  });

  it('takes the address of the page while none is configured', () => {
    expect(relyingPartyOf([], page)).toEqual({
      id: 'gateway.example',
      origins: ['https://gateway.example:8443'],
    });
    expect(relyingPartyOf([''], { protocol: 'http', host: 'localhost:3000' })).toEqual({
      id: 'localhost',
      origins: ['http://localhost:3000'],
    });
  });

  it.each([
    ['an address without TLS', { protocol: 'http', host: 'gateway.example' }],
    ['an IPv4 address', { protocol: 'https', host: '192.0.2.1' }],
    ['a loopback address', { protocol: 'http', host: '127.0.0.1:3000' }],
    ['an IPv6 address', { protocol: 'https', host: '[2001:db8::1]:3000' }],
    ['nothing', { protocol: 'https', host: '' }],
    ['nonsense', { protocol: 'https', host: 'a b' }],
  ])('finds none on %s', (_, odd) => {
    expect(relyingPartyOf([], odd)).toBeNull();
  });

  it('passes over a configured address browsers would refuse', () => {
    expect(relyingPartyOf(['http://10.0.0.1:3000'], { protocol: 'http', host: 'localhost:3000' })).toEqual({
      id: 'localhost',
      origins: ['http://localhost:3000'],
    });
  });
});

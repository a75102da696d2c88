import { describe, expect, it } from '@jest/globals';
import { describeFault, toUpstreamFault } from './upstream-fault.js';

const withCode = (code: string): Error => Object.assign(new Error(`connect ${code}`), { code });

describe('what went wrong on the way to an upstream', () => {
  it.each([
    ['EMFILE', 'no-room'],
    ['ENFILE', 'no-room'],
    ['ECONNREFUSED', 'unreachable'],
    ['CERT_HAS_EXPIRED', 'unreachable'],
    ['ECONNRESET', 'reset'],
    ['UND_ERR_BODY_TIMEOUT', 'timeout'],
  ])('%s is %s, alone and on every address of a host', (code, kind) => {
    expect(toUpstreamFault(withCode(code)).kind).toBe(kind);
    expect(toUpstreamFault(new AggregateError([withCode(code)])).kind).toBe(kind);
  });

  it.each([
    withCode('UND_ERR_SOCKS5_AUTH_FAILED'),
    withCode('UND_ERR_SOCKS5_REPLY_5'),
    withCode('UND_ERR_PRX_CONN'),
    Object.assign(new Error('Proxy Authentication Required (407)'), { code: 'UND_ERR_INVALID_ARG' }),
    Object.assign(new Error('Proxy response (403) !== 200 when HTTP Tunneling'), { code: 'UND_ERR_ABORTED' }),
  ])("distinguishes a refusal of the channel's proxy from a broken connection: %s", (cause) => {
    expect(toUpstreamFault(cause).kind).toBe('refused-by-proxy');
    expect(describeFault(toUpstreamFault(cause))).toMatch(/^The proxy /);
  });

  it('does not blame the address when it is this machine that has no room', () => {
    expect(describeFault(toUpstreamFault(withCode('EMFILE')))).toMatch(/^This gateway /);
  });
});

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

  it('does not blame the address when it is this machine that has no room', () => {
    expect(describeFault(toUpstreamFault(withCode('EMFILE')))).toMatch(/^This gateway /);
  });
});

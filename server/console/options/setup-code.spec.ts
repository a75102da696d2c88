import { describe, expect, it } from '@jest/globals';
import type { Env } from '../../config/env.js';
import { SetupCode } from './setup-code.js';

const codeOf = (env: Partial<Env>): SetupCode =>
  new SetupCode({ sessionSecret: 's'.repeat(32), setupToken: undefined, isLoopback: true, ...env } as Env);

describe('SetupCode', () => {
  it('requires the code only for unknown host names', () => {
    const code = codeOf({});
    expect([code.isRequired(true), code.isRequired(false)]).toEqual([false, true]);
    expect([code.matches('', true), code.matches('', false)]).toEqual([true, false]);
  });

  it('requires the code of the environment for every host name', () => {
    const code = codeOf({ setupToken: 'a token' });
    expect([code.isRequired(true), code.isRequired(false)]).toEqual([true, true]);
    expect([code.matches('a token', true), code.matches('a token ', true)]).toEqual([true, false]);
  });
});

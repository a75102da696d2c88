import { describe, expect, it } from '@jest/globals';
import type { Env } from '../../config/env.js';
import { SetupCode } from './setup-code.js';

const codeOf = (env: Partial<Env>): SetupCode =>
  new SetupCode({ sessionSecret: 's'.repeat(32), setupToken: undefined, isLoopback: true, ...env } as Env);

describe('SetupCode', () => {
  it('asks nobody who calls by a name of ours, and everybody else', () => {
    const code = codeOf({});
    expect([code.isAsked(true), code.isAsked(false)]).toEqual([false, true]);
    expect([code.isRight('', true), code.isRight('', false)]).toEqual([true, false]);
  });

  it('asks everybody for the one of the environment', () => {
    const code = codeOf({ setupToken: 'a token' });
    expect([code.isAsked(true), code.isAsked(false)]).toEqual([true, true]);
    expect([code.isRight('a token', true), code.isRight('a token ', true)]).toEqual([true, false]);
  });
});

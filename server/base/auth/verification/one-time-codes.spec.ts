import { beforeEach, describe, expect, it } from '@jest/globals';
import { FakeClock } from '../../../../test/support/fake-clock.js';
import { memoryPendingSteps, type StepContent } from '../../../../test/support/memory-pending-steps.js';
import { memoryRateLimiter } from '../../../../test/support/memory-rate-limiter.js';
import type { Env } from '../../../config/env.js';
import { type CodeSubject, OneTimeCodes } from './one-time-codes.js';

const SUBJECT: CodeSubject = { purpose: 'register', userId: 0, address: 'ada@example.com' };
let steps: Map<string, StepContent>;
let codes: OneTimeCodes;

beforeEach(() => {
  steps = new Map();
  const env = { cryptoSecret: 'a secret' } as Env;
  codes = new OneTimeCodes(memoryPendingSteps(steps), memoryRateLimiter(new FakeClock()), env);
});

/** A code that is wrong. */
const other = (code: string): string => (code.startsWith('A') ? 'B' : 'A') + code.slice(1);

describe('OneTimeCodes', () => {
  it('takes a code once, in any case and with blanks around it', async () => {
    const code = await codes.issue(SUBJECT);
    expect(code).toMatch(/^[2-9A-HJ-NP-Z]{6}$/);
    expect(await codes.redeem(SUBJECT, ` ${code.toLowerCase()}\n`)).toBe(true);
    expect(await codes.redeem(SUBJECT, code)).toBe(false);
  });

  it.each([
    ['purpose', { purpose: 'bind-mail' }],
    ['account', { userId: 8 }],
    ['address', { address: 'bob@example.com' }],
  ] as const)('does not take a code of another %s', async (_what, change) => {
    const code = await codes.issue(SUBJECT);
    expect(await codes.redeem({ ...SUBJECT, ...change }, code)).toBe(false);
    expect(await codes.redeem(SUBJECT, code)).toBe(true);
  });

  it('takes the newest code only', async () => {
    const first = await codes.issue(SUBJECT);
    const second = await codes.issue(SUBJECT);
    expect(await codes.redeem(SUBJECT, second === first ? other(second) : first)).toBe(false);
    expect(await codes.redeem(SUBJECT, second)).toBe(true);
  });

  it('forgets a code after five wrong tries; a new one has five of its own', async () => {
    const code = await codes.issue(SUBJECT);
    for (let wrong = 0; wrong < 5; wrong += 1) expect(await codes.redeem(SUBJECT, other(code))).toBe(false);
    expect(await codes.redeem(SUBJECT, code)).toBe(false);
    expect(steps.size).toBe(0);
    const again = await codes.issue(SUBJECT);
    expect(await codes.redeem(SUBJECT, again)).toBe(true);
  });

  it('accepts one of two concurrent right codes', async () => {
    const code = await codes.issue(SUBJECT);
    const both = await Promise.all([codes.redeem(SUBJECT, code), codes.redeem(SUBJECT, code)]);
    expect(both.toSorted()).toEqual([false, true]);
  });

  it('stores neither the code nor the address', async () => {
    const code = await codes.issue(SUBJECT);
    const stored = JSON.stringify([...steps]);
    expect(stored).not.toContain(code);
    // Words that no digest can hold.
    expect(stored).not.toMatch(/ada@|example/);
  });
});

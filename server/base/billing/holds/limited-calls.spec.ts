import { describe, expect, it } from '@jest/globals';
import { limitRow } from '../../../../test/support/fixtures/limits.fixture.js';
import { LimitBook } from '../../limits/limit-cache.js';
import type { CallLimits } from '../../limits/call-limits.js';
import { LimitedCalls } from './limited-calls.js';

const NOW = 86_400_000;
const limits = (): CallLimits => {
  const book = new LimitBook([limitRow({ measure: 'tokens' })], [{ zone: 'UTC', fromMs: 0 }], () => NOW);
  const found = book.limitsOf({ userId: 1, tokenId: null, group: '' }, 'm', {
    quota: 0,
    inputTokens: 10,
    outputTokens: 50,
  });
  if (found === undefined) throw new Error('no limits');
  return found;
};
const usedBy = (of: CallLimits, used: number) =>
  of.parts.map(({ key, isShared }) => ({ key, isShared, used }));

describe('LimitedCalls', () => {
  it('enters running calls again in another run of the store, and none twice', () => {
    const calls = new LimitedCalls('w');
    const of = limits();
    calls.begin('a', 1, of, 'run-1');
    expect(calls.toEnter('run-1')).toEqual([]);
    calls.grow('a', [5]);
    const missing = calls.toEnter('run-2');
    expect(missing).toMatchObject([{ callId: 'a', parts: [{ need: 65 }] }]);
    expect(calls.markEntered(missing, 'run-2')).toEqual([]);
    expect(calls.toEnter('run-2')).toEqual([]);
  });

  it('keeps a call that ended until its charge is booked', () => {
    const calls = new LimitedCalls('w');
    const of = limits();
    calls.begin('a', 1, of, 'run-1');
    calls.end('a', usedBy(of, 12), false);
    const missing = calls.toEnter('run-2');
    expect(calls.markEntered(missing, 'run-2')).toEqual([{ callId: 'a', userId: 1, parts: usedBy(of, 12) }]);
    calls.markBooked('a');
    expect(calls.toEnter('run-3')).toEqual([]);
  });

  it('keeps a call admitted without the store until the store counts it, booked or not', () => {
    const calls = new LimitedCalls('w');
    const of = limits();
    calls.begin('a', 1, of, undefined);
    expect(calls.hasOutside).toBe(true);
    calls.end('a', usedBy(of, 12), false);
    calls.markBooked('a');
    expect(calls.markEntered(calls.toEnter('run-1'), 'run-1')).toHaveLength(1);
    expect(calls.hasOutside).toBe(false);
  });

  it('measures the share of this worker by use and holds', () => {
    const calls = new LimitedCalls('w');
    const of = limits();
    const { key, from } = of.parts[0] ?? { key: '', from: 0 };
    calls.begin('a', 1, of, 'run-1');
    calls.begin('b', 1, of, 'run-1');
    calls.end('a', usedBy(of, 7), true);
    expect(calls.ownSum(key, from)).toBe(67);
    expect(calls.ownSum(key, from + 1)).toBe(0);
  });
});

import { describe, expect, it } from '@jest/globals';
import { aCaller, MemoryAdmission } from '../../../test/support/memory-ports.js';
import type { Env } from '../../config/env.js';
import type { CallShape } from '../../relay-core/model/call.js';
import { ConcurrencyLimits, UserConcurrency } from './concurrency-limits.js';

const MEGABYTE = 1024 * 1024;
const gates = (): ConcurrencyLimits => new ConcurrencyLimits({ maxRequestBodyBytes: 32 * MEGABYTE } as Env);

const SHAPE: CallShape = {
  operation: 'chat',
  model: 'm',
  stream: false,
  outputCap: undefined,
  choices: 1,
  promptTokens: 1,
  wantsStreamUsage: false,
};

describe('ConcurrencyLimits', () => {
  it('refuses bodies too large for memory, calls beyond the limit, and all calls while draining', () => {
    const full = gates();
    expect(full.refusal(1_000)).toBeNull();
    full.beginCall(500 * MEGABYTE);
    expect(full.refusal(1_000)).toBeNull();
    expect(full.refusal(20 * MEGABYTE)).toBe('full');
    expect(full.refusal(undefined)).toBe('full');
    full.endCall(500 * MEGABYTE);
    for (let call = 0; call < 5_000; call += 1) full.beginCall(0);
    expect(full.refusal(1)).toBe('full');
    const draining = gates();
    draining.startDraining();
    expect(draining.refusal(1)).toBe('draining');
  });

  it('resolves when the last call is over', async () => {
    const one = gates();
    await one.whenIdle();
    one.beginCall(1);
    one.beginCall(1);
    let isIdle = false;
    const idle = one.whenIdle().then(() => (isIdle = true));
    one.endCall(1);
    await Promise.resolve();
    expect(isIdle).toBe(false);
    one.endCall(1);
    await idle;
    expect(isIdle).toBe(true);
  });

  it('lets a user have 2,000 calls at once, each retry of a call counting once', () => {
    const shared = gates();
    const admission = new MemoryAdmission();
    const aCall = (): UserConcurrency => new UserConcurrency(admission, shared);
    const open = Array.from({ length: 2_000 }, aCall);
    for (const gate of open) {
      expect(gate.admit(aCaller(), SHAPE).ok).toBe(true);
      expect(gate.admit(aCaller(), SHAPE).ok).toBe(true);
    }
    expect(aCall().admit(aCaller(), SHAPE)).toMatchObject({ ok: false, error: { kind: 'rate-limited' } });
    expect(aCall().admit(aCaller({ userId: 8 }), SHAPE).ok).toBe(true);
    open[0]?.leave();
    expect(aCall().admit(aCaller(), SHAPE).ok).toBe(true);
  });

  it('counts bodies from their first byte, not from their last', () => {
    const shared = gates();
    const ends = Array.from({ length: 16 }, () => shared.beginPreparing(32 * MEGABYTE));
    expect(shared.refusal(1)).toBe('full');
    ends[0]?.();
    expect(shared.refusal(32 * MEGABYTE)).toBeNull();
    expect(shared.refusal(undefined)).toBeNull();
    shared.holdBytes(1);
    expect(shared.refusal(undefined)).toBe('full');
  });
});

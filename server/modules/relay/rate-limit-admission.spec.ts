import { describe, expect, it } from '@jest/globals';
import { aCaller } from '../../../test/support/memory-ports.js';
import { MemorySharedStore } from '../../infra/shared-store/memory-shared-store.js';
import { SystemClock } from '../../infra/clock/system-clock.js';
import type { Env } from '../../config/env.js';
import type { CallShape } from '../../relay-core/model/call.js';
import { OPTION_FALLBACKS, type OptionValues } from '../options/option-catalogue.js';
import type { CachedChannelPicker } from '../channels/routing/cached-channel-picker.js';
import type { OptionsService } from '../options/options.service.js';
import { ConcurrencyLimits } from './concurrency-limits.js';
import { UserConcurrency } from './user-concurrency.js';
import { RateLimitAdmission } from './rate-limit-admission.js';
import { ALONE, LimitShares } from '../../infra/rate-limit/limit-shares.js';

const aShape = (model = 'm'): CallShape => ({
  operation: 'chat',
  model,
  stream: false,
  outputCap: undefined,
  choices: 1,
  promptTokens: 1,
  wantsStreamUsage: false,
});

function admissionWith(values: Partial<OptionValues>) {
  let current: OptionValues = { ...OPTION_FALLBACKS, ...values };
  let changed: () => void = () => undefined;
  const options = {
    values: () => current,
    onChange: (listener: () => void) => {
      changed = listener;
      return () => undefined;
    },
  } as OptionsService;
  const clock = new SystemClock();
  const store = new MemorySharedStore(clock, 'epoch');
  const picker = {
    checkServed: (group: string, model: string) =>
      model === 'unserved'
        ? { ok: false, error: { kind: 'channel-unavailable', message: group } }
        : { ok: true },
  } as unknown as CachedChannelPicker;
  const admission = new RateLimitAdmission(options, store, picker, new LimitShares(clock, ALONE));
  const change = (next: Partial<OptionValues>): void => {
    current = { ...current, ...next };
    changed();
  };
  return { admission, store, change };
}

const LIMITED = {
  ModelRequestRateLimitEnabled: true,
  ModelRequestRateLimitDurationMinutes: 2,
  ModelRequestRateLimitCount: 10,
  ModelRequestRateLimitSuccessCount: 5,
  ModelRequestRateLimitGroup: { vip: [0, 50] },
} as unknown as Partial<OptionValues>;

describe('RateLimitAdmission', () => {
  it('refuses a model that is not on the list of the token, and everything when the list is empty [TOK-04]', () => {
    const { admission } = admissionWith({});
    const limited = (models: string[]) => aCaller({ modelLimits: new Set(models) });
    expect(admission.admit(limited(['a']), aShape('b'))).toMatchObject({
      ok: false,
      error: { kind: 'model-refused' },
    });
    expect(admission.admit(limited([]), aShape('a'))).toMatchObject({
      ok: false,
      error: { kind: 'model-refused' },
    });
    expect(admission.admit(limited(['A']), aShape('a'))).toMatchObject({ ok: false });
    expect(admission.admit(limited(['a']), aShape('a'))).toEqual({ ok: true, value: [] });
    expect(admission.admit(limited(['gpt-4-gizmo-*']), aShape('gpt-4-gizmo-x'))).toMatchObject({ ok: true });
    expect(
      admission.admit(aCaller({ modelLimits: new Set(['a']), pinnedChannelId: 3 }), aShape('b')),
    ).toMatchObject({ ok: true });
  });

  it('says that nobody serves a model before its price is looked for', () => {
    const { admission } = admissionWith({});
    expect(admission.admit(aCaller(), aShape('unserved'))).toMatchObject({
      ok: false,
      error: { kind: 'channel-unavailable' },
    });
  });

  it('asks for no windows while the limit is off, and for both as soon as it is on', () => {
    const { admission, change } = admissionWith({});
    expect(admission.admit(aCaller(), aShape())).toEqual({ ok: true, value: [] });
    change(LIMITED);
    expect(admission.admit(aCaller(), aShape())).toMatchObject({
      ok: true,
      value: [
        { key: '{u:7}:successes', limit: 5, windowMs: 120_000, mode: 'peek' },
        { key: '{u:7}:requests', limit: 10, windowMs: 120_000, mode: 'count' },
      ],
    });
  });

  it('asks for no windows while the period is 0 minutes long', () => {
    const { admission } = admissionWith({ ...LIMITED, ModelRequestRateLimitDurationMinutes: 0 });
    expect(admission.admit(aCaller(), aShape())).toEqual({ ok: true, value: [] });
  });

  it('lets the entry of a group replace both figures; a total of 0 is no limit', () => {
    const { admission } = admissionWith(LIMITED);
    expect(admission.admit(aCaller({ group: 'vip' }), aShape())).toMatchObject({
      value: [{ limit: 50, windowMs: 120_000, mode: 'peek' }],
    });
    expect(admission.admit(aCaller({ group: 'constructor' }), aShape())).toMatchObject({
      value: [{ limit: 5 }, { limit: 10 }],
    });
  });

  it('counts successes in the window it looks at', async () => {
    const { admission, store } = admissionWith(LIMITED);
    admission.recordSuccess(aCaller());
    admission.recordSuccess(aCaller());
    await expect(store.windows.count('{u:7}:successes', 120_000)).resolves.toBe(2);
  });
});

describe('ConcurrencyLimits', () => {
  const gates = () => new ConcurrencyLimits({ maxRequestBodyBytes: 32 * 1024 * 1024 } as Env);

  it('refuses what would not fit into memory, calls beyond the limit, and everybody while draining', () => {
    const full = gates();
    expect(full.refusal(1_000)).toBeNull();
    full.beginCall(500 * 1024 * 1024);
    expect(full.refusal(1_000)).toBeNull();
    expect(full.refusal(20 * 1024 * 1024)).toBe('full');
    expect(full.refusal(undefined)).toBe('full');
    full.endCall(500 * 1024 * 1024);
    for (let call = 0; call < 5_000; call += 1) full.beginCall(0);
    expect(full.refusal(1)).toBe('full');
    const draining = gates();
    draining.startDraining();
    expect(draining.refusal(1)).toBe('draining');
  });

  it('tells when the last call is over', async () => {
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
    const { admission } = admissionWith({});
    const open = Array.from({ length: 2_000 }, () => new UserConcurrency(admission, shared));
    for (const gate of open) {
      expect(gate.admit(aCaller(), aShape()).ok).toBe(true);
      expect(gate.admit(aCaller(), aShape()).ok).toBe(true);
    }
    expect(new UserConcurrency(admission, shared).admit(aCaller(), aShape())).toMatchObject({
      ok: false,
      error: { kind: 'rate-limited' },
    });
    expect(new UserConcurrency(admission, shared).admit(aCaller({ userId: 8 }), aShape()).ok).toBe(true);
    open[0]?.leave();
    expect(new UserConcurrency(admission, shared).admit(aCaller(), aShape()).ok).toBe(true);
  });
});

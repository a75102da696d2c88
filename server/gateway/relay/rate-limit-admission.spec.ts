import { describe, expect, it } from '@jest/globals';
import { aCaller } from '../../../test/support/memory-ports.js';
import { MemorySharedStore } from '../../infra/shared-store/memory-shared-store.js';
import { SystemClock } from '../../infra/clock/system-clock.js';
import type { CallShape } from '../../relay-core/model/call.js';
import { OPTION_FALLBACKS, type OptionValues } from '../../base/options/option-catalogue.js';
import type { CachedChannelPicker } from '../channels/routing/cached-channel-picker.js';
import type { OptionsService } from '../../base/options/options.service.js';
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

  it('refuses a model without a channel before its price is read', () => {
    const { admission } = admissionWith({});
    expect(admission.admit(aCaller(), aShape('unserved'))).toMatchObject({
      ok: false,
      error: { kind: 'channel-unavailable' },
    });
  });

  it('counts work inside of a session among the requests, and refuses it above the limit', async () => {
    const { admission, change, store } = admissionWith({});
    expect(admission.countRequest(aCaller())).toMatchObject({ ok: true });
    change(LIMITED);
    for (let request = 0; request < 10; request += 1)
      expect(await admission.countRequest(aCaller())).toMatchObject({ ok: true });
    expect(await admission.countRequest(aCaller())).toMatchObject({
      ok: false,
      error: { kind: 'rate-limited', message: expect.stringContaining('10 requests in 2 minutes') },
    });
    expect(await store.windows.count('{u:7}:requests', 120_000)).toBe(10);
    expect(await admission.countRequest(aCaller({ userId: 8 }))).toMatchObject({ ok: true });
  });

  it('refuses work inside of a session when the window of successes is full, and counts nothing', async () => {
    const { admission, store } = admissionWith(LIMITED);
    for (let success = 0; success < 5; success += 1) await store.windows.record('{u:7}:successes', 120_000);
    expect(await admission.countRequest(aCaller())).toMatchObject({
      ok: false,
      error: { kind: 'rate-limited', message: expect.stringContaining('5 successful requests') },
    });
    expect(await store.windows.count('{u:7}:requests', 120_000)).toBe(0);
  });

  it('checks no windows while the limit is off, and both as soon as it is on', () => {
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

  it('checks no windows while the period is 0 minutes long', () => {
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

  it('counts successes in the window it checks', async () => {
    const { admission, store } = admissionWith(LIMITED);
    admission.recordSuccess(aCaller());
    admission.recordSuccess(aCaller());
    await expect(store.windows.count('{u:7}:successes', 120_000)).resolves.toBe(2);
  });
});

import { describe, expect, it } from '@jest/globals';
import { MemoryPrices, MemoryQuota } from '../../../../test/support/memory-money.js';
import { aCaller } from '../../../../test/support/memory-ports.js';
import { aProviderCall } from '../../../../test/support/relay-calls.js';
import type { CallShape } from '../../model/call.js';
import { reserveQuota } from './admit-quote-reserve.js';

/** Ten prompt tokens at 1 quota each and 100 of output at 2 each: 210, unless a cap says otherwise (`MemoryPrices`). */
async function reserving(
  balance: number,
  changes: Partial<CallShape> = {},
  quoted: { readonly leastOutputTokens?: number } = {},
) {
  const quota = new MemoryQuota();
  quota.balance = balance;
  const prices = new MemoryPrices();
  const shape: CallShape = { ...aProviderCall().shape, promptTokens: 10, ...changes };
  prices.models.add(shape.model);
  const caller = aCaller();
  const quote = prices.quote(caller, shape);
  if (!quote.ok) throw new Error(quote.error.message);
  const windows = [{ key: 'w', limit: 1, windowMs: 1, mode: 'count', refusal: 'full' }] as const;
  const asked: { affordable: boolean | undefined; windows: number }[] = [];
  const reserve = quota.reserve.bind(quota);
  quota.reserve = (input: Parameters<typeof reserve>[0] & { windows?: readonly unknown[] }) => {
    asked.push({ affordable: input.affordable, windows: input.windows?.length ?? 0 });
    return reserve(input);
  };
  const input = { callId: 'call', caller, shape, quote: { ...quote.value, ...quoted }, windows };
  const reserved = await reserveQuota({ quota }, input);
  return { quota, reserved, asked };
}

describe('reserveQuota', () => {
  it.each<[string, Partial<CallShape>]>([
    ['streams', { stream: true }],
    ['names a cap', { outputCap: 100 }],
    ['makes vectors', { operation: 'embed' }],
  ])('refuses a call that %s and cannot have all of it', async (_what, changes) => {
    const { quota, reserved } = await reserving(209, changes);
    expect(reserved).toMatchObject({ ok: false, error: { kind: 'quota-insufficient' } });
    expect([quota.balance, quota.holds.size]).toEqual([209, 0]);
  });

  it('holds the whole worst case where the balance allows it, and caps nothing', async () => {
    const { quota, reserved } = await reserving(210);
    expect(reserved).toEqual({
      ok: true,
      value: { hold: { callId: 'call', amount: 210 }, affordableCap: undefined },
    });
    expect(quota.balance).toBe(0);
  });

  it.each([
    // (209 − 10) ÷ 2 = 99.5
    [209, 1, 99],
    [12, 1, 1],
    // (129 − 10) ÷ 2 for three answers = 19.8 each
    [129, 3, 19],
  ])('caps with a balance of %i each of %i answers at %i tokens', async (balance, choices, cap) => {
    const { reserved } = await reserving(balance, { choices });
    expect(reserved).toMatchObject({ ok: true, value: { hold: { amount: balance }, affordableCap: cap } });
  });

  it('caps a stream whose model hides its reasoning, as it caps a whole answer', async () => {
    const { reserved } = await reserving(110, { stream: true, model: 'o3-mini' });
    expect(reserved).toMatchObject({ ok: true, value: { affordableCap: 50 } });
  });

  it('gives back a hold that pays for no answer worth its call, and counts the windows once', async () => {
    const { quota, reserved, asked } = await reserving(110, {}, { leastOutputTokens: 51 });
    expect(reserved).toMatchObject({ ok: false, error: { kind: 'quota-insufficient' } });
    expect([quota.balance, quota.holds.size, quota.released]).toEqual([110, 0, ['call']]);
    expect(asked).toEqual([
      { affordable: true, windows: 1 },
      { affordable: undefined, windows: 0 },
    ]);
  });

  it('takes exactly the least that is worth it', async () => {
    const { reserved } = await reserving(110, {}, { leastOutputTokens: 50 });
    expect(reserved).toMatchObject({ ok: true, value: { affordableCap: 50 } });
  });
});

import { describe, expect, it } from '@jest/globals';
import { findProvider, PROVIDERS } from '../registry.js';
import type { GetDocument } from './balance.js';

/** 2026-11-21T12:00:00Z */
const NOW_MS = 1_795_262_400_000;

const answering =
  (documents: Record<string, unknown>): GetDocument =>
  async (path) => {
    if (!(path in documents)) throw new Error(`asked for ${path}`);
    return documents[path];
  };

const read = (type: number, documents: Record<string, unknown>) => {
  const provider = findProvider(type);
  return provider.ok ? provider.value.balance?.(answering(documents), NOW_MS) : undefined;
};

describe('balances', () => {
  it('reads for OpenAI the limit less the use in cents, of this month without a card', async () => {
    const usage = '/v1/dashboard/billing/usage?start_date=2026-11-01&end_date=2026-11-22';
    const balance = await read(1, {
      '/v1/dashboard/billing/subscription': { hard_limit_usd: 120 },
      [usage]: { total_usage: 250 },
    });
    expect(balance).toEqual({ amount: 117.5, currency: 'USD' }); // 120 − 250 ÷ 100
  });

  it('looks 100 days back for OpenAI when a card is on file', async () => {
    const usage = '/v1/dashboard/billing/usage?start_date=2026-08-13&end_date=2026-11-22';
    const subscription = { hard_limit_usd: 5, has_payment_method: true };
    expect(
      await read(8, { '/v1/dashboard/billing/subscription': subscription, [usage]: { total_usage: 0 } }),
    ).toEqual({
      amount: 5,
      currency: 'USD',
    });
  });

  it('reads those of the others from their own documents', async () => {
    expect(await read(20, { '/v1/credits': { data: { total_credits: 10, total_usage: 4 } } })).toEqual({
      amount: 6,
      currency: 'USD',
    });
    const grants = { total_remaining: 3, total_available: 2 };
    expect(await read(12, { '/dashboard/billing/credit_grants': grants })).toEqual({
      amount: 3,
      currency: 'USD',
    });
    expect(await read(13, { '/dashboard/billing/credit_grants': grants })).toEqual({
      amount: 2,
      currency: 'USD',
    });
    expect(await read(25, { '/v1/users/me/balance': { data: { available_balance: 7 } } })).toEqual({
      amount: 7,
      currency: 'CNY',
    });
    expect(await read(40, { '/v1/user/info': { code: 20000, data: { totalBalance: '88.5' } } })).toEqual({
      amount: 88.5,
      currency: 'CNY',
    });
    const yuan = { currency: 'CNY', total_balance: '1.25' };
    const dollars = { currency: 'USD', total_balance: '3' };
    expect(await read(43, { '/user/balance': { balance_infos: [yuan, dollars] } })).toEqual({
      amount: 3,
      currency: 'USD',
    });
    expect(await read(43, { '/user/balance': { balance_infos: [yuan] } })).toEqual({
      amount: 1.25,
      currency: 'CNY',
    });
  });

  it.each([
    [1, { '/v1/dashboard/billing/subscription': { hard_limit_usd: 'x' } }],
    [20, { '/v1/credits': { data: null } }],
    [40, { '/v1/user/info': { code: 30000, data: { totalBalance: 1 } } }],
    [43, { '/user/balance': { balance_infos: [] } }],
  ])('refuses for type %s a document that is not what the provider documents', async (type, documents) => {
    await expect(read(type, documents)).rejects.toThrow();
  });

  it('cannot be read of any other type', () => {
    expect(
      PROVIDERS.filter(({ balance }) => balance !== undefined)
        .flatMap(({ channelTypes }) => channelTypes.map(({ code }) => code))
        .toSorted((a, b) => a - b),
    ).toEqual([1, 8, 12, 13, 20, 25, 40, 43]);
  });
});

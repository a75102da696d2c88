import { beforeEach, describe, expect, it } from '@jest/globals';
import { aCaller } from '../../../test/support/memory-ports.js';
import { toQuota } from '../../common/quota.js';
import type { AccountMoney } from '../../base/billing/ledger/account-money.service.js';
import type { TokenFigures, UsageTotals } from '../../base/billing/ledger/usage-totals.js';
import { OPTION_FALLBACKS } from '../../base/options/option-catalogue.js';
import type { OptionsService } from '../../base/options/options.service.js';
import { BillingSummaryService } from './billing-summary.service.js';

let options: typeof OPTION_FALLBACKS;
let token: TokenFigures | null;
let summary: BillingSummaryService;

beforeEach(() => {
  options = {
    ...OPTION_FALLBACKS,
    QuotaPerUnit: 500_000,
    DisplayInCurrencyEnabled: true,
    DisplayTokenStatEnabled: true,
  };
  token = { usedQuota: 250_000, isUnlimited: false, expiresAt: 1_800_000_000 };
  const figures: Pick<UsageTotals, 'ofToken' | 'ofUser'> = {
    ofToken: async () => token,
    ofUser: async () => ({ charged: 4_500_000, refunded: 500_000 }),
  };
  const money: Pick<AccountMoney, 'balancesOf' | 'tokenRemaindersOf'> = {
    balancesOf: async () => new Map([[7, toQuota(1_000_000)]]),
    tokenRemaindersOf: async () => new Map([[3, toQuota(750_000)]]),
  };
  summary = new BillingSummaryService(
    figures as UsageTotals,
    money as AccountMoney,
    { values: () => options } as unknown as OptionsService,
  );
});

describe('BillingSummaryService', () => {
  it('returns a token’s grant in units, and its use in hundredths', async () => {
    expect(await summary.subscription(aCaller())).toEqual({
      object: 'billing_subscription',
      has_payment_method: true,
      soft_limit_usd: 2,
      hard_limit_usd: 2,
      system_hard_limit_usd: 2,
      access_until: 1_800_000_000,
    });
    expect(await summary.usage(aCaller())).toEqual({ object: 'list', total_usage: 50 });
  });

  it('shows quota when the installation shows no currency', async () => {
    options = { ...options, DisplayInCurrencyEnabled: false };
    expect((await summary.subscription(aCaller())).hard_limit_usd).toBe(1_000_000);
    expect((await summary.usage(aCaller())).total_usage).toBe(25_000_000);
  });

  it('shows the account when tokens show no figures of their own; the expiry stays the token’s', async () => {
    options = { ...options, DisplayTokenStatEnabled: false };
    expect(await summary.subscription(aCaller())).toMatchObject({
      hard_limit_usd: 10,
      access_until: 1_800_000_000,
    });
    expect((await summary.usage(aCaller())).total_usage).toBe(800);
  });

  it('shows the account of a caller without a token', async () => {
    expect(await summary.subscription(aCaller({ tokenId: null }))).toMatchObject({
      hard_limit_usd: 10,
    });
  });

  it('gives an unlimited token the limit that clients read as none', async () => {
    token = { usedQuota: 1, isUnlimited: true, expiresAt: -1 };
    expect(await summary.subscription(aCaller())).toMatchObject({
      hard_limit_usd: 100_000_000,
      access_until: 0,
    });
  });

  it('shows a token its own figures in quota, whatever is shown elsewhere', async () => {
    options = { ...options, DisplayTokenStatEnabled: false };
    const caller = { ...aCaller({ modelLimits: new Set(['gpt-x', '__proto__']) }), tokenId: 3 };
    expect(await summary.tokenUsage(caller)).toEqual({
      object: 'token_usage',
      name: 'test',
      total_granted: 1_000_000,
      total_used: 250_000,
      total_available: 750_000,
      unlimited_quota: false,
      model_limits: Object.fromEntries([
        ['gpt-x', true],
        ['__proto__', true],
      ]),
      model_limits_enabled: true,
      expires_at: 1_800_000_000,
    });
    token = null;
    expect(await summary.tokenUsage({ ...aCaller(), tokenId: 3 })).toMatchObject({
      total_used: 0,
      model_limits: {},
      model_limits_enabled: false,
      expires_at: 0,
    });
  });
});

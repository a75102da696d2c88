import { Injectable } from '@nestjs/common';
import { toShownSum } from '../../common/quota.js';
import type { Caller } from '../../relay-core/model/call.js';
import { AccountMoney } from '../../base/billing/ledger/account-money.service.js';
import { UsageTotals } from '../../base/billing/ledger/usage-totals.js';
import { OptionsService } from '../../base/options/options.service.js';
import type { TokenUsageView } from './dto/token-usage.dto.js';

/** Value that clients of this API family read as "no limit". */
const NO_LIMIT = 100_000_000;

/** Former answer of OpenAI's billing pages; clients still request it. */
export interface SubscriptionView {
  readonly object: 'billing_subscription';
  readonly has_payment_method: true;
  readonly soft_limit_usd: number;
  readonly hard_limit_usd: number;
  readonly system_hard_limit_usd: number;
  /** Seconds; 0 = never. */
  readonly access_until: number;
}

export interface UsageView {
  readonly object: 'list';
  /** Hundredths of the unit. */
  readonly total_usage: number;
}

interface MetricsRegistry {
  readonly remaining: number;
  readonly used: number;
  readonly isUnlimited: boolean;
  readonly expiresAt: number;
}

/** Granted and used quota of an API token, or of its owner. */
@Injectable()
export class BillingSummaryService {
  constructor(
    private readonly figures: UsageTotals,
    private readonly money: AccountMoney,
    private readonly options: OptionsService,
  ) {}

  async subscription(caller: Caller): Promise<SubscriptionView> {
    const { remaining, used, isUnlimited, expiresAt } = await this.figuresOf(caller);
    const limit = isUnlimited ? NO_LIMIT : this.shown(toShownSum(remaining + used));
    return {
      object: 'billing_subscription',
      has_payment_method: true,
      soft_limit_usd: limit,
      hard_limit_usd: limit,
      system_hard_limit_usd: limit,
      access_until: Math.max(0, expiresAt),
    };
  }

  async usage(caller: Caller): Promise<UsageView> {
    const { used } = await this.figuresOf(caller);
    return { object: 'list', total_usage: this.shown(used) * 100 };
  }

  /** The token itself, whatever DisplayTokenStatEnabled is; in quota. */
  async tokenUsage(caller: Caller & { readonly tokenId: number }): Promise<TokenUsageView> {
    const { tokenId, tokenName, modelLimits } = caller;
    const token = await this.figures.ofToken(tokenId);
    const available = (await this.money.tokenRemaindersOf([tokenId])).get(tokenId) ?? 0;
    const used = token?.usedQuota ?? 0;
    return {
      object: 'token_usage',
      name: tokenName,
      total_granted: toShownSum(used + available),
      total_used: used,
      total_available: available,
      unlimited_quota: token?.isUnlimited ?? false,
      model_limits: Object.fromEntries([...(modelLimits ?? [])].map((model) => [model, true as const])),
      model_limits_enabled: modelLimits !== null,
      expires_at: Math.max(0, token?.expiresAt ?? 0),
    };
  }

  /** Of the token while DisplayTokenStatEnabled, else of the account. The token's expiry counts either way. */
  private async figuresOf({ tokenId, userId }: Caller): Promise<MetricsRegistry> {
    const token = tokenId === null ? null : await this.figures.ofToken(tokenId);
    const expiresAt = token?.expiresAt ?? 0;
    if (tokenId !== null && token !== null && this.options.values().DisplayTokenStatEnabled) {
      const { usedQuota: used, isUnlimited } = token;
      const remaining = (await this.money.tokenRemaindersOf([tokenId])).get(tokenId) ?? 0;
      return { remaining, used, isUnlimited, expiresAt };
    }
    const remaining = (await this.money.balancesOf([userId])).get(userId) ?? 0;
    const { charged, refunded } = await this.figures.ofUser(userId);
    return { remaining, used: charged - refunded, isUnlimited: false, expiresAt };
  }

  private shown(quota: number): number {
    const { DisplayInCurrencyEnabled, QuotaPerUnit } = this.options.values();
    return DisplayInCurrencyEnabled ? quota / QuotaPerUnit : quota;
  }
}

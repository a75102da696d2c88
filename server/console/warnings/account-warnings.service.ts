import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { ROLE } from '../../base/access/user.codes.js';
import { AccountMoney } from '../../base/billing/ledger/account-money.service.js';
import { ALL_USERS } from '../../base/billing/ledger/all-users.js';
import { UsageBuckets } from '../../base/billing/ledger/usage-buckets.js';
import { type UsageTotal, UsageTotals } from '../../base/billing/ledger/usage-totals.js';
import { AttemptStatistics } from '../../base/channel-statistics/attempt-statistics.js';
import { FailedCalls } from '../../base/logs/failed-calls.js';
import { OptionsService } from '../../base/options/options.service.js';
import { LIST_PRICES } from '../../base/pricing/defaults/list-prices.js';
import { dollarPriceOf } from '../../base/pricing/dollar-price.js';
import { OptionPriceBook } from '../../base/pricing/option-price-book.js';
import { ChannelNames } from '../../gateway/channels/state/channel-names.js';
import { ExpiringTokens } from '../../gateway/tokens/expiring-tokens.js';
import { NearLimits, type NearLimit } from '../limits/near-limits.js';
import { type AccountWarning, belowList, isFailing, isLow } from './account-warning.js';

const DAY_SECONDS = 86_400;
const WEEK_SECONDS = 7 * DAY_SECONDS;
/** Most warnings of one kind. */
const MOST = 5;
const MAX_ROWS = 2_000;

/** Sources of the names, prices, balances and limits of warnings. */
@Injectable()
export class WarningSources {
  constructor(
    readonly money: AccountMoney,
    readonly prices: OptionPriceBook,
    readonly options: OptionsService,
    readonly channels: ChannelNames,
    readonly tokens: ExpiringTokens,
  ) {}
}

/** Computes warnings: those of one account, and those of the whole instance for administrators. Nothing is stored. */
@Injectable()
export class AccountWarnings {
  constructor(
    private readonly calls: FailedCalls,
    private readonly attempts: AttemptStatistics,
    private readonly totals: UsageTotals,
    private readonly sources: WarningSources,
    private readonly limits: NearLimits,
    private readonly clock: Clock,
  ) {}

  /**
   * Warnings that concern one account: its own, and those of the instance for administrators. A model without a price comes once; limits of
   * the instance include those of the account.
   * Fails: with the database's error.
   */
  async of({ id, role }: { readonly id: number; readonly role: number }): Promise<readonly AccountWarning[]> {
    const isAdministrator = role >= ROLE.admin;
    const [ofAll, own, near] = await Promise.all([
      isAdministrator ? this.ofInstance() : [],
      this.ofAccount(id),
      isAdministrator ? this.limits.ofAll(MOST) : this.limits.ofAccount(id, MOST),
    ]);
    const ofInstance = new Set(ofAll.flatMap((each) => (each.kind === 'unpriced-model' ? [each.model] : [])));
    const others = own.filter((each) => each.kind !== 'unpriced-model' || !ofInstance.has(each.model));
    return [...ofAll, ...near.map(warningOf), ...others];
  }

  /** Warnings of one account: its own calls, tokens and balance. */
  private async ofAccount(userId: number): Promise<readonly AccountWarning[]> {
    const now = this.now();
    const [balance, tokens, models] = await Promise.all([
      this.balanceOf(userId, now),
      this.sources.tokens.of(userId, { fromSeconds: now, toSeconds: now + WEEK_SECONDS }, MOST),
      this.unpriced(now, userId),
    ]);
    const expiring = tokens.map(({ id, name, expiredTime }) => ({
      kind: 'expiring-token' as const,
      tokenId: id,
      token: name,
      expiresAt: expiredTime,
    }));
    return [...balance, ...expiring, ...models];
  }

  /** Warnings of the instance: models of all calls, their prices, and channels. */
  private async ofInstance(): Promise<readonly AccountWarning[]> {
    const now = this.now();
    const [channels, models, prices] = await Promise.all([
      this.failingChannels(now),
      this.unpriced(now),
      this.pricesBelowList(now),
    ]);
    return [...channels, ...models, ...prices];
  }

  private now(): number {
    return Math.floor(this.clock.nowMs() / 1_000);
  }

  private use(userId: number, from: number, to: number): Promise<UsageTotal[]> {
    return this.totals.byModel(userId, {
      span: { from, to },
      buckets: new UsageBuckets('day'),
      limit: MAX_ROWS,
    });
  }

  /** Models of the last week that cost less than the built-in list price; those with most calls first. */
  private async pricesBelowList(now: number): Promise<AccountWarning[]> {
    if (this.sources.options.values().SelfUseModeEnabled) return [];
    const calls = new Map<string, number>();
    for (const total of await this.use(ALL_USERS, now - WEEK_SECONDS, now))
      calls.set(total.modelName, (calls.get(total.modelName) ?? 0) + total.calls);
    const table = this.sources.prices.current();
    return [...calls]
      .toSorted((a, b) => b[1] - a[1] || a[0].localeCompare(b[0], 'en'))
      .flatMap(([model]): AccountWarning[] => {
        const list = Object.hasOwn(LIST_PRICES, model) ? LIST_PRICES[model] : undefined;
        const below = list && belowList(dollarPriceOf(table, model), list);
        return below ? [{ kind: 'price-below-list', model, ...below }] : [];
      })
      .slice(0, MOST);
  }

  private async balanceOf(userId: number, now: number): Promise<AccountWarning[]> {
    const used = await this.use(userId, now - DAY_SECONDS, now);
    const spentInDay = used.reduce((sum, { quota }) => sum + quota, 0);
    const balance = (await this.sources.money.balancesOf([userId])).get(userId) ?? 0;
    return isLow(balance, spentInDay) ? [{ kind: 'low-balance', balance, spentInDay }] : [];
  }

  /** Models that still have no price. */
  private async unpriced(now: number, userId?: number): Promise<AccountWarning[]> {
    const period = { from: now - WEEK_SECONDS, to: now + 1, ...(userId === undefined ? {} : { userId }) };
    const models = await this.calls.unpricedModels(period, MOST * 4);
    const prices = this.sources.prices.current();
    return models
      .filter(({ model }) => !prices.hasPrice(model, false))
      .slice(0, MOST)
      .map(({ model, calls }) => ({ kind: 'unpriced-model', model, calls }));
  }

  /** An auto-disabled channel makes no more attempts, so that one failure is enough. */
  private async failingChannels(now: number): Promise<AccountWarning[]> {
    const { AlertChannelFailurePercent: limit } = this.sources.options.values();
    const sums = await this.attempts.sums({ from: now - DAY_SECONDS, to: now }, { channel: true });
    const failed = sums.filter(({ failures }) => failures > 0);
    const disabled = await this.sources.channels.autoDisabled(failed.map(({ channelId }) => channelId));
    const failing = failed
      .filter((sum) => isFailing(sum, limit) || disabled.has(sum.channelId))
      .toSorted((a, b) => b.failures / b.attempts - a.failures / a.attempts || a.channelId - b.channelId)
      .slice(0, MOST);
    const names = await this.sources.channels.of(failing.map(({ channelId }) => channelId));
    return failing.map(({ channelId, attempts, failures }) => ({
      kind: 'failing-channel',
      channelId,
      channel: names.get(channelId) ?? '',
      attempts,
      failures,
    }));
  }
}

const warningOf = ({ name, ...near }: NearLimit): AccountWarning => ({
  kind: 'near-limit',
  limit: name,
  ...near,
});

import { Injectable } from '@nestjs/common';
import type { Language } from '../../common/language.js';
import { ZonedTime } from '../../common/time-zone.js';
import { ROLE } from '../../base/access/user.codes.js';
import { ALL_USERS } from '../../base/billing/ledger/all-users.js';
import { UsageBuckets } from '../../base/billing/ledger/usage-buckets.js';
import { type UsageTotal, UsageTotals } from '../../base/billing/ledger/usage-totals.js';
import { FailedCalls } from '../../base/logs/failed-calls.js';
import type {
  SummaryWarning,
  WeeklySummaryValues,
} from '../../base/notifications/mail/weekly-summary-mail.js';
import { OptionsService } from '../../base/options/options.service.js';
import { formatQuota } from '../../base/pricing/format-quota.js';
import type { Recipient } from '../../base/users/account.js';
import type { AccountWarning } from '../warnings/account-warning.js';
import { AccountWarnings } from '../warnings/account-warnings.service.js';
import type { Week } from './week.js';
import { changePercent, sumOf, topModels } from './weekly-figures.js';

const DAY_SECONDS = 86_400;
const MAX_ROWS = 5_000;

/** Language and time zone of a summary. */
export interface SummaryStyle {
  readonly language: Language;
  readonly zone: string;
}

/** Figures and warnings of one account's week; those of the instance for administrators. Never those of another account. */
@Injectable()
export class WeeklySummary {
  constructor(
    private readonly totals: UsageTotals,
    private readonly failed: FailedCalls,
    private readonly warnings: AccountWarnings,
    private readonly options: OptionsService,
  ) {}

  /** Fails: with the database's error. */
  async of(
    account: Pick<Recipient, 'id' | 'username' | 'role'>,
    week: Week,
    style: SummaryStyle,
  ): Promise<Omit<WeeklySummaryValues, 'dashboardUrl' | 'stopUrl'>> {
    const isInstance = account.role >= ROLE.admin;
    const userId = isInstance ? ALL_USERS : account.id;
    const ofLog = isInstance ? {} : { userId: account.id };
    const [now, before, failures, failedBefore, warnings] = await Promise.all([
      this.use(userId, week.from, week.to),
      this.use(userId, week.previousFrom, week.from),
      this.failed.count({ from: week.from, to: week.to, ...ofLog }),
      this.failed.count({ from: week.previousFrom, to: week.from, ...ofLog }),
      this.warnings.of(account),
    ]);
    const money = (quota: number): string => moneyText(quota, this.options.values(), style.language);
    const [sum, sumBefore] = [sumOf(now), sumOf(before)];
    return {
      scope: isInstance ? 'instance' : 'account',
      username: account.username,
      from: dayText(week.number),
      to: dayText(week.number + 6),
      zone: style.zone,
      spend: { text: money(sum.quota), changePercent: changePercent(sum.quota, sumBefore.quota) },
      calls: figure(sum.calls, sumBefore.calls),
      failures: figure(failures, failedBefore),
      models: topModels(now).map(({ name, quota, calls }) => ({ name, spend: money(quota), calls })),
      warnings: warnings.map((warning) => inWords(warning, style.zone, money)),
    };
  }

  /** @param to  seconds, exclusive */
  private async use(userId: number, from: number, to: number): Promise<readonly UsageTotal[]> {
    const span = { from, to: to - 1 };
    return this.totals.byModel(userId, { span, buckets: new UsageBuckets('day'), limit: MAX_ROWS });
  }
}

const figure = (now: number, before: number) => ({
  text: now.toLocaleString('en-US'),
  changePercent: changePercent(now, before),
});

function inWords(warning: AccountWarning, zone: string, money: (quota: number) => string): SummaryWarning {
  switch (warning.kind) {
    case 'unpriced-model':
    case 'price-below-list':
      return warning;
    case 'failing-channel':
      return { ...warning, channel: `${warning.channel} #${warning.channelId}`.trim() };
    case 'expiring-token':
      return { ...warning, at: momentText(warning.expiresAt, zone) };
    case 'near-limit':
      return {
        ...warning,
        resetsAt: warning.resetsAt === null ? null : momentText(warning.resetsAt, zone),
      };
    case 'low-balance':
      return { ...warning, balance: money(warning.balance), spentInDay: money(warning.spentInDay) };
  }
}

/** Cents are enough for sums of a week; smaller ones keep all decimals. */
function moneyText(
  quota: number,
  options: { readonly DisplayInCurrencyEnabled: boolean; readonly QuotaPerUnit: number },
  language: Language,
): string {
  const dollars = quota / options.QuotaPerUnit;
  if (!options.DisplayInCurrencyEnabled || (quota !== 0 && Math.abs(dollars) < 0.01))
    return formatQuota(quota, options, language);
  const text = Math.abs(dollars).toLocaleString('en-US', {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  });
  return `${dollars < 0 ? '-' : ''}$${text}`;
}

const dayText = (day: number): string => new Date(day * DAY_SECONDS * 1_000).toISOString().slice(0, 10);

/** 2026-11-25 13:05 */
const momentText = (seconds: number, zone: string): string =>
  new Date((seconds + ZonedTime.of(zone).offsetAt(seconds)) * 1_000)
    .toISOString()
    .slice(0, 16)
    .replace('T', ' ');

import type { TFunction } from 'i18next';
import { formatQuota, type QuotaSettings } from '../format/quota';
import type { Limit, LimitMeasure, LimitUse } from './limits.api';

/** An amount with its unit: $5.00, 2,000,000 tokens. */
export function limitAmount(
  t: TFunction,
  measure: LimitMeasure,
  amount: number,
  settings: QuotaSettings,
): string {
  if (measure === 'quota') return formatQuota(amount, settings);
  return t(`limits.amount.${measure}`, { count: amount, amount: amount.toLocaleString('en-US') });
}

/** The rule of a limit as text: "$5.00 a day". */
export function limitRule(
  t: TFunction,
  { measure, amount, period, rolling }: Pick<Limit, 'measure' | 'amount' | 'period' | 'rolling'>,
  settings: QuotaSettings,
): string {
  const text = limitAmount(t, measure, amount, settings);
  if (period === '') return text;
  const rule = t(`limits.per.${period}`, { amount: text });
  return rolling ? t('limits.rollingRule', { rule }) : rule;
}

/** The target of a limit as text: "Token CI", "Each token", "All accounts together". */
export function limitTarget(t: TFunction, limit: Limit): string {
  const { scope, each, subject_name: name, account_name: account } = limit;
  const text =
    each || scope === 'everyone' ? t(`limits.each.${scope}`) : t(`limits.target.${scope}`, { name });
  return account === '' ? text : t('limits.ofAccount', { target: text, account });
}

/** Name of the value of a use; empty for a limit that is not for each. */
export const valueName = (t: TFunction, { each }: Pick<Limit, 'each'>, use: LimitUse): string =>
  each && use.value === '' ? t('limits.otherValues') : use.value_name;

/** Share of the amount that is used or set aside, in percent; a limit of 0 is full. */
export const usedPercent = ({ used, held, amount }: Pick<LimitUse, 'used' | 'held' | 'amount'>): number =>
  amount === 0 ? 100 : ((used + held) / amount) * 100;

export type UseTone = 'fine' | 'near' | 'full';

/** Percent from which a limit without warnings is near. */
const NEAR_PERCENT = 80;

/** Near from the first percent that the limit warns at. */
export function useTone(percent: number, { warn_at: warnAt }: Pick<Limit, 'warn_at'>): UseTone {
  if (percent >= 100) return 'full';
  return percent >= (warnAt.length === 0 ? NEAR_PERCENT : Math.min(...warnAt)) ? 'near' : 'fine';
}

/** A moment in the time zone of limits: "15 May 2026, 00:00 UTC". */
export function zonedMoment(seconds: number, zone: string, language: string): string {
  const text = new Intl.DateTimeFormat(language, {
    dateStyle: 'medium',
    timeStyle: 'short',
    hourCycle: 'h23',
    timeZone: zone,
  }).format(seconds * 1_000);
  return `${text} ${zone}`;
}

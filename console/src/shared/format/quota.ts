/** How the settings want quota shown (public status). */
export interface QuotaSettings {
  readonly quotaPerUnit: number;
  readonly inCurrency: boolean;
}

export const DEFAULT_QUOTA_SETTINGS: QuotaSettings = { quotaPerUnit: 500_000, inCurrency: true };

/**
 * Quota as people read it: `$1.23` in currency mode, else `9 876`, `12.3k`, `4.5M`, `6.7B` (k from 10,000).
 * An amount that two decimals would show as $0.00 keeps two significant digits, so that a charge never looks free.
 */
export function formatQuota(quota: number, settings: QuotaSettings = DEFAULT_QUOTA_SETTINGS): string {
  const sign = quota < 0 ? '−' : '';
  const size = Math.abs(quota);
  return sign + (settings.inCurrency ? formatDollars(size / settings.quotaPerUnit) : abbreviate(size));
}

/** A difference: always with its sign. */
export function formatQuotaDelta(quota: number, settings: QuotaSettings = DEFAULT_QUOTA_SETTINGS): string {
  return quota > 0 ? `+${formatQuota(quota, settings)}` : formatQuota(quota, settings);
}

/** The exact integer, grouped by thousands, without unit. */
export function exactQuota(quota: number): string {
  return quota.toLocaleString('en-US');
}

/** Dollars to quota, rounded to the nearest unit. */
export function dollarsToQuota(dollars: number, quotaPerUnit: number): number {
  return Math.round(dollars * quotaPerUnit);
}

export function formatDollars(dollars: number): string {
  if (dollars === 0 || dollars >= 0.01) {
    return `$${dollars.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
  }
  const digits = Math.min(8, 1 - Math.floor(Math.log10(dollars)));
  return `$${dollars.toFixed(digits)}`;
}

/** 9999 → 9,999; 12,300 → 12.3k; then M and B. */
export function abbreviate(value: number): string {
  const steps = [
    { from: 1_000_000_000, unit: 'B' },
    { from: 1_000_000, unit: 'M' },
    { from: 10_000, unit: 'k', divisor: 1_000 },
  ];
  for (const { from, unit, divisor } of steps) {
    if (value < from) continue;
    const short = Math.floor((value / (divisor ?? from)) * 10) / 10;
    return `${short.toLocaleString('en-US')}${unit}`;
  }
  return value.toLocaleString('en-US');
}

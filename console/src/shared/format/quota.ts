/** Display of quota, from the settings (public status). */
export interface QuotaSettings {
  readonly quotaPerUnit: number;
  readonly inCurrency: boolean;
}

const DEFAULT_QUOTA_SETTINGS: QuotaSettings = { quotaPerUnit: 500_000, inCurrency: true };

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

function formatDollars(dollars: number): string {
  if (dollars === 0 || dollars >= 0.01) {
    return `$${dollars.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
  }
  const digits = Math.min(8, 1 - Math.floor(Math.log10(dollars)));
  return `$${dollars.toFixed(digits)}`;
}

const STEPS = [
  { from: 1_000_000_000, unit: 'B', divisor: 1_000_000_000 },
  { from: 1_000_000, unit: 'M', divisor: 1_000_000 },
  { from: 10_000, unit: 'k', divisor: 1_000 },
] as const;

/** 9999 → 9,999; 12,300 → 12.3k; then M and B. */
export function abbreviate(value: number): string {
  const step = STEPS.find(({ from }) => value >= from);
  if (step === undefined) return value.toLocaleString('en-US');
  const short = Math.floor((value / step.divisor) * 10) / 10;
  return `${short.toLocaleString('en-US')}${step.unit}`;
}

/**
 * Figures of one axis, all with the same unit and as many decimals as the finest needs: beside each other, rounded ones would lie.
 * @param settings  undefined = counts, not quota
 */
export function axisText(ticks: readonly number[], settings?: QuotaSettings): (value: number) => string {
  const inDollars = settings?.inCurrency === true;
  const largest = Math.max(0, ...ticks.map(Math.abs));
  const step = inDollars ? undefined : STEPS.find(({ from }) => largest >= from);
  const divisor = inDollars ? settings.quotaPerUnit : (step?.divisor ?? 1);
  const digits = Math.max(inDollars ? 2 : 0, ...ticks.map((tick) => decimalsOf(tick / divisor)));
  const shape = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return (value) => {
    if (value === 0 && !inDollars) return '0';
    const text = (value / divisor).toLocaleString('en-US', shape);
    return inDollars ? `$${text}` : `${text}${step?.unit ?? ''}`;
  };
}

const MAX_DECIMALS = 8;

/** Decimals that a figure needs, without the errors of binary fractions. */
function decimalsOf(value: number): number {
  for (let decimals = 0; decimals < MAX_DECIMALS; decimals += 1) {
    const scaled = Math.abs(value) * 10 ** decimals;
    if (Math.abs(scaled - Math.round(scaled)) <= 1e-9 * Math.max(1, scaled)) return decimals;
  }
  return MAX_DECIMALS;
}

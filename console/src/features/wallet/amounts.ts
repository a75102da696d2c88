import type { PayMethod, TopUpInfo } from './api';

export interface AmountRules {
  readonly min: number;
  readonly max: number;
  /** Amounts offered as buttons. */
  readonly presets: readonly number[];
}

type Counting = Pick<TopUpInfo, 'amount_counts' | 'amount_options' | 'max_topup'>;

/** Least amount of a way to pay, in the unit of the amount: units, or quota. Never below 1. */
export function rulesOf(info: Counting, method: PayMethod | undefined, quotaPerUnit: number): AmountRules {
  const scale = info.amount_counts === 'unit' ? 1 : quotaPerUnit;
  const min = Math.max(1, Math.ceil((method?.min_topup ?? 1) * scale));
  const max = Math.floor(info.max_topup * scale);
  const presets = info.amount_options
    .map((units) => Math.round(units * scale))
    .filter((amount) => amount >= min && amount <= max);
  return { min, max, presets };
}

/** Percent off an amount, 0 = none. Discounts are listed by whole units. */
export function percentOff(
  info: Pick<TopUpInfo, 'amount_counts' | 'discount'>,
  amount: number,
  quotaPerUnit: number,
): number {
  const units = info.amount_counts === 'unit' ? amount : amount / quotaPerUnit;
  const factor = info.discount[String(units)] ?? 1;
  return factor > 0 && factor < 1 ? Number((100 - factor * 100).toFixed(2)) : 0;
}

/** Quota an amount is worth. */
export function quotaOf(
  info: Pick<TopUpInfo, 'amount_counts'>,
  amount: number,
  quotaPerUnit: number,
): number {
  return info.amount_counts === 'unit' ? Math.round(amount * quotaPerUnit) : amount;
}

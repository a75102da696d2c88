import type { Language } from '../../common/language.js';

const POINTS: Readonly<Record<Language, string>> = { en: ' points', zh: ' 点额度' };

/**
 * Quota as texts of the server show it: dollars with six decimals, or points. Shown only: what is charged and
 * booked stays the whole number.
 * @param quota  whole quota, negative for what is taken
 */
export function formatQuota(
  quota: number,
  options: { readonly DisplayInCurrencyEnabled: boolean; readonly QuotaPerUnit: number },
  language: Language = 'en',
): string {
  if (!options.DisplayInCurrencyEnabled) return `${quota}${POINTS[language]}`;
  const dollars = Math.abs(quota) / options.QuotaPerUnit;
  return `${quota < 0 ? '-' : ''}$${dollars.toFixed(6)}`;
}

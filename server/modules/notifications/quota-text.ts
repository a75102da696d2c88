import type { Language } from '../../common/http/language.js';

const POINTS: Readonly<Record<Language, string>> = { en: ' points', zh: ' 点额度' };

/** Quota as letters and notices show it (console API 10.1): dollars with six decimals, or the figure itself. */
export function quotaText(
  quota: number,
  options: { readonly DisplayInCurrencyEnabled: boolean; readonly QuotaPerUnit: number },
  language: Language,
): string {
  if (!options.DisplayInCurrencyEnabled) return `${quota}${POINTS[language]}`;
  // Shown only: what is charged and booked stays the whole number.
  return `＄${(quota / options.QuotaPerUnit).toFixed(6)}`;
}

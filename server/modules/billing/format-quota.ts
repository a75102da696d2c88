/**
 * Quota as texts of the server show it (console API 10.1): dollars with six decimals, or points.
 * @param quota  whole quota, negative for what is taken
 */
export function formatQuota(
  quota: number,
  options: { readonly DisplayInCurrencyEnabled: boolean; readonly QuotaPerUnit: number },
): string {
  if (!options.DisplayInCurrencyEnabled) return `${quota} points`;
  const dollars = Math.abs(quota) / options.QuotaPerUnit;
  return `${quota < 0 ? '-' : ''}＄${dollars.toFixed(6)}`;
}

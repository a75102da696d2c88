import { abbreviate, axisText, formatQuota } from '../../shared/format/quota';
import { useQuotaSettings } from '../../shared/session/status';
import type { Measure } from './use-sums';

/** A figure as its measure is written: money by the settings, counts grouped and short. */
export function useMeasureText(measure: Measure): (value: number) => string {
  const settings = useQuotaSettings();
  return (value) => (measure === 'quota' ? formatQuota(value, settings) : abbreviate(value));
}

/** A figure beside others of one axis. @param ticks  all of them */
export function useAxisText(measure: Measure): (value: number, ticks: readonly number[]) => string {
  const settings = useQuotaSettings();
  return (value, ticks) => axisText(ticks, measure === 'quota' ? settings : undefined)(value);
}

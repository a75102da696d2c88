import { abbreviate, formatQuota } from '../../shared/format/quota';
import { useQuotaSettings } from '../../shared/session/status';
import type { Measure } from './use-sums';

/** A figure as its measure is written: money as the settings say, counts grouped and short. */
export function useMeasureText(measure: Measure): (value: number) => string {
  const settings = useQuotaSettings();
  return (value) => (measure === 'quota' ? formatQuota(value, settings) : abbreviate(value));
}

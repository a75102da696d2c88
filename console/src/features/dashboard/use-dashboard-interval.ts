import { useStatus } from '../../shared/session/status';

/** Minutes between two reads while the status is unknown. */
const DEFAULT_MINUTES = 5;

/** Milliseconds after which an open dashboard reads its figures again, as the operator wants it. */
export const useDashboardInterval = (): number =>
  (useStatus()?.data_export_interval ?? DEFAULT_MINUTES) * 60_000;

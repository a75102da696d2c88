import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, dataOf } from '../../api/client';
import { useMemo } from 'react';
import { isTooMany } from '../../api/api-error';
import { notifyRetryAfter } from '../feedback/pause';
import { storedDashboard, storedDrawingLog, storedTaskLog } from '../browser/stored';
import { useStored } from '../browser/use-stored';
import { isRecord } from '../format/json';
import type { QuotaSettings } from '../format/quota';
import type { Schemas } from '../../api/schemas';
import { ownAddress } from '../browser/base-path';

/** Public status of the instance. */
export type Status = Schemas['Status'];

const DEFAULT_SYSTEM_NAME = 'Tollgate';

export const statusQuery = queryOptions({
  queryKey: ['status', 'one'],
  queryFn: async ({ signal }) => {
    try {
      const status = await dataOf(api.GET('/api/status', { signal }));
      rememberStatus(status);
      return status;
    } catch (error) {
      const known = isTooMany(error) ? storedStatus() : undefined;
      if (known === undefined) throw error;
      notifyRetryAfter(error);
      return known;
    }
  },
  staleTime: 60_000,
  // A page that mounts asks no more often than the rest of it: the bar, or the reader, refreshes in time.
  retryOnMount: false,
  meta: { failure: 'status', isPageRead: true },
});

/** Data of the last visit; undefined when there is none, or it was another account's. */
function storedStatus(): Status | undefined {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem('status') ?? 'null');
    return isStatus(stored) ? stored : undefined;
  } catch {
    return undefined;
  }
}

export const isStatus = (stored: unknown): stored is Status =>
  isRecord(stored) &&
  typeof stored['setup'] === 'boolean' &&
  typeof stored['system_name'] === 'string' &&
  typeof stored['quota_per_unit'] === 'number' &&
  Array.isArray(stored['chats']);

/** Keys other consoles of the API family read from local storage. */
export function rememberStatus(status: Status): void {
  try {
    localStorage.setItem('status', JSON.stringify(status));
    localStorage.setItem('quota_per_unit', String(status.quota_per_unit));
    localStorage.setItem('display_in_currency', String(status.display_in_currency));
    localStorage.setItem('mj_notify_enabled', String(status.mj_notify_enabled));
    localStorage.setItem('footer_html', status.footer_html);
    localStorage.setItem('chats', JSON.stringify(status.chats));
  } catch {
    // Storage is a courtesy to other tools here; this console reads the query.
  }
  storedDashboard.write(status.enable_data_export ? 'true' : 'false');
  storedDrawingLog.write(status.enable_drawing ? 'true' : 'false');
  storedTaskLog.write(status.enable_task ? 'true' : 'false');
}

export function useStatus(): Status | undefined {
  return useQuery(statusQuery).data;
}

/** Pages not every instance has a use for. */
export interface ShownLogs {
  readonly dashboard: boolean;
  readonly drawings: boolean;
  readonly tasks: boolean;
}

/** Which of them the operator shows; until the status is known, as it was stored last. */
export function useShownLogs(): ShownLogs {
  const status = useStatus();
  const dashboard = useStored(storedDashboard) === 'true';
  const drawings = useStored(storedDrawingLog) === 'true';
  const tasks = useStored(storedTaskLog) === 'true';
  return useMemo(
    () => ({
      dashboard: status?.enable_data_export ?? dashboard,
      drawings: status?.enable_drawing ?? drawings,
      tasks: status?.enable_task ?? tasks,
    }),
    [status, dashboard, drawings, tasks],
  );
}

export function useSystemName(): string {
  const name = useStatus()?.system_name ?? '';
  return name === '' ? DEFAULT_SYSTEM_NAME : name;
}

export function useQuotaSettings(): QuotaSettings {
  const status = useStatus();
  return { quotaPerUnit: status?.quota_per_unit ?? 500_000, inCurrency: status?.display_in_currency ?? true };
}

/** Address clients call: the operator's public one, else where this console was loaded from. */
export function useServerAddress(): string {
  const address = useStatus()?.server_address ?? '';
  return (address === '' ? ownAddress() : address).replace(/\/+$/, '');
}

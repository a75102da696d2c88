import { queryOptions, useMutation } from '@tanstack/react-query';
import { callForData, download } from '../../api/client';
import { callWrappedPage, type PageRequest } from '../../api/page';
import { shownZone } from '../../shared/format/zone';
import type { Schemas } from '../../api/schemas';
import { saveFile } from '../../shared/browser/save-file';

/** A line of the usage log; `id` is the row for administrators, the position within the list for users. */
export type LogLine = Readonly<Schemas['LogLine']>;

/** Filters as the address and the server write them; empty = not filtered. */
export interface LogFilters {
  readonly type: string;
  readonly model_name: string;
  readonly token_name: string;
  readonly username: string;
  readonly channel: string;
  readonly group: string;
  /** Seconds. */
  readonly start_timestamp: string;
  readonly end_timestamp: string;
}

/** What the server takes from ordinary users: neither username nor channel. */
function queryFor(filters: LogFilters, asAdministrator: boolean): Record<string, string> {
  const { username, channel, ...own } = filters;
  return asAdministrator ? { ...own, username, channel } : own;
}

export interface LogRequest {
  readonly filters: LogFilters;
  readonly asAdministrator: boolean;
}

export function logsQuery({ filters, asAdministrator, page, pageSize }: LogRequest & PageRequest) {
  return queryOptions({
    queryKey: ['logs', 'list', { filters, asAdministrator, page, pageSize }],
    queryFn: ({ signal }) =>
      callWrappedPage<LogLine>(
        asAdministrator ? '/api/log/' : '/api/log/self',
        { page, pageSize },
        {
          query: queryFor(filters, asAdministrator),
          signal,
        },
      ),
    placeholderData: (previous) => previous,
  });
}

export type LogStatistics = Schemas['LogStat'];

export function logStatisticsQuery({ filters, asAdministrator }: LogRequest) {
  return queryOptions({
    queryKey: ['logs', 'stat', { filters, asAdministrator }],
    queryFn: ({ signal }) =>
      callForData<LogStatistics>('GET', asAdministrator ? '/api/log/stat' : '/api/log/self/stat', {
        query: queryFor(filters, asAdministrator),
        signal,
      }),
    placeholderData: (previous) => previous,
  });
}

/** Every line of the filters as a file of the browser. */
export function useExportLogs() {
  return useMutation({
    mutationFn: async ({ filters, asAdministrator }: LogRequest) => {
      const path = asAdministrator ? '/api/log/export' : '/api/log/self/export';
      const file = await download(path, {
        query: { ...queryFor(filters, asAdministrator), time_zone: shownZone() },
      });
      saveFile(file.name, file.content);
    },
  });
}

/** How a line is named when its explanation is asked for: by its call, which users may know, else by its row. */
export function logReference(line: Pick<LogLine, 'id' | 'request_id'>): string {
  return line.request_id ?? String(line.id);
}

/** Why a call cost what it cost, and the way it took. */
export type Explanation = Schemas['ChargeExplanation'];
export type Attempt = Explanation['attempts'][number];

export function explanationQuery(reference: string) {
  return queryOptions({
    queryKey: ['logs', 'explain', reference],
    queryFn: ({ signal }) =>
      callForData<Explanation>('GET', `/api/log/${encodeURIComponent(reference)}/explain`, { signal }),
    staleTime: Infinity,
  });
}

export type LogUser = Pick<
  Schemas['User'],
  'id' | 'username' | 'quota' | 'used_quota' | 'request_count' | 'group'
>;

export function logUserQuery(id: number) {
  return queryOptions({
    queryKey: ['logs', 'user', id],
    queryFn: ({ signal }) => callForData<LogUser>('GET', `/api/user/${id}`, { signal }),
  });
}

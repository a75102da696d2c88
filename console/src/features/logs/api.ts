import { queryOptions, useMutation } from '@tanstack/react-query';
import { api, dataOf, fileOf } from '../../api/client';
import { countedFromOne, numberIn, type PageRequest } from '../../api/page';
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
  readonly request_id: string;
  /** Seconds. */
  readonly start_timestamp: string;
  readonly end_timestamp: string;
}

/** What the server takes from ordinary users: neither username nor channel. */
const ownQueryOf = ({
  type,
  model_name,
  token_name,
  group,
  request_id,
  start_timestamp,
  end_timestamp,
}: LogFilters) => ({
  type: numberIn(type),
  model_name,
  token_name,
  group,
  request_id,
  start_timestamp: numberIn(start_timestamp),
  end_timestamp: numberIn(end_timestamp),
});

const queryOf = (filters: LogFilters) => ({
  ...ownQueryOf(filters),
  username: filters.username,
  channel: numberIn(filters.channel),
});

export interface LogRequest {
  readonly filters: LogFilters;
  readonly asAdministrator: boolean;
}

export function logsQuery({ filters, asAdministrator, page, pageSize }: LogRequest & PageRequest) {
  return queryOptions({
    queryKey: ['logs', 'list', { filters, asAdministrator, page, pageSize }],
    queryFn: ({ signal }) => {
      const paging = countedFromOne({ page, pageSize });
      return dataOf(
        asAdministrator
          ? api.GET('/api/log', { params: { query: { ...queryOf(filters), ...paging } }, signal })
          : api.GET('/api/log/self', { params: { query: { ...ownQueryOf(filters), ...paging } }, signal }),
      );
    },
    placeholderData: (previous) => previous,
  });
}

export function logStatisticsQuery({ filters, asAdministrator }: LogRequest) {
  return queryOptions({
    queryKey: ['logs', 'stat', { filters, asAdministrator }],
    queryFn: ({ signal }) =>
      dataOf(
        asAdministrator
          ? api.GET('/api/log/stat', { params: { query: queryOf(filters) }, signal })
          : api.GET('/api/log/self/stat', { params: { query: ownQueryOf(filters) }, signal }),
      ),
    placeholderData: (previous) => previous,
  });
}

/** Every line of the filters as a file of the browser. */
export function useExportLogs() {
  return useMutation({
    mutationFn: async ({ filters, asAdministrator }: LogRequest) => {
      const time_zone = shownZone();
      const file = await fileOf(
        asAdministrator
          ? api.GET('/api/log/export', {
              params: { query: { ...queryOf(filters), time_zone } },
              parseAs: 'blob',
            })
          : api.GET('/api/log/self/export', {
              params: { query: { ...ownQueryOf(filters), time_zone } },
              parseAs: 'blob',
            }),
      );
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
      dataOf(api.GET('/api/log/{reference}/explain', { params: { path: { reference } }, signal })),
    staleTime: Infinity,
  });
}

export function logUserQuery(id: number) {
  return queryOptions({
    queryKey: ['logs', 'user', id],
    queryFn: ({ signal }) => dataOf(api.GET('/api/user/{id}', { params: { path: { id } }, signal })),
  });
}

import { queryOptions, useMutation } from '@tanstack/react-query';
import i18next from 'i18next';
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
  /** `calls`: answered and failed calls alone. */
  readonly kind: string;
  readonly model_name: string;
  readonly token_name: string;
  readonly username: string;
  /** One account, under every name it had. */
  readonly user_id: string;
  readonly channel: string;
  readonly group: string;
  readonly request_id: string;
  readonly tag: string;
  readonly end_user: string;
  /** `1` = only calls of which an attempt at a channel failed. */
  readonly failed_attempt: string;
  /** Seconds. */
  readonly start_timestamp: string;
  readonly end_timestamp: string;
  /** Column of the largest first; empty = newest first. */
  readonly sort: string;
}

/** Filters the server accepts from ordinary users: neither username, channel nor attempts. */
const ownQueryOf = ({
  type,
  kind,
  model_name,
  token_name,
  group,
  request_id,
  tag,
  end_user,
  start_timestamp,
  end_timestamp,
}: LogFilters) => ({
  type: numberIn(type),
  kind,
  model_name,
  token_name,
  group,
  request_id,
  tag,
  end_user,
  start_timestamp: numberIn(start_timestamp),
  end_timestamp: numberIn(end_timestamp),
});

const queryOf = (filters: LogFilters) => ({
  ...ownQueryOf(filters),
  username: filters.username,
  user_id: numberIn(filters.user_id),
  channel: numberIn(filters.channel),
  failed_attempt: numberIn(filters.failed_attempt),
});

export interface LogRequest {
  readonly filters: LogFilters;
  readonly asAdministrator: boolean;
}

export function logsQuery({ filters, asAdministrator, page, pageSize }: LogRequest & PageRequest) {
  return queryOptions({
    // The server writes refusals in the reader's language.
    queryKey: ['logs', 'list', { filters, asAdministrator, page, pageSize, language: i18next.language }],
    queryFn: ({ signal }) => {
      const paging = { ...countedFromOne({ page, pageSize }), sort: filters.sort };
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

/** Exact values for the filters by a part of a name: of the whole installation for administrators, else the reader's own. */
export function logSuggestionsQuery(keyword: string, asAdministrator: boolean) {
  return queryOptions({
    queryKey: ['logs', 'suggestions', { keyword, asAdministrator }],
    queryFn: ({ signal }) =>
      dataOf(
        asAdministrator
          ? api.GET('/api/log/suggestions', { params: { query: { keyword } }, signal })
          : api.GET('/api/log/self/suggestions', { params: { query: { keyword } }, signal }),
      ),
    staleTime: 30_000,
  });
}

/** Every line of the filters as a file of the browser, with sums at its end. */
export function useExportLogs() {
  return useMutation({
    mutationFn: async ({ filters, asAdministrator }: LogRequest) => {
      const time_zone = shownZone();
      const file = await fileOf(
        asAdministrator
          ? api.GET('/api/log/export', {
              params: { query: { ...queryOf(filters), time_zone, sums: true } },
              parseAs: 'blob',
            })
          : api.GET('/api/log/self/export', {
              params: { query: { ...ownQueryOf(filters), time_zone, sums: true } },
              parseAs: 'blob',
            }),
      );
      saveFile(file.name, file.content);
    },
  });
}

/** Reference for requesting a line's explanation: its call id, which users may know, else its row id. */
export function logReference(line: Pick<LogLine, 'id' | 'request_id'>): string {
  return line.request_id ?? String(line.id);
}

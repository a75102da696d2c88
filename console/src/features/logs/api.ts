import { queryOptions } from '@tanstack/react-query';
import { callForData } from '../../api/client';
import { callWrappedPage, type PageRequest } from '../../api/page';

export interface LogLine {
  /** Row id for administrators; the position within the list for users. */
  readonly id: number;
  readonly user_id: number;
  readonly created_at: number;
  readonly type: number;
  readonly content: string;
  readonly username: string;
  readonly token_name: string;
  readonly model_name: string;
  readonly group: string;
  readonly quota: number;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  /** Whole seconds. */
  readonly use_time: number;
  readonly is_stream: boolean;
  readonly channel: number;
  readonly channel_name: string;
  readonly token_id: number;
  /** JSON object. */
  readonly other: string;
  readonly request_id: string | null;
}

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

export interface LogStatistics {
  readonly quota: number;
  readonly rpm: number;
  readonly tpm: number;
}

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

/** How a line is named when its explanation is asked for: by its call, which users may know, else by its row. */
export function logReference(line: Pick<LogLine, 'id' | 'request_id'>): string {
  return line.request_id ?? String(line.id);
}

export interface ChargeStep {
  readonly part: string;
  readonly count: number;
  readonly ratio: string;
  readonly subtotal: string;
}

/** Why a call cost what it cost, and the way it took. */
export interface Explanation {
  readonly outcome: string;
  readonly evidence: string;
  readonly price_revision: number;
  /** The model had no price: the fallback ratio was used. */
  readonly is_price_unset: boolean;
  readonly charge: {
    readonly mode: 'ratio' | 'call';
    readonly steps: readonly ChargeStep[];
    readonly base_ratio: string;
    readonly group_ratio: string;
    readonly exact: string;
    readonly rounding: string;
    readonly priced: number;
    readonly charged: number;
    readonly writeoff: number;
    /** A later correction of an estimate; positive = given back. */
    readonly correction: number;
    readonly is_consistent: boolean;
    readonly formula: string;
  };
  readonly first_byte_ms: number | null;
  readonly duration_ms: number | null;
  /** Empty for ordinary users. */
  readonly attempts: readonly Attempt[];
}

export interface Attempt {
  readonly channel_id: number;
  readonly channel_name: string;
  /** Null where an older log did not record times. */
  readonly started_at_ms: number | null;
  readonly ended_at_ms: number | null;
  /** Empty = it answered. */
  readonly failure: string;
  readonly upstream_status: number | null;
}

export function explanationQuery(reference: string) {
  return queryOptions({
    queryKey: ['logs', 'explain', reference],
    queryFn: ({ signal }) =>
      callForData<Explanation>('GET', `/api/log/${encodeURIComponent(reference)}/explain`, { signal }),
    staleTime: Infinity,
  });
}

export interface LogUser {
  readonly id: number;
  readonly username: string;
  readonly quota: number;
  readonly used_quota: number;
  readonly request_count: number;
  readonly group: string;
}

export function logUserQuery(id: number) {
  return queryOptions({
    queryKey: ['logs', 'user', id],
    queryFn: ({ signal }) => callForData<LogUser>('GET', `/api/user/${id}`, { signal }),
  });
}

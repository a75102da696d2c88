import { queryOptions } from '@tanstack/react-query';
import { api, dataOf } from '../../api/client';
import type { Schemas } from '../../api/schemas';
import { shownZone } from '../../shared/format/zone';
import { isMark, type Mark, type UsePart } from './use-filters';

/** Use of one hour or day, by model or by account. */
export type Use = Schemas['Use'];
export type ChannelHealth = Schemas['ChannelHealth'];

/** Account of the use: the user's own, all accounts, or one by name. */
export type UseScope =
  | { readonly who: 'self'; readonly by: 'model' | 'token' | Mark }
  | { readonly who: 'everybody'; readonly by: 'model' | UsePart }
  | { readonly who: 'account'; readonly username: string };

/** Use of one hour or day under a name. */
export interface NamedUse {
  readonly created_at: number;
  readonly count: number;
  readonly quota: number;
  readonly token_used: number;
  /** Null = all that the server has no room for, together. */
  readonly name: string | null;
  /** Account of the use; undefined where it is split otherwise, 0 = all others together. */
  readonly userId?: number;
  /** Filters of the usage log that show exactly these calls. */
  readonly filters: Readonly<Record<string, string>>;
}

const REFRESH_MS = 60_000;

/** Span of the sums in seconds, the end not included. */
export interface UseSpan {
  readonly start: number;
  readonly end: number;
  readonly grain: 'hour' | 'day';
}

/** Figures of a span by hours or days of the shown time zone. @param refreshMs  after which they are read again */
export function useOfSpanQuery(scope: UseScope, { start, end, grain }: UseSpan, refreshMs: number) {
  const zone = shownZone();
  return queryOptions({
    queryKey: ['dashboard', 'use', scope, start, end, grain, zone],
    queryFn: async ({ signal }): Promise<NamedUse[]> => {
      const query = { start_timestamp: start, end_timestamp: end - 1, grain, time_zone: zone };
      const wish = { params: { query }, signal };
      if (scope.who !== 'account' && isMark(scope.by))
        return byMark(scope.by, scope.who === 'everybody', { start, end }, signal);
      if (scope.who === 'self')
        return scope.by === 'token'
          ? byToken((await dataOf(api.GET('/api/data/self/tokens', wish))).rows, false)
          : byModel(await dataOf(api.GET('/api/data/self', wish)), {});
      if (scope.who === 'account') {
        const { username } = scope;
        const rows = await dataOf(
          api.GET('/api/data', { params: { query: { ...query, username } }, signal }),
        );
        return byModel(rows, { username });
      }
      if (scope.by === 'account') return byAccount(await dataOf(api.GET('/api/data/users', wish)));
      if (scope.by === 'token') return byToken((await dataOf(api.GET('/api/data/tokens', wish))).rows, true);
      if (scope.by === 'channel') return byChannel((await dataOf(api.GET('/api/data/channels', wish))).rows);
      return byModel(await dataOf(api.GET('/api/data', wish)), {});
    },
    placeholderData: (previous) => previous,
    refetchInterval: refreshMs,
  });
}

const byModel = (rows: readonly Use[], filters: Readonly<Record<string, string>>): NamedUse[] =>
  rows.map((row) => ({
    ...row,
    name: row.model_name === '' ? null : row.model_name,
    filters: { ...filters, model_name: row.model_name },
  }));

const byAccount = (rows: readonly Use[]): NamedUse[] =>
  rows.map((row) => ({
    ...row,
    name: row.user_id === 0 ? null : row.username === '' ? `#${row.user_id}` : row.username,
    userId: row.user_id,
    filters: { username: row.username },
  }));

type ReferenceRow = Schemas['ReferenceUse']['rows'][number];

const byToken = (rows: readonly ReferenceRow[], isNamedByOwner: boolean): NamedUse[] =>
  rows.map((row) => ({
    ...row,
    name: row.reference === 0 ? null : isNamedByOwner ? `${row.name} · ${row.username}` : row.name,
    filters: { token_name: row.name, ...(isNamedByOwner ? { username: row.username } : {}) },
  }));

const byChannel = (rows: readonly ReferenceRow[]): NamedUse[] =>
  rows.map((row) => ({
    ...row,
    name: row.reference === 0 ? null : `${row.reference} · ${row.name}`,
    filters: { channel: String(row.reference) },
  }));

/** Charges by tag or end user and day in UTC; days that the span touches count whole. */
async function byMark(
  mark: Mark,
  ofEverybody: boolean,
  { start, end }: Pick<UseSpan, 'start' | 'end'>,
  signal: AbortSignal,
): Promise<NamedUse[]> {
  const query = { by: mark, start_timestamp: start, end_timestamp: end - 1 };
  const path = ofEverybody ? '/api/data/tags' : '/api/data/self/tags';
  const { rows } = await dataOf(api.GET(path, { params: { query }, signal }));
  return rows.map((row) => ({
    ...row,
    name: row.value === '' ? null : ofEverybody ? `${row.value} · ${row.username}` : row.value,
    filters: { [mark]: row.value, ...(ofEverybody ? { username: row.username } : {}) },
  }));
}

export type AttemptUse = Schemas['AttemptUse'];

/** Attempts, failures and times of the installation. For administrators. */
export function attemptUseQuery(by: 'model' | 'channel', { start, end, grain }: UseSpan, refreshMs: number) {
  const zone = shownZone();
  return queryOptions({
    queryKey: ['dashboard', 'attempts', by, start, end, grain, zone],
    queryFn: ({ signal }) => {
      const query = { start_timestamp: start, end_timestamp: end - 1, grain, time_zone: zone, by };
      return dataOf(api.GET('/api/data/attempts', { params: { query }, signal }));
    },
    placeholderData: (previous) => previous,
    refetchInterval: refreshMs,
  });
}

/** Calls and failures of every channel in the last 24 hours. */
export const healthQuery = queryOptions({
  queryKey: ['dashboard', 'health'],
  queryFn: ({ signal }) => dataOf(api.GET('/api/channel/health', { signal })),
  refetchInterval: REFRESH_MS,
});

export type Warning = Schemas['Warning'];

/** Conditions that make calls fail or lose money: of the reader's account, and of the installation for administrators. */
export const warningsQuery = queryOptions({
  queryKey: ['dashboard', 'warnings'],
  queryFn: ({ signal }) => dataOf(api.GET('/api/data/warnings', { signal })),
  refetchInterval: REFRESH_MS,
});

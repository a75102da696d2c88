import { queryOptions } from '@tanstack/react-query';
import { api, dataOf } from '../../api/client';
import { countedFromOne, numberIn, type PageRequest } from '../../api/page';
import type { Schemas } from '../../api/schemas';

/** One recorded act. */
export type AuditEvent = Readonly<Schemas['AuditEvent']>;
export type AuditChain = Readonly<Schemas['AuditChain']>;

/** Texts as the server takes them; empty = not filtered. */
export interface AuditFilters {
  readonly actor_id: string;
  /** A whole action, or its beginning with `*` at the end. */
  readonly action: string;
  readonly target_type: string;
  readonly target_id: string;
  /** Seconds since 1970. */
  readonly start_timestamp: string;
  readonly end_timestamp: string;
}

export function auditQuery({ filters, ...page }: PageRequest & { filters: AuditFilters }) {
  return queryOptions({
    queryKey: ['audit', 'list', { ...filters, ...page }],
    queryFn: ({ signal }) => {
      const { actor_id, start_timestamp, end_timestamp, ...texts } = filters;
      const numbers = {
        actor_id: numberIn(actor_id),
        start_timestamp: numberIn(start_timestamp),
        end_timestamp: numberIn(end_timestamp),
      };
      const query = { ...texts, ...numbers, ...countedFromOne(page) };
      return dataOf(api.GET('/api/audit', { params: { query }, signal }));
    },
    placeholderData: (previous) => previous,
  });
}

/** Returns true while the record is as it was written: the server follows the whole chain, which takes a moment on a long one. */
export const auditChainQuery = queryOptions({
  queryKey: ['audit', 'chain'],
  queryFn: ({ signal }) => dataOf(api.GET('/api/audit/chain', { signal })),
  staleTime: 60_000,
  refetchOnWindowFocus: false,
});

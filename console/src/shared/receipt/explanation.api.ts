import { queryOptions } from '@tanstack/react-query';
import { api, dataOf } from '../../api/client';
import type { Schemas } from '../../api/schemas';

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

import { queryOptions } from '@tanstack/react-query';
import { api, dataOf } from '../../api/client';

/** The operator's notice; empty when there is none. */
export const noticeQuery = queryOptions({
  queryKey: ['notice', 'one'],
  queryFn: ({ signal }) => dataOf(api.GET('/api/notice', { signal })),
  staleTime: 60_000,
  meta: { isPageRead: true },
});

import { queryOptions } from '@tanstack/react-query';
import { api, dataOf } from '../../api/client';

/** Operator's about page: empty, text or HTML, or a bare https address that is shown in a frame. */
export const aboutContentQuery = queryOptions({
  queryKey: ['about', 'one'],
  queryFn: ({ signal }) => dataOf(api.GET('/api/about', { signal })),
  staleTime: 60_000,
  meta: { isPageRead: true },
});

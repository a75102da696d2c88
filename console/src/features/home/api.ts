import { queryOptions } from '@tanstack/react-query';
import { api, dataOf } from '../../api/client';

/** Operator's home page: empty, text or HTML, or a bare https address that is shown in a frame. */
export const homeContentQuery = queryOptions({
  queryKey: ['home', 'one'],
  queryFn: ({ signal }) => dataOf(api.GET('/api/home_page_content', { signal })),
  staleTime: 60_000,
  meta: { isPageRead: true },
});

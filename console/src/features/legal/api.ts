import { queryOptions } from '@tanstack/react-query';
import { api, dataOf } from '../../api/client';

/** Empty, text or HTML, or a bare https address that is shown in a frame. */
export const legalTextQuery = (document: 'user-agreement' | 'privacy-policy') =>
  queryOptions({
    queryKey: ['legal', document],
    queryFn: ({ signal }) => dataOf(api.GET(`/api/${document}`, { signal })),
    staleTime: 60_000,
    meta: { isPageRead: true },
  });

import { queryOptions } from '@tanstack/react-query';
import { api, dataOf } from '../../api/client';
import { countedFromOne, type PageRequest } from '../../api/page';

/** Filters of the list; empty = none. */
interface LimitFilters {
  readonly keyword: string;
  readonly scope: string;
  readonly near: string;
}

export function limitsQuery({ keyword, scope, near, ...page }: PageRequest & LimitFilters) {
  return queryOptions({
    queryKey: ['limits', 'list', { keyword, scope, near, ...page }],
    queryFn: ({ signal }) => {
      const query = { keyword, scope, near: near === 'true', ...countedFromOne(page) };
      return dataOf(api.GET('/api/limits', { params: { query }, signal }));
    },
    placeholderData: (previous) => previous,
  });
}

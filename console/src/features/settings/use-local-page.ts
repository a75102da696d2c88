import { useState } from 'react';

const FIRST_PAGE_SIZE = 10;

/** Pages of rows the console already has, in the shape tables take. */
export function useLocalPage<T>(rows: readonly T[]) {
  const [page, setPage] = useState(1);
  const [pageSize, setPageSize] = useState(FIRST_PAGE_SIZE);
  const firstPage = () => setPage(1);
  return {
    firstPage,
    page: {
      query: {
        data: { items: rows.slice((page - 1) * pageSize, page * pageSize), total: rows.length },
        error: null,
        isError: false,
        isFetching: false,
        refetch: () => undefined,
      },
      paging: {
        page,
        pageSize,
        setPage,
        setPageSize: (size: number) => {
          setPageSize(size);
          firstPage();
        },
      },
    },
  };
}

import Box from '@mui/material/Box';
import LinearProgress from '@mui/material/LinearProgress';
import useMediaQuery from '@mui/material/useMediaQuery';
import { useEffect, useMemo } from 'react';
import { storedColumns, storedDensity } from '../browser/stored';
import { useStored } from '../browser/use-stored';
import { Failed } from '../feedback/failed';
import { CardList } from './card-list';
import { chosenColumns } from './columns';
import { ListEmpty } from './list-empty';
import { ListPager } from './list-pager';
import type { DataTableProps } from './table-props';
import { TableGrid } from './table-grid';
import { TableSkeleton } from './table-skeleton';

/** From here on a table has room for all its columns. */
const WIDE_PX = 1_200;

/** The one table: rows on a desk, cards on a phone; skeleton first, dimmed while fetching, empty and failed designed. */
export function DataTable<T>(props: DataTableProps<T>) {
  const { columns, name, query, paging } = props;
  const isPhone = useMediaQuery('(max-width:600px)');
  const choice = useStored(useMemo(() => storedColumns(name), [name]));
  const density = useStored(storedDensity);
  const isNarrow = useMediaQuery(`(max-width:${WIDE_PX - 1}px)`);
  const shown = useMemo(() => chosenColumns(columns, choice, !isNarrow), [columns, choice, isNarrow]);
  const rows = query.data?.items;
  const total = query.data?.total ?? 0;

  // The last row of a page was deleted: step back instead of showing an empty page.
  const beyondEnd = paging !== undefined && rows?.length === 0 && paging.page > 1 && !query.isFetching;
  useEffect(() => {
    if (beyondEnd) paging.setPage(total > 0 ? Math.ceil(total / paging.pageSize) : paging.page - 1);
  }, [beyondEnd, paging, total]);

  if (rows === undefined) {
    return query.isError && !query.isFetching ? (
      <Failed title={props.failedTitle} error={query.error} onRetry={() => void query.refetch()} />
    ) : (
      <TableSkeleton columns={isPhone ? 1 : shown.length} density={isPhone ? 'cards' : density} />
    );
  }

  return (
    <Box sx={{ position: 'relative' }} aria-busy={query.isFetching}>
      {query.isFetching && (
        <LinearProgress
          aria-hidden
          sx={{ position: 'absolute', insetInline: 0, top: 0, height: 2, zIndex: 3 }}
        />
      )}
      {query.isError && (
        <Failed title={props.failedTitle} error={query.error} onRetry={() => void query.refetch()} />
      )}
      <Box sx={{ opacity: query.isFetching ? 0.55 : 1, transition: 'opacity 120ms 120ms' }}>
        {rows.length === 0 ? (
          <ListEmpty list={paging}>{props.empty}</ListEmpty>
        ) : isPhone ? (
          <CardList {...props} rows={rows} />
        ) : (
          <TableGrid {...props} columns={shown} rows={rows} density={density} />
        )}
      </Box>
      {paging !== undefined && total > 0 && <ListPager {...paging} total={total} />}
    </Box>
  );
}

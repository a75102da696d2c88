import ReceiptLongOutlined from '@mui/icons-material/ReceiptLongOutlined';
import Box from '@mui/material/Box';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams, useSearchParams } from 'react-router';
import { lazyDialog } from '../../shared/feedback/lazy-dialog';
import { Empty } from '../../shared/feedback/empty';
import { PageHeader } from '../../shared/page/page-header';
import { useOpenParameter } from '../../shared/page/use-open-parameter';
import { isAdministrator, useCurrentUser } from '../../api/current-user';
import { DataTable } from '../../shared/table/data-table';
import { useListState } from '../../shared/table/use-list-state';
import { Clipped } from '../../shared/value/clipped';
import { useNow } from '../../shared/value/use-now';
import { logReference, logsQuery } from './api';
import { CALL_COLUMNS, useLogColumns } from './log-columns';
import { LOG_FILTERS, NARROWING, serverFilters } from './log-filters';
import { logText } from './log-text';
import { LogStatistics } from './log-statistics';
import { isCall } from './log.labels';
import { LogToolbar } from './log-toolbar';
import { useLogTexts } from './use-log-texts';

const LogDrawer = lazyDialog(
  async () => (await import('./log-drawer')).LogDrawer,
  ({ reference }) => reference !== null,
);

const LIVE_MS = 3_000;
/** Lines the server counts, and those it sorts; beyond, older lines are left out. */
const COUNTED = 100_000;
const SORTED = 200_000;

export function LogsPage() {
  return <LogList />;
}

/** The calls of one account, for administrators: a tab of its page. */
export function AccountCalls() {
  return <LogList accountId={Number(useParams()['id'])} />;
}

/** @param accountId  0 = lines of every account, under the heading of the page */
function LogList({ accountId = 0 }: { accountId?: number }) {
  const { t } = useTranslation();
  const asAdministrator = isAdministrator(useCurrentUser());
  const list = useListState(LOG_FILTERS, NARROWING);
  const [live, setLive] = useState(false);
  const minute = Math.floor(useNow() / 60) * 60;
  const filters = useMemo(
    () => serverFilters(list.filters, minute, accountId),
    [list.filters, minute, accountId],
  );
  const refetchMs = live ? LIVE_MS : false;
  const query = useQuery({
    ...logsQuery({ filters, asAdministrator, page: list.page, pageSize: list.pageSize }),
    refetchInterval: refetchMs,
  });
  const [opened, open, close] = useOpenParameter('open');
  const columns = useLogColumns({ asAdministrator, ofAccount: accountId !== 0, onFilter: list.setFilters });
  const words = useLogTexts();
  const [, setSearch] = useSearchParams();
  const openRequest = (id: string) => setSearch({ request_id: id, open: id });
  const total = query.data?.total ?? 0;
  const line = query.data?.items.find((each) => logReference(each) === opened);
  // A live list renews itself every few seconds; dimming it each time would make it blink.
  const shownQuery = live ? { ...query, isFetching: false } : query;

  return (
    <>
      {accountId === 0 ? (
        <PageHeader
          title={t('logs.title')}
          explanation={t('logs.lead')}
          action={<LogStatistics request={{ filters, asAdministrator }} refetchMs={refetchMs} />}
        />
      ) : (
        <Box sx={{ mb: 2 }}>
          <LogStatistics request={{ filters, asAdministrator }} refetchMs={refetchMs} />
        </Box>
      )}
      <Paper variant="outlined" sx={{ overflow: 'hidden' }}>
        <LogToolbar
          list={list}
          columns={columns}
          asAdministrator={asAdministrator}
          request={{ filters, asAdministrator }}
          live={live}
          onLive={setLive}
          onRefresh={() => void query.refetch()}
          onRequest={openRequest}
        />
        {filters.sort !== '' && total >= COUNTED && (
          <Typography variant="body2" color="textSecondary" role="status" sx={{ px: 2, pb: 1.5 }}>
            {t('logs.sort.note', { count: SORTED.toLocaleString('en-US') })}
          </Typography>
        )}
        <DataTable
          fixed
          sort={{ by: list.filters.sort, onChange: (sort) => list.setFilters({ sort }) }}
          name="logs"
          label={t('logs.listLabel')}
          columns={columns}
          query={shownQuery}
          rowId={(row) => row.id}
          rowName={(row) => `${row.model_name} ${row.id}`.trim()}
          onOpen={(row) => open(logReference(row))}
          across={{
            columns: CALL_COLUMNS,
            render: (row) => (isCall(row) ? null : <Clipped text={logText(row, words)} maxWidth="100%" />),
          }}
          paging={list}
          empty={
            <Empty
              icon={<ReceiptLongOutlined />}
              title={t('logs.empty.title')}
              explanation={t('logs.empty.text')}
            />
          }
          failedTitle={t('logs.loadFailed')}
        />
      </Paper>
      <LogDrawer reference={opened} line={line} onClose={close} />
    </>
  );
}

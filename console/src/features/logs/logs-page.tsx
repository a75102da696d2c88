import ReceiptLongOutlined from '@mui/icons-material/ReceiptLongOutlined';
import Paper from '@mui/material/Paper';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyDialog } from '../../shared/feedback/lazy-dialog';
import { Empty } from '../../shared/feedback/empty';
import { PageHeader } from '../../shared/page/page-header';
import { useOpenParameter } from '../../shared/page/use-open-parameter';
import { isAdministrator, useCurrentUser } from '../../api/current-user';
import { DataTable } from '../../shared/table/data-table';
import { useListState } from '../../shared/table/use-list-state';
import { Clipped } from '../../shared/value/clipped';
import { useNow } from '../../shared/value/use-now';
import { logReference, logsQuery, type LogLine } from './api';
import { CALL_COLUMNS, useLogColumns } from './log-columns';
import { LOG_FILTERS, serverFilters } from './log-filters';
import { logText } from './log-text';
import { LogStatistics } from './log-statistics';
import { isCall } from './log.labels';
import { LogToolbar } from './log-toolbar';
import { useLogTexts } from './use-log-texts';

const LogDrawer = lazyDialog(
  async () => (await import('./log-drawer')).LogDrawer,
  ({ reference }) => reference !== null,
);
const UserDialog = lazyDialog(
  async () => (await import('./user-dialog')).UserDialog,
  ({ line }) => line !== null,
);

const LIVE_MS = 3_000;

export function LogsPage() {
  const { t } = useTranslation();
  const asAdministrator = isAdministrator(useCurrentUser());
  const list = useListState(LOG_FILTERS);
  const [live, setLive] = useState(false);
  const minute = Math.floor(useNow() / 60) * 60;
  const filters = useMemo(() => serverFilters(list.filters, minute), [list.filters, minute]);
  const refetchMs = live ? LIVE_MS : false;
  const query = useQuery({
    ...logsQuery({ filters, asAdministrator, page: list.page, pageSize: list.pageSize }),
    refetchInterval: refetchMs,
  });
  const [opened, open, close] = useOpenParameter('open');
  const [asked, setAsked] = useState<LogLine | null>(null);
  const columns = useLogColumns({ asAdministrator, onFilter: list.setFilters, onUser: setAsked });
  const words = useLogTexts();
  const line = query.data?.items.find((each) => logReference(each) === opened);
  // A live list renews itself every few seconds; dimming it each time would make it blink.
  const shownQuery = live ? { ...query, isFetching: false } : query;

  return (
    <>
      <PageHeader
        title={t('logs.title')}
        explanation={t('logs.lead')}
        action={<LogStatistics request={{ filters, asAdministrator }} refetchMs={refetchMs} />}
      />
      <Paper variant="outlined" sx={{ overflow: 'hidden' }}>
        <LogToolbar
          list={list}
          columns={columns}
          asAdministrator={asAdministrator}
          request={{ filters, asAdministrator }}
          live={live}
          onLive={setLive}
          onRefresh={() => void query.refetch()}
        />
        <DataTable
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
      <UserDialog line={asked} onClose={() => setAsked(null)} />
    </>
  );
}

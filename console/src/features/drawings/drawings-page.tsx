import BrushOutlined from '@mui/icons-material/BrushOutlined';
import Paper from '@mui/material/Paper';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyDialog } from '../../shared/feedback/lazy-dialog';
import { Empty } from '../../shared/feedback/empty';
import { PageHeader } from '../../shared/page/page-header';
import { useOpenParameter } from '../../shared/page/use-open-parameter';
import { RECORD_FILTERS, recordRequest, useRangeMinute } from '../../shared/records/record-filters';
import { RecordToolbar } from '../../shared/records/record-toolbar';
import { isAdministrator, useCurrentUser } from '../../api/current-user';
import { DataTable } from '../../shared/table/data-table';
import { useListState } from '../../shared/table/use-list-state';
import { drawingsQuery } from './api';
import { CallbackNotice } from './callback-notice';
import { useDrawingColumns } from './drawing-columns';

const DrawingDrawer = lazyDialog(
  async () => (await import('./drawing-drawer')).DrawingDrawer,
  ({ drawing }) => drawing !== null,
);

/** The usual range, in seconds from now. */
const BACK_SECONDS = 30 * 86_400;
const AHEAD_SECONDS = 3_600;

export function DrawingsPage() {
  const { t } = useTranslation();
  const asAdministrator = isAdministrator(useCurrentUser());
  const list = useListState(RECORD_FILTERS);
  const [minute, renew] = useRangeMinute();
  const usual = useMemo(() => ({ start: minute - BACK_SECONDS, end: minute + AHEAD_SECONDS }), [minute]);
  const request = recordRequest(list.filters, usual, asAdministrator);
  const query = useQuery(drawingsQuery({ ...request, page: list.page, pageSize: list.pageSize }));
  const columns = useDrawingColumns(asAdministrator);
  const [opened, open, close] = useOpenParameter('open');
  const drawing = query.data?.items.find(({ id }) => String(id) === opened) ?? null;

  return (
    <>
      <PageHeader title={t('drawings.title')} explanation={t('drawings.lead')} />
      <CallbackNotice />
      <Paper variant="outlined" sx={{ overflow: 'hidden' }}>
        <RecordToolbar
          table="drawings"
          list={list}
          columns={columns}
          asAdministrator={asAdministrator}
          usual={usual}
          onRefresh={() => {
            if (!renew()) void query.refetch();
          }}
        />
        <DataTable
          name="drawings"
          label={t('drawings.listLabel')}
          columns={columns}
          query={query}
          rowId={(row) => row.id}
          rowName={(row) => row.mj_id}
          onOpen={(row) => open(String(row.id))}
          paging={list}
          empty={
            <Empty
              icon={<BrushOutlined />}
              title={t('drawings.empty.title')}
              explanation={t('drawings.empty.text')}
            />
          }
          failedTitle={t('drawings.loadFailed')}
        />
      </Paper>
      <DrawingDrawer drawing={drawing} columns={columns} onClose={close} />
    </>
  );
}

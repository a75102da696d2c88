import HistoryEduOutlined from '@mui/icons-material/HistoryEduOutlined';
import Paper from '@mui/material/Paper';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyDialog } from '../../shared/feedback/lazy-dialog';
import { Empty } from '../../shared/feedback/empty';
import { PageHeader } from '../../shared/page/page-header';
import { useOpenParameter } from '../../shared/page/use-open-parameter';
import { DataTable } from '../../shared/table/data-table';
import { useListState } from '../../shared/table/use-list-state';
import { useNow } from '../../shared/value/use-now';
import { auditQuery } from './api';
import { useAuditColumns } from './audit-columns';
import { AUDIT_FILTERS, serverFilters } from './audit-filters';
import { AuditToolbar } from './audit-toolbar';
import { ChainState } from './chain-state';
import { useActionName } from '../../shared/audit-actions/use-action-name';

const AuditDrawer = lazyDialog(
  async () => (await import('./audit-drawer')).AuditDrawer,
  ({ event }) => event !== null,
);

/** Acts of administrators; for root alone. */
export function AuditPage() {
  const { t } = useTranslation();
  const list = useListState(AUDIT_FILTERS);
  const minute = Math.floor(useNow() / 60) * 60;
  const filters = useMemo(() => serverFilters(list.filters, minute), [list.filters, minute]);
  const query = useQuery(auditQuery({ filters, page: list.page, pageSize: list.pageSize }));
  const actionName = useActionName();
  const columns = useAuditColumns({ onFilter: list.setFilters });
  const [opened, open, close] = useOpenParameter('open');
  const event = query.data?.items.find((each) => String(each.sequence) === opened) ?? null;
  return (
    <>
      <PageHeader title={t('audit.title')} explanation={t('audit.lead')} />
      <ChainState />
      <Paper variant="outlined" sx={{ overflow: 'hidden' }}>
        <AuditToolbar list={list} columns={columns} onRefresh={() => void query.refetch()} />
        <DataTable
          name="audit"
          label={t('audit.listLabel')}
          columns={columns}
          query={query}
          rowId={(row) => row.sequence}
          rowName={(row) => `${row.sequence} ${actionName(row.action)}`}
          onOpen={(row) => open(String(row.sequence))}
          paging={list}
          empty={
            <Empty
              icon={<HistoryEduOutlined />}
              title={t('audit.empty.title')}
              explanation={t('audit.empty.text')}
            />
          }
          failedTitle={t('audit.loadFailed')}
        />
      </Paper>
      <AuditDrawer event={event} onClose={close} />
    </>
  );
}

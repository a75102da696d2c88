import AssignmentOutlined from '@mui/icons-material/AssignmentOutlined';
import Paper from '@mui/material/Paper';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyDialog } from '../../shared/feedback/lazy-dialog';
import { Empty } from '../../shared/feedback/empty';
import { startOfDay } from '../../shared/format/timestamp';
import { PageHeader } from '../../shared/page/page-header';
import { useOpenParameter } from '../../shared/page/use-open-parameter';
import { RECORD_FILTERS, recordRequest } from '../../shared/records/record-filters';
import { RecordToolbar } from '../../shared/records/record-toolbar';
import { isAdministrator, useCurrentUser } from '../../api/current-user';
import { DataTable } from '../../shared/table/data-table';
import { useListState } from '../../shared/table/use-list-state';
import { useNow } from '../../shared/value/use-now';
import { tasksQuery } from './api';
import { useTaskColumns } from './task-columns';

const TextDialog = lazyDialog(
  async () => (await import('../../shared/records/text-dialog')).TextDialog,
  () => true,
);

export function TasksPage() {
  const { t } = useTranslation();
  const asAdministrator = isAdministrator(useCurrentUser());
  const list = useListState(RECORD_FILTERS);
  const midnight = startOfDay(useNow());
  const usual = useMemo(() => ({ start: midnight, end: undefined }), [midnight]);
  const request = recordRequest(list.filters, usual, asAdministrator);
  const query = useQuery(tasksQuery({ ...request, page: list.page, pageSize: list.pageSize }));
  const columns = useTaskColumns(asAdministrator);
  const [opened, open, close] = useOpenParameter('open');
  const task = query.data?.items.find(({ id }) => String(id) === opened);

  return (
    <>
      <PageHeader title={t('tasks.title')} explanation={t('tasks.lead')} />
      <Paper variant="outlined" sx={{ overflow: 'hidden' }}>
        <RecordToolbar
          table="tasks"
          list={list}
          columns={columns}
          asAdministrator={asAdministrator}
          usual={usual}
          onRefresh={() => void query.refetch()}
        />
        <DataTable
          name="tasks"
          label={t('tasks.listLabel')}
          columns={columns}
          query={query}
          rowId={(row) => row.id}
          rowName={(row) => row.task_id}
          onOpen={(row) => open(String(row.id))}
          paging={list}
          empty={
            <Empty
              icon={<AssignmentOutlined />}
              title={t('tasks.empty.title')}
              explanation={t('tasks.empty.text')}
            />
          }
          failedTitle={t('tasks.loadFailed')}
        />
      </Paper>
      {task !== undefined && (
        <TextDialog
          open
          title={t('tasks.record', { id: task.task_id === '' ? task.id : task.task_id })}
          text={JSON.stringify(task, null, 2)}
          mono
          onClose={close}
        />
      )}
    </>
  );
}

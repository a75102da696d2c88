import AddRounded from '@mui/icons-material/AddRounded';
import SpeedOutlined from '@mui/icons-material/SpeedOutlined';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Paper from '@mui/material/Paper';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Empty } from '../../shared/feedback/empty';
import { lazyDialog } from '../../shared/feedback/lazy-dialog';
import { LimitActions } from '../../shared/limits/limit-actions';
import type { LimitValues } from '../../shared/limits/limit.schema';
import { SCOPES } from '../../shared/limits/limit-scopes';
import { limitRightsQuery } from '../../shared/limits/limits.api';
import { PageHeader } from '../../shared/page/page-header';
import { useOpenParameter } from '../../shared/page/use-open-parameter';
import { useQuotaSettings } from '../../shared/session/status';
import { ColumnChooser } from '../../shared/table/column-chooser';
import { DataTable } from '../../shared/table/data-table';
import { FilterSelect } from '../../shared/table/filter-select';
import { ListToolbar } from '../../shared/table/list-toolbar';
import { SearchBox } from '../../shared/table/search-box';
import { boundFilter, filterChips, useListState } from '../../shared/table/use-list-state';
import { limitsQuery } from './api';
import { useLimitColumns } from './limit-columns';
import { templates } from './templates';

const LimitDrawer = lazyDialog(
  async () => (await import('../../shared/limits/limit-drawer')).LimitDrawer,
  () => true,
);

const FILTERS = { keyword: '', scope: '', near: '' } as const;

/** Limits of every account with their use; administrators. */
export function LimitsPage() {
  const { t } = useTranslation();
  const { quotaPerUnit } = useQuotaSettings();
  const list = useListState(FILTERS);
  const query = useQuery(limitsQuery({ ...list.filters, page: list.page, pageSize: list.pageSize }));
  const rights = useQuery(limitRightsQuery).data;
  const zone = rights?.time_zone ?? 'UTC';
  const columns = useLimitColumns();
  const [edited, open, close] = useOpenParameter('edit');
  const [start, setStart] = useState<Partial<LimitValues>>();
  const openWith = (values?: Partial<LimitValues>) => {
    setStart(values);
    open('new');
  };
  const offered = templates(quotaPerUnit).filter(
    ({ values }) => values.scope !== undefined && rights?.scopes.includes(values.scope) === true,
  );
  const addButton = (
    <Button variant="contained" startIcon={<AddRounded />} onClick={() => openWith()}>
      {t('limits.add')}
    </Button>
  );
  return (
    <>
      <PageHeader title={t('limits.title')} explanation={t('limits.lead', { zone })} action={addButton} />
      {rights?.binding === false && (
        <Alert severity="warning" sx={{ mb: 2 }}>
          {t('limits.notBinding')}
        </Alert>
      )}
      <Paper variant="outlined" sx={{ overflow: 'hidden' }}>
        <ListToolbar
          search={<SearchBox {...boundFilter(list, 'keyword')} label={t('limits.search')} width={240} />}
          filters={
            <>
              <FilterSelect
                value={list.filters.scope}
                label={t('limits.form.scope')}
                values={SCOPES}
                text={(scope) => t(`limits.scope.${scope}`)}
                all={t('limits.allScopes')}
                onChange={(scope) => list.setFilters({ scope })}
              />
              <FilterSelect
                value={list.filters.near}
                label={t('limits.nearFilter')}
                values={['true'] as const}
                text={() => t('limits.near')}
                all={t('limits.allUse')}
                onChange={(near) => list.setFilters({ near })}
              />
            </>
          }
          {...filterChips(list, (filter) => t(`limits.chip.${filter}`, { value: list.filters[filter] }))}
          onRefresh={() => void query.refetch()}
          tools={<ColumnChooser table="limits" columns={columns} />}
        />
        <DataTable
          name="limits"
          label={t('limits.listLabel')}
          columns={columns}
          query={query}
          rowId={(limit) => limit.id}
          rowName={(limit) => limit.name}
          onOpen={(limit) => open(String(limit.id))}
          canOpen={(limit) => limit.may_change}
          isMuted={(limit) => !limit.enabled}
          actions={(limit) => <LimitActions limit={limit} onEdit={({ id }) => open(String(id))} />}
          actionsBeside
          paging={list}
          empty={
            <Empty
              icon={<SpeedOutlined />}
              title={t('limits.empty.title')}
              explanation={t('limits.empty.text')}
              action={
                <Box sx={{ display: 'flex', gap: 1, flexWrap: 'wrap', justifyContent: 'center' }}>
                  {offered.map(({ id, values }) => (
                    <Button key={id} variant="outlined" onClick={() => openWith(values)}>
                      {t(`limits.template.${id}`)}
                    </Button>
                  ))}
                </Box>
              }
            />
          }
          failedTitle={t('limits.loadFailed')}
        />
      </Paper>
      {edited !== null && (edited === 'new' || /^\d{1,10}$/.test(edited)) && (
        <LimitDrawer
          key={edited}
          edited={edited === 'new' ? 'new' : Number(edited)}
          {...(start === undefined ? {} : { start })}
          onClose={close}
        />
      )}
    </>
  );
}

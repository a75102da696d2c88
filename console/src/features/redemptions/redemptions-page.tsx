import AddRounded from '@mui/icons-material/AddRounded';
import ConfirmationNumberOutlined from '@mui/icons-material/ConfirmationNumberOutlined';
import Button from '@mui/material/Button';
import Paper from '@mui/material/Paper';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyDialog } from '../../shared/feedback/lazy-dialog';
import { useConfirm } from '../../shared/dialog/confirm';
import { Empty } from '../../shared/feedback/empty';
import { useUndo } from '../../shared/feedback/use-undo';
import { PageHeader } from '../../shared/page/page-header';
import { useOpenParameter } from '../../shared/page/use-open-parameter';
import { isRoot, useCurrentUser } from '../../api/current-user';
import { ColumnChooser } from '../../shared/table/column-chooser';
import { CopySelected } from '../../shared/table/copy-selected';
import { DataTable } from '../../shared/table/data-table';
import { ListToolbar } from '../../shared/table/list-toolbar';
import { SearchBox } from '../../shared/table/search-box';
import { SelectionBar } from '../../shared/table/selection-bar';
import type { RowId } from '../../shared/table/table-props';
import { boundFilter, filterChips, useListState } from '../../shared/table/use-list-state';
import { redemptionsQuery, useDeleteInvalidRedemptions } from './api';
import type { NewCodes } from './new-codes-dialog';
import { RedemptionActions } from './redemption-actions';
import { useRedemptionColumns } from './redemption-columns';
import { isEditable, isReadable, REDEMPTION_STATUS } from './redemption.labels';

const RedemptionDrawer = lazyDialog(
  async () => (await import('./redemption-drawer')).RedemptionDrawer,
  () => true,
);
const NewCodesDialog = lazyDialog(
  async () => (await import('./new-codes-dialog')).NewCodesDialog,
  () => true,
);
const CreatorsDialog = lazyDialog(
  async () => (await import('./creators-dialog')).CreatorsDialog,
  () => true,
);

const FILTERS = { keyword: '' } as const;
const NOTHING: ReadonlySet<never> = new Set();

/** Codes that turn into quota; administrators. */
export function RedemptionsPage() {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const offerUndo = useUndo('redemptions');
  const mayAudit = isRoot(useCurrentUser());
  const list = useListState(FILTERS);
  const query = useQuery(redemptionsQuery({ ...list.filters, page: list.page, pageSize: list.pageSize }));
  const columns = useRedemptionColumns();
  const [edited, open, close] = useOpenParameter('edit');
  const [selected, setSelected] = useState<ReadonlySet<RowId>>(NOTHING);
  const [made, setMade] = useState<NewCodes | null>(null);
  const [creatorsShown, setCreatorsShown] = useState(false);
  const removeInvalid = useDeleteInvalidRedemptions();

  const chosen = query.data?.items.filter((code) => selected.has(code.id)) ?? [];
  const readable = chosen.filter(isReadable);
  const askAndClean = async () => {
    const yes = await confirm({
      title: t('redemptions.confirm.invalid'),
      consequence: t('redemptions.confirm.invalidText'),
      action: t('common.delete'),
      danger: true,
    });
    if (yes)
      removeInvalid.mutate(undefined, {
        onSuccess: ({ data, ids }) => offerUndo(t('redemptions.done.invalid', { count: data }), ids),
      });
  };
  const addButton = (
    <Button variant="contained" startIcon={<AddRounded />} onClick={() => open('new')}>
      {t('redemptions.add')}
    </Button>
  );

  return (
    <>
      <PageHeader
        title={t('redemptions.title')}
        explanation={t('redemptions.lead')}
        action={
          <>
            {mayAudit && (
              <Button variant="outlined" color="inherit" onClick={() => setCreatorsShown(true)}>
                {t('redemptions.creators.open')}
              </Button>
            )}
            <Button
              variant="outlined"
              color="inherit"
              loading={removeInvalid.isPending}
              onClick={() => void askAndClean()}
            >
              {t('redemptions.clean')}
            </Button>
            {addButton}
          </>
        }
      />
      <Paper variant="outlined" sx={{ overflow: 'hidden' }}>
        <ListToolbar
          search={<SearchBox {...boundFilter(list, 'keyword')} label={t('redemptions.search')} width={280} />}
          {...filterChips(list, (filter) => t(`redemptions.chip.${filter}`, { value: list.filters[filter] }))}
          onRefresh={() => void query.refetch()}
          tools={<ColumnChooser table="redemptions" columns={columns} />}
        />
        <SelectionBar count={chosen.length} onClear={() => setSelected(NOTHING)}>
          <CopySelected
            label={t('redemptions.copySelected')}
            texts={readable.map((code) => `${code.name}    ${code.key}`)}
            done={t('redemptions.done.copied', { count: readable.length })}
          />
        </SelectionBar>
        <DataTable
          name="redemptions"
          label={t('redemptions.listLabel')}
          columns={columns}
          query={query}
          rowId={(code) => code.id}
          rowName={(code) => `${code.name} #${code.id}`}
          onOpen={(code) => open(String(code.id))}
          canOpen={isEditable}
          isMuted={(code) => code.status !== REDEMPTION_STATUS.unused}
          selection={{ selected, onChange: setSelected }}
          actions={(code) => <RedemptionActions code={code} onEdit={(each) => open(String(each.id))} />}
          actionsBeside
          paging={list}
          empty={
            <Empty
              icon={<ConfirmationNumberOutlined />}
              title={t('redemptions.empty.title')}
              explanation={t('redemptions.empty.text')}
              action={addButton}
            />
          }
          failedTitle={t('redemptions.loadFailed')}
        />
      </Paper>
      {edited !== null && (edited === 'new' || /^\d+$/.test(edited)) && (
        <RedemptionDrawer
          key={edited}
          edited={edited === 'new' ? 'new' : Number(edited)}
          onClose={close}
          onMade={(codes) => {
            close();
            setMade(codes);
          }}
        />
      )}
      {made !== null && <NewCodesDialog made={made} onClose={() => setMade(null)} />}
      {creatorsShown && <CreatorsDialog onClose={() => setCreatorsShown(false)} />}
    </>
  );
}

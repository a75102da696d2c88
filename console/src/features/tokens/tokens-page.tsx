import AddRounded from '@mui/icons-material/AddRounded';
import DeleteOutlineRounded from '@mui/icons-material/DeleteOutlineRounded';
import KeyOutlined from '@mui/icons-material/KeyOutlined';
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Paper from '@mui/material/Paper';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyDialog } from '../../shared/feedback/lazy-dialog';
import { useConfirm } from '../../shared/dialog/confirm';
import { Empty } from '../../shared/feedback/empty';
import { toast } from '../../shared/feedback/toast';
import { PageHeader } from '../../shared/page/page-header';
import { useOpenParameter } from '../../shared/page/use-open-parameter';
import { ColumnChooser } from '../../shared/table/column-chooser';
import { CopySelected } from '../../shared/table/copy-selected';
import { DataTable } from '../../shared/table/data-table';
import type { RowId } from '../../shared/table/table-props';
import { ListToolbar } from '../../shared/table/list-toolbar';
import { SearchBox } from '../../shared/table/search-box';
import { SelectionBar } from '../../shared/table/selection-bar';
import { boundFilter, filterChips, useListState } from '../../shared/table/use-list-state';
import { clientKey, hasReadableKey, tokensQuery, useDeleteTokens, type Token } from './api';
import { TokenActions } from './token-actions';
import { useTokenColumns } from './token-columns';
import { TOKEN_STATUS } from './token.labels';

const TokenDrawer = lazyDialog(
  async () => (await import('./token-drawer')).TokenDrawer,
  () => true,
);
const UseTokenDialog = lazyDialog(
  async () => (await import('./use-token-dialog')).UseTokenDialog,
  ({ token }) => token !== null,
);

const FILTERS = { keyword: '', key: '' } as const;
const NOTHING: ReadonlySet<never> = new Set();

export function TokensPage() {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const list = useListState(FILTERS);
  const query = useQuery(tokensQuery({ ...list.filters, page: list.page, pageSize: list.pageSize }));
  const columns = useTokenColumns();
  const [edited, open, close] = useOpenParameter('edit');
  const [selected, setSelected] = useState<ReadonlySet<RowId>>(NOTHING);
  const [used, setUsed] = useState<Token | null>(null);
  const removeMany = useDeleteTokens();

  const chosen = query.data?.items.filter((token) => selected.has(token.id)) ?? [];
  const readable = chosen.filter(hasReadableKey);
  const deleteChosen = async () => {
    const yes = await confirm({
      title: t('tokens.confirm.deleteMany', { count: chosen.length }),
      consequence: t('tokens.confirm.deleteText'),
      action: t('common.delete'),
      danger: true,
    });
    if (!yes) return;
    removeMany.mutate(
      chosen.map((token) => token.id),
      {
        onSuccess: (count) => {
          toast('success', t('tokens.done.deletedMany', { count: count ?? chosen.length }));
          setSelected(NOTHING);
        },
      },
    );
  };
  const addButton = (
    <Button variant="contained" startIcon={<AddRounded />} onClick={() => open('new')}>
      {t('tokens.add')}
    </Button>
  );

  return (
    <>
      <PageHeader title={t('tokens.title')} explanation={t('tokens.lead')} action={addButton} />
      <Alert severity="warning" sx={{ mb: 2 }}>
        {t('tokens.warning')}
      </Alert>
      <Paper variant="outlined" sx={{ overflow: 'hidden' }}>
        <ListToolbar
          search={<SearchBox {...boundFilter(list, 'keyword')} label={t('tokens.search')} />}
          filters={<SearchBox {...boundFilter(list, 'key')} label={t('tokens.searchKey')} width={200} />}
          {...filterChips(list, (filter) =>
            t(filter === 'key' ? 'tokens.chipKey' : 'tokens.chipName', {
              value: list.filters[filter],
            }),
          )}
          onRefresh={() => void query.refetch()}
          tools={<ColumnChooser table="tokens" columns={columns} />}
        />
        <SelectionBar count={chosen.length} onClear={() => setSelected(NOTHING)}>
          <CopySelected
            label={t('tokens.batch.copy')}
            texts={readable.map((token) => `${token.name}    ${clientKey(token)}`)}
            done={t('tokens.done.copied', { count: readable.length })}
          />
          <Button
            size="small"
            color="error"
            startIcon={<DeleteOutlineRounded />}
            onClick={() => void deleteChosen()}
          >
            {t('tokens.batch.delete')}
          </Button>
        </SelectionBar>
        <DataTable
          name="tokens"
          label={t('tokens.listLabel')}
          columns={columns}
          query={query}
          rowId={(token) => token.id}
          rowName={(token) => token.name}
          onOpen={(token) => open(String(token.id))}
          isMuted={(token) => token.status !== TOKEN_STATUS.enabled}
          selection={{ selected, onChange: setSelected }}
          actions={(token) => (
            <TokenActions token={token} onUse={setUsed} onEdit={(each) => open(String(each.id))} />
          )}
          paging={list}
          empty={
            <Empty
              icon={<KeyOutlined />}
              title={t('tokens.empty.title')}
              explanation={t('tokens.empty.text')}
              action={addButton}
            />
          }
          failedTitle={t('tokens.loadFailed')}
        />
      </Paper>
      {edited !== null && (edited === 'new' || /^\d+$/.test(edited)) && (
        <TokenDrawer key={edited} edited={edited === 'new' ? 'new' : Number(edited)} onClose={close} />
      )}
      <UseTokenDialog token={used} onClose={() => setUsed(null)} />
    </>
  );
}

import AddRounded from '@mui/icons-material/AddRounded';
import DeleteOutlineRounded from '@mui/icons-material/DeleteOutlineRounded';
import KeyOutlined from '@mui/icons-material/KeyOutlined';
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Paper from '@mui/material/Paper';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { lazyDialog } from '../../shared/feedback/lazy-dialog';
import { Empty } from '../../shared/feedback/empty';
import { useUndo } from '../../shared/feedback/use-undo';
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
import { clientKey, hasReadableKey, tokensQuery, useDeleteTokens } from './api';
import { TokenActions } from './token-actions';
import { useTokenColumns } from './token-columns';
import { TOKEN_STATUS } from './token.labels';

const TokenDrawer = lazyDialog(
  async () => (await import('./token-drawer')).TokenDrawer,
  () => true,
);
const ConnectDialog = lazyDialog(
  async () => (await import('./connect-dialog')).ConnectDialog,
  ({ tokenId }) => tokenId !== null,
);

const TokenLimits = lazyDialog(
  async () => (await import('./token-limits')).TokenLimits,
  () => true,
);

const FILTERS = { keyword: '', key: '' } as const;
const NOTHING: ReadonlySet<never> = new Set();

export function TokensPage() {
  const { t } = useTranslation();
  const offerUndo = useUndo('tokens');
  const list = useListState(FILTERS);
  const query = useQuery(tokensQuery({ ...list.filters, page: list.page, pageSize: list.pageSize }));
  const columns = useTokenColumns();
  const [edited, open, close] = useOpenParameter('edit');
  const [selected, setSelected] = useState<ReadonlySet<RowId>>(NOTHING);
  const [limited, showLimits, hideLimits] = useOpenParameter('limits');
  const [connected, connect, disconnect] = useOpenParameter('connect');
  const setSearch = useSearchParams()[1];
  const showCreated = (id: number) =>
    setSearch((previous) => {
      const next = new URLSearchParams(previous);
      next.delete('edit');
      next.set('connect', String(id));
      return next;
    });
  const removeMany = useDeleteTokens();

  const chosen = query.data?.items.filter((token) => selected.has(token.id)) ?? [];
  const readable = chosen.filter(hasReadableKey);
  const deleteChosen = () => {
    const ids = chosen.map((token) => token.id);
    removeMany.mutate(ids, {
      onSuccess: (count) => {
        offerUndo(t('tokens.done.deletedMany', { count }), ids);
        setSelected(NOTHING);
      },
    });
  };
  const limitedToken = query.data?.items.find(({ id }) => String(id) === limited);
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
          <Button size="small" color="error" startIcon={<DeleteOutlineRounded />} onClick={deleteChosen}>
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
            <TokenActions
              token={token}
              onConnect={(each) => connect(String(each.id))}
              onEdit={(each) => open(String(each.id))}
              onLimits={(each) => showLimits(String(each.id))}
            />
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
        <TokenDrawer
          key={edited}
          edited={edited === 'new' ? 'new' : Number(edited)}
          onClose={close}
          onCreated={showCreated}
        />
      )}
      {limitedToken !== undefined && <TokenLimits token={limitedToken} onClose={hideLimits} />}
      <ConnectDialog
        tokenId={connected !== null && /^\d{1,10}$/.test(connected) ? Number(connected) : null}
        onClose={disconnect}
      />
    </>
  );
}

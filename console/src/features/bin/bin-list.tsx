import DeleteForeverOutlined from '@mui/icons-material/DeleteForeverOutlined';
import DeleteOutlineRounded from '@mui/icons-material/DeleteOutlineOutlined';
import MoreHorizRounded from '@mui/icons-material/MoreHorizRounded';
import RestoreFromTrashOutlined from '@mui/icons-material/RestoreFromTrashOutlined';
import Button from '@mui/material/Button';
import MenuItem from '@mui/material/MenuItem';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Empty } from '../../shared/feedback/empty';
import { MenuButton } from '../../shared/page/menu-button';
import { DataTable } from '../../shared/table/data-table';
import { SelectionBar } from '../../shared/table/selection-bar';
import type { RowId } from '../../shared/table/table-props';
import { useListState } from '../../shared/table/use-list-state';
import { binQuery, type BinItem, type Section } from './api';
import { useBinColumns } from './bin-columns';
import { useBinActs } from './use-bin-acts';

const FILTERS = {} as const;
const NOTHING: ReadonlySet<never> = new Set();

/** Deleted rows of one section, with what root may do to them. */
export function BinList({ section }: { section: Section }) {
  const { t } = useTranslation();
  const list = useListState(FILTERS);
  const query = useQuery(binQuery({ section, page: list.page, pageSize: list.pageSize }));
  const columns = useBinColumns(section);
  const acts = useBinActs(section);
  const [selected, setSelected] = useState<ReadonlySet<RowId>>(NOTHING);
  const chosen = query.data?.items.filter((item) => selected.has(item.id)) ?? [];
  const restorable = chosen.filter(({ hindrance }) => hindrance === '');
  const withChosen = async (act: Promise<boolean>) => {
    if (await act) setSelected(NOTHING);
  };
  return (
    <>
      <SelectionBar count={chosen.length} onClear={() => setSelected(NOTHING)}>
        <Button
          size="small"
          startIcon={<RestoreFromTrashOutlined />}
          disabled={restorable.length !== chosen.length}
          onClick={() => void withChosen(acts.restore(chosen))}
        >
          {t('bin.action.restore')}
        </Button>
        <Button
          size="small"
          color="error"
          startIcon={<DeleteForeverOutlined />}
          onClick={() => void withChosen(acts.wipe(chosen))}
        >
          {t('bin.action.wipe')}
        </Button>
      </SelectionBar>
      <DataTable
        name="bin"
        label={t('bin.listLabel')}
        columns={columns}
        query={query}
        rowId={(item) => item.id}
        rowName={(item) => `${item.name} #${item.id}`}
        isMuted={({ hindrance }) => hindrance !== ''}
        selection={{ selected, onChange: setSelected }}
        actions={(item) => <BinActions item={item} acts={acts} />}
        paging={list}
        empty={
          <Empty icon={<DeleteOutlineRounded />} title={t('bin.empty')} explanation={t('bin.emptyText')} />
        }
        failedTitle={t('bin.loadFailed')}
      />
    </>
  );
}

function BinActions({ item, acts }: { item: BinItem; acts: ReturnType<typeof useBinActs> }) {
  const { t } = useTranslation();
  return (
    <>
      {item.hindrance === '' && (
        <Button size="small" onClick={() => void acts.restore([item])} sx={{ mr: 0.5 }}>
          {t('bin.action.restore')}
        </Button>
      )}
      <MenuButton
        label={t('bin.action.of', { name: `${item.name} #${item.id}` })}
        icon={<MoreHorizRounded fontSize="small" />}
      >
        {(close) => [
          ...item.identities.map((provider) => (
            <MenuItem key={provider} onClick={() => (close(), void acts.free(item, provider))}>
              {t('bin.action.free', { identity: t(`bin.identity.${provider}`) })}
            </MenuItem>
          )),
          <MenuItem key="wipe" onClick={() => (close(), void acts.wipe([item]))}>
            {t('bin.action.wipe')}
          </MenuItem>,
        ]}
      </MenuButton>
    </>
  );
}

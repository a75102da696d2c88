import MoreHorizRounded from '@mui/icons-material/MoreHorizRounded';
import FormControlLabel from '@mui/material/FormControlLabel';
import MenuItem from '@mui/material/MenuItem';
import Switch from '@mui/material/Switch';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { storedIdSort } from '../../shared/browser/stored';
import { useStored } from '../../shared/browser/use-stored';
import { useConfirm } from '../../shared/dialog/confirm';
import { toast } from '../../shared/feedback/toast';
import { useUndo } from '../../shared/feedback/use-undo';
import { MenuButton } from '../../shared/page/menu-button';
import { groupsQuery } from '../../shared/session/reference-lists';
import { ColumnChooser } from '../../shared/table/column-chooser';
import type { Column } from '../../shared/table/columns';
import { FilterSelect } from '../../shared/table/filter-select';
import { ListToolbar } from '../../shared/table/list-toolbar';
import { SearchBox } from '../../shared/table/search-box';
import { boundFilter, filterChips, type ListState } from '../../shared/table/use-list-state';
import { useDeleteDisabled, useFixChannels, useTestAll, useUpdateBalances } from './api';
import type { ChannelRow } from './channel-rows';

/** Filters of the channel list and what "not filtered" is; `tags` is the tag mode. */
export const CHANNEL_FILTERS = { keyword: '', group: '', model: '', tags: '' } as const;
type ChannelFilter = keyof typeof CHANNEL_FILTERS;

interface ChannelToolbarProps {
  list: ListState<ChannelFilter>;
  columns: readonly Column<ChannelRow>[];
  onRefresh: () => void;
}

export function ChannelToolbar({ list, columns, onRefresh }: ChannelToolbarProps) {
  const { t } = useTranslation();
  const groups = useQuery(groupsQuery);
  const idSort = useStored(storedIdSort) === 'true';
  const { filters, setFilters } = list;
  const chipText: Record<ChannelFilter, () => string> = {
    keyword: () => t('channels.filter.chipKeyword', { value: filters.keyword }),
    group: () => t('channels.filter.chipGroup', { value: filters.group }),
    model: () => t('channels.filter.chipModel', { value: filters.model }),
    tags: () => t('channels.tool.tagMode'),
  };
  return (
    <ListToolbar
      search={<SearchBox {...boundFilter(list, 'keyword')} label={t('channels.search')} />}
      filters={
        <>
          <SearchBox {...boundFilter(list, 'model')} label={t('channels.filter.model')} width={160} />
          <FilterSelect
            {...boundFilter(list, 'group')}
            label={t('channels.filter.group')}
            all={t('channels.filter.allGroups')}
            values={groups.data ?? []}
          />
          <FormControlLabel
            label={t('channels.tool.tagMode')}
            sx={{ mx: 0.5, '& .MuiTypography-root': { fontSize: 13 } }}
            control={
              <Switch
                checked={filters.tags === 'true'}
                onChange={(_event, on) => setFilters({ tags: on ? 'true' : '' })}
              />
            }
          />
          <FormControlLabel
            label={t('channels.tool.idSort')}
            sx={{ mx: 0.5, '& .MuiTypography-root': { fontSize: 13 } }}
            control={
              <Switch checked={idSort} onChange={(_event, on) => storedIdSort.write(on ? 'true' : 'false')} />
            }
          />
        </>
      }
      {...filterChips(list, (filter) => chipText[filter]())}
      onRefresh={onRefresh}
      tools={
        <>
          <ColumnChooser table="channels" columns={columns} />
          <AllChannelsMenu />
        </>
      }
    />
  );
}

/** Actions upon all channels. */
function AllChannelsMenu() {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const testAll = useTestAll();
  const balances = useUpdateBalances();
  const offerUndo = useUndo('channels');
  const deleteDisabled = useDeleteDisabled();
  const fix = useFixChannels();

  const askTestAll = async () => {
    const yes = await confirm({
      title: t('channels.confirm.testAll'),
      consequence: t('channels.confirm.testAllText'),
      action: t('channels.tool.testAll'),
    });
    if (yes) testAll.mutate(undefined, { onSuccess: () => toast('success', t('channels.done.testAll')) });
  };
  const removeDisabled = () =>
    deleteDisabled.mutate(undefined, {
      onSuccess: ({ data, ids }) => offerUndo(t('channels.done.deletedDisabled', { count: data }), ids),
    });
  return (
    <MenuButton label={t('common.more')} icon={<MoreHorizRounded fontSize="small" />}>
      {(close) => [
        <MenuItem key="test" onClick={() => (close(), void askTestAll())}>
          {t('channels.tool.testAll')}
        </MenuItem>,
        <MenuItem
          key="balances"
          onClick={() => {
            close();
            balances.mutate(undefined, { onSuccess: () => toast('success', t('channels.done.balances')) });
          }}
        >
          {t('channels.tool.updateBalances')}
        </MenuItem>,
        <MenuItem
          key="fix"
          onClick={() => {
            close();
            fix.mutate(undefined, {
              onSuccess: (count) => toast('success', t('channels.done.fixed', { count })),
            });
          }}
        >
          {t('channels.tool.fix')}
        </MenuItem>,
        <MenuItem key="delete" onClick={() => (close(), removeDisabled())}>
          {t('channels.tool.deleteDisabled')}
        </MenuItem>,
      ]}
    </MenuButton>
  );
}

import AddRounded from '@mui/icons-material/AddRounded';
import HubOutlined from '@mui/icons-material/HubOutlined';
import Button from '@mui/material/Button';
import Paper from '@mui/material/Paper';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, Outlet, useNavigate } from 'react-router';
import { loadTexts } from '../../i18n';
import { lazyDialog } from '../../shared/feedback/lazy-dialog';
import { storedIdSort } from '../../shared/browser/stored';
import { useStored } from '../../shared/browser/use-stored';
import { Empty } from '../../shared/feedback/empty';
import { PageHeader } from '../../shared/page/page-header';
import { DataTable } from '../../shared/table/data-table';
import type { RowId } from '../../shared/table/table-props';
import { useListState } from '../../shared/table/use-list-state';
import { channelHealthQuery, channelsQuery, useEditChannel, useEditTag, type Channel } from './api';
import { ChannelActions, TagActions } from './channel-actions';
import { useChannelColumns } from './channel-columns';
import { channelRows, type ChannelRow } from './channel-rows';
import { CHANNEL_STATUS } from './channel.labels';
import { CHANNEL_FILTERS, ChannelToolbar } from './channel-toolbar';
import { JobBar } from './job-bar';

// Part of this page's chunk; the forms they open are loaded on demand.
export { AddChannelRoute, EditChannelRoute } from './channel-routes';

/** Shown once channels are selected. */
const ChannelSelectionBar = lazyDialog(
  async () => (await import('./channel-selection-bar')).ChannelSelectionBar,
  ({ ids }) => ids.length > 0,
);
const ChannelTestDialog = lazyDialog(
  async () => (await import('./channel-test-dialog')).ChannelTestDialog,
  ({ channel }) => channel !== null,
);
const ChannelKeysDialog = lazyDialog(
  async () => (await import('./channel-keys-dialog')).ChannelKeysDialog,
  ({ channel }) => channel !== null,
);
const TagEditDialog = lazyDialog(
  async () => (await import('./tag-dialogs')).TagEditDialog,
  ({ tag }) => tag !== null,
);

const AddManyDialog = lazyDialog(
  async () => (await Promise.all([import('./add-many-dialog'), loadTexts('manyChannels')]))[0].AddManyDialog,
  ({ open }) => open,
);

const NOTHING: ReadonlySet<never> = new Set();

export function ChannelsPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const list = useListState(CHANNEL_FILTERS);
  const idSort = useStored(storedIdSort) === 'true';
  const tagMode = list.filters.tags === 'true';
  const { keyword, group, model } = list.filters;
  // The tag mode is a view: it is no reason why nothing is there.
  const paging = useMemo(
    () => ({ ...list, active: list.active.filter((filter) => filter !== 'tags') }),
    [list],
  );
  const query = useQuery(
    channelsQuery({ keyword, group, model, idSort, tagMode, page: list.page, pageSize: list.pageSize }),
  );
  const health = useQuery(channelHealthQuery);
  const [selected, setSelected] = useState<ReadonlySet<RowId>>(NOTHING);
  const [openTags, setOpenTags] = useState<ReadonlySet<string>>(NOTHING);
  const [testing, setTesting] = useState<Channel | null>(null);
  const [keysOf, setKeysOf] = useState<Channel | null>(null);
  const [editedTag, setEditedTag] = useState<string | null>(null);
  const [isAddingMany, setAddingMany] = useState(false);
  const edit = useEditChannel();
  const editTag = useEditTag();

  const toggleTag = (tag: string) =>
    setOpenTags((open) => new Set(open.has(tag) ? [...open].filter((each) => each !== tag) : [...open, tag]));
  const columns = useChannelColumns({
    health: health.data,
    onFigure: (row, figure, value) =>
      row.kind === 'channel'
        ? edit.mutate({ id: row.channel.id, [figure]: value })
        : editTag.mutate({ tag: row.tag, [figure]: value }),
    onToggle: toggleTag,
  });
  const rows = useMemo(
    () =>
      query.data === undefined
        ? undefined
        : { ...query.data, items: channelRows(query.data.items, tagMode, openTags) },
    [query.data, tagMode, openTags],
  );
  const open = (row: ChannelRow) => {
    if (row.kind === 'tag') toggleTag(row.tag);
    else void navigate({ pathname: `/channel/edit/${row.channel.id}`, search: window.location.search });
  };
  const selectedIds = [...selected].map(Number).filter((id) => Number.isInteger(id));
  const latencyButton = (
    <Button component={Link} to="/latency" color="inherit">
      {t('channels.latency.title')}
    </Button>
  );
  const addButton = (
    <Button component={Link} to="/channel/add" variant="contained" startIcon={<AddRounded />}>
      {t('channels.add')}
    </Button>
  );

  return (
    <>
      <PageHeader
        title={t('channels.title')}
        explanation={t('channels.lead')}
        action={
          <>
            {latencyButton}
            <Button color="inherit" onClick={() => setAddingMany(true)}>
              {t('channels.addMany')}
            </Button>
            {addButton}
          </>
        }
      />
      <Paper variant="outlined" sx={{ overflow: 'hidden' }}>
        <ChannelToolbar list={list} columns={columns} onRefresh={() => void query.refetch()} />
        <JobBar name="test" />
        <JobBar name="balance" />
        <ChannelSelectionBar ids={selectedIds} onClear={() => setSelected(NOTHING)} />
        <DataTable
          name="channels"
          label={t('channels.listLabel')}
          columns={columns}
          query={{ ...query, data: rows }}
          rowId={(row) => row.id}
          rowName={(row) => (row.kind === 'tag' ? row.tag : row.channel.name)}
          onOpen={open}
          isMuted={(row) => row.kind === 'channel' && row.channel.status !== CHANNEL_STATUS.enabled}
          selection={{ selected, onChange: setSelected }}
          actions={(row) =>
            row.kind === 'tag' ? (
              <TagActions row={row} onEdit={setEditedTag} />
            ) : (
              <ChannelActions channel={row.channel} onTest={setTesting} onKeys={setKeysOf} />
            )
          }
          paging={paging}
          empty={
            <Empty
              icon={<HubOutlined />}
              title={t(tagMode ? 'channels.empty.noTags' : 'channels.empty.title')}
              explanation={t(tagMode ? 'channels.empty.noTagsText' : 'channels.empty.text')}
              action={addButton}
            />
          }
          failedTitle={t('channels.loadFailed')}
        />
      </Paper>
      <ChannelTestDialog channel={testing} onClose={() => setTesting(null)} />
      <ChannelKeysDialog channel={keysOf} onClose={() => setKeysOf(null)} />
      <AddManyDialog open={isAddingMany} onClose={() => setAddingMany(false)} />
      <TagEditDialog tag={editedTag} onClose={() => setEditedTag(null)} />
      <Outlet />
    </>
  );
}

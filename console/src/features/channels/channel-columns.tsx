import ExpandMoreRounded from '@mui/icons-material/ExpandMoreRounded';
import SellOutlined from '@mui/icons-material/SellOutlined';
import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import Link from '@mui/material/Link';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link as RouterLink } from 'react-router';
import { BrandMark } from '../../shared/brand/brand-mark';
import { Tip } from '../../shared/feedback/tip';
import { formatMilliseconds, responseTimeTone } from '../../shared/format/duration';
import { splitList } from '../../shared/format/lists';
import { MONO } from '../../shared/format/mono';
import { formatSeconds } from '../../shared/format/timestamp';
import type { Column } from '../../shared/table/columns';
import { Clipped } from '../../shared/value/clipped';
import { CopyButton } from '../../shared/value/copyable';
import { Moment } from '../../shared/value/moment';
import { Quota } from '../../shared/value/quota';
import { SPEED_COLOURS } from '../../shared/value/speed';
import type { Channel, ChannelHealth, ChannelPreset } from './api';
import { presetOfChannel, useChannelPresets } from './channel-presets';
import { modelsOf, sharedFigure, type ChannelRow } from './channel-rows';
import { ChannelState, ChannelTroubleLine } from './channel-state';
import type { HealthOfChannel } from './channel-trouble';
import { findType, useChannelTypes } from './channel.types';
import { HealthLine } from './health-line';
import { InlineNumber } from './inline-number';

/** Smallest values of the inline fields. */
const MIN_PRIORITY = -999;
const MIN_WEIGHT = 0;

interface ColumnsInput {
  health: ChannelHealth | undefined;
  onFigure: (row: ChannelRow, figure: 'priority' | 'weight', value: number) => void;
  onToggle: (tag: string) => void;
}

/** The channel table's columns. A tag row shows what its channels have in common. */
export function useChannelColumns({ health, onFigure, onToggle }: ColumnsInput): Column<ChannelRow>[] {
  const { t } = useTranslation();
  const types = useChannelTypes();
  const presets = useChannelPresets();
  const lineOf = ({ id }: Channel): HealthOfChannel | undefined =>
    health?.channels.find((line) => line.channel_id === id);
  const figure = (row: ChannelRow, name: 'priority' | 'weight') => (
    <InlineNumber
      value={
        row.kind === 'channel' ? row.channel[name] : sharedFigure(row.channels, (channel) => channel[name])
      }
      label={t(`channels.inline.${name}`, { name: row.kind === 'channel' ? row.channel.name : row.tag })}
      min={name === 'priority' ? MIN_PRIORITY : MIN_WEIGHT}
      onCommit={(value) => onFigure(row, name, value)}
    />
  );
  const ofChannel = (render: (channel: Channel) => ReactNode) => (row: ChannelRow) =>
    row.kind === 'channel' ? render(row.channel) : null;
  return [
    {
      id: 'id',
      wideOnly: true,
      label: t('channels.column.id'),
      width: 56,
      render: ofChannel((channel) => (
        <Box sx={{ fontFamily: MONO, fontSize: 12.5, color: 'text.secondary' }}>{channel.id}</Box>
      )),
    },
    {
      id: 'name',
      label: t('channels.column.name'),
      choosable: false,
      card: 'title',
      hasOwnLink: true,
      render: (row) =>
        row.kind === 'channel' ? (
          <ChannelName row={row} line={lineOf(row.channel)} />
        ) : (
          <TagName row={row} onToggle={onToggle} />
        ),
    },
    {
      id: 'status',
      label: t('channels.column.status'),
      card: 'aside',
      render: ofChannel((channel) => <ChannelState channel={channel} line={lineOf(channel)} />),
    },
    {
      id: 'type',
      wideOnly: true,
      label: t('channels.column.type'),
      card: 'line',
      render: ofChannel((channel) => (
        <ProviderCell
          preset={presetOfChannel(presets, channel)}
          type={findType(types, channel.type)?.name ?? t('channels.type.unknown', { type: channel.type })}
        />
      )),
    },
    {
      id: 'group',
      wideOnly: true,
      label: t('channels.column.group'),
      render: ofChannel((channel) => <Groups text={channel.group} />),
    },
    {
      id: 'models',
      wideOnly: true,
      label: t('channels.column.models'),
      render: (row) => <Models models={modelsOf(row)} />,
    },
    {
      id: 'responseTime',
      wideOnly: true,
      label: t('channels.column.responseTime'),
      align: 'right',
      card: 'line',
      render: ofChannel((channel) => <ResponseTime channel={channel} />),
    },
    {
      id: 'tested',
      label: t('channels.column.tested'),
      hiddenAtFirst: true,
      render: ofChannel((channel) => <Moment seconds={channel.test_time} never={t('channels.notTested')} />),
    },
    {
      id: 'health',
      label: t('channels.column.health'),
      render: ofChannel((channel) =>
        health === undefined ? null : (
          <HealthLine line={lineOf(channel)} countedSince={health.counted_since} since={health.since} />
        ),
      ),
    },
    {
      id: 'used',
      wideOnly: true,
      label: t('channels.column.used'),
      align: 'right',
      render: (row) => (
        <Quota
          value={
            row.kind === 'channel'
              ? row.channel.used_quota
              : row.channels.reduce((sum, channel) => sum + channel.used_quota, 0)
          }
        />
      ),
    },
    {
      id: 'balance',
      label: t('channels.column.balance'),
      align: 'right',
      hiddenAtFirst: true,
      render: ofChannel((channel) => (
        <Tip
          title={
            channel.balance_updated_time > 0 ? formatSeconds(channel.balance_updated_time) : t('common.never')
          }
        >
          <span>{channel.balance_updated_time > 0 ? channel.balance.toFixed(2) : '–'}</span>
        </Tip>
      )),
    },
    {
      id: 'priority',
      label: t('channels.column.priority'),
      align: 'right',
      render: (row) => figure(row, 'priority'),
    },
    {
      id: 'weight',
      wideOnly: true,
      label: t('channels.column.weight'),
      align: 'right',
      render: (row) => figure(row, 'weight'),
    },
    {
      id: 'tag',
      label: t('channels.column.tag'),
      hiddenAtFirst: true,
      render: ofChannel((channel) =>
        channel.tag === '' ? '–' : <Clipped text={channel.tag} maxWidth={140} />,
      ),
    },
    {
      id: 'created',
      label: t('channels.column.created'),
      hiddenAtFirst: true,
      render: ofChannel((channel) => <Moment seconds={channel.created_time} />),
    },
  ];
}

/** The preset of a channel, else the name of its type. */
function ProviderCell({ preset, type }: { preset: ChannelPreset | undefined; type: string }) {
  const name = preset?.name ?? type;
  return (
    <Box component="span" title={type} sx={{ display: 'inline-flex', alignItems: 'center', gap: 0.75 }}>
      <BrandMark name={name} />
      {name}
    </Box>
  );
}

type RowOf<Kind extends ChannelRow['kind']> = Extract<ChannelRow, { kind: Kind }>;

/** The name leads to the channel's page. */
function ChannelName({ row, line }: { row: RowOf<'channel'>; line: HealthOfChannel | undefined }) {
  return (
    <Box component="span" sx={{ display: 'inline-block', pl: row.underTag ? 3 : 0 }}>
      <Link
        component={RouterLink}
        to={`/channel/${row.channel.id}`}
        color="inherit"
        underline="hover"
        sx={{ fontWeight: 550 }}
      >
        <Clipped text={row.channel.name} maxWidth={180} />
      </Link>
      <KeyCount channel={row.channel} />
      <ChannelTroubleLine channel={row.channel} line={line} />
    </Box>
  );
}

function TagName({ row, onToggle }: { row: RowOf<'tag'>; onToggle: (tag: string) => void }) {
  const { t } = useTranslation();
  return (
    <ButtonBase
      onClick={() => onToggle(row.tag)}
      aria-expanded={row.open}
      title={t('channels.tagRow.expand', { tag: row.tag })}
      sx={{ font: 'inherit', fontWeight: 550, borderRadius: '6px', gap: 0.75 }}
    >
      <ExpandMoreRounded sx={{ fontSize: 18, transform: row.open ? 'none' : 'rotate(-90deg)' }} />
      <SellOutlined sx={{ fontSize: 15, color: 'text.secondary' }} />
      <Clipped text={row.tag} maxWidth={200} />
      <Box component="span" sx={{ color: 'text.secondary', fontWeight: 400 }}>
        {t('channels.tagRow.count', { count: row.channels.length })}
      </Box>
    </ButtonBase>
  );
}

/** Number of keys of a channel with several, and of those that are disabled. */
function KeyCount({ channel: { channel_info: ring } }: { channel: Channel }) {
  const { t } = useTranslation();
  if (!ring.is_multi_key) return null;
  const text =
    ring.multi_key_off === 0
      ? t('channels.keys.count', { count: ring.multi_key_size })
      : t('channels.keys.countOff', { count: ring.multi_key_size, off: ring.multi_key_off });
  return (
    <Box
      component="span"
      sx={{
        display: 'block',
        fontSize: 12.5,
        color: ring.multi_key_off > 0 ? 'warning.main' : 'text.secondary',
      }}
    >
      {text}
    </Box>
  );
}

function Groups({ text }: { text: string }) {
  const groups = splitList(text);
  return <Clipped text={groups.join(', ')} maxWidth={100} />;
}

function Models({ models }: { models: string[] }) {
  const { t } = useTranslation();
  return (
    <Box sx={{ display: 'inline-flex', alignItems: 'center', gap: 0.25, whiteSpace: 'nowrap' }}>
      <Tip title={models.slice(0, 40).join(', ')}>
        <span>{models.length}</span>
      </Tip>
      <CopyButton text={models.join(',')} label={t('channels.models.copyAll')} />
    </Box>
  );
}

function ResponseTime({ channel }: { channel: Channel }) {
  const { t } = useTranslation();
  const { test_time: tested, test_failure: failure, response_time: time } = channel;
  if (failure !== '')
    return (
      <Tip title={`${t('channels.testFailedBecause', { reason: failure })} · ${formatSeconds(tested)}`}>
        <Box component="span" tabIndex={0} sx={{ color: 'error.main' }}>
          {t('channels.testFailed')}
        </Box>
      </Tip>
    );
  if (time === 0)
    return tested === 0 ? (
      <Box sx={{ color: 'text.secondary' }}>{t('channels.notTested')}</Box>
    ) : (
      <Box sx={{ color: 'error.main' }}>{t('channels.testFailed')}</Box>
    );
  return (
    <Box component="span" sx={{ color: SPEED_COLOURS[responseTimeTone(time)], fontWeight: 550 }}>
      {formatMilliseconds(time)}
    </Box>
  );
}

import BlockRounded from '@mui/icons-material/BlockRounded';
import CheckCircleOutlineRounded from '@mui/icons-material/CheckCircleOutlineRounded';
import ErrorOutlineRounded from '@mui/icons-material/ErrorOutlineRounded';
import ExpandMoreRounded from '@mui/icons-material/ExpandMoreRounded';
import HelpOutlineRounded from '@mui/icons-material/HelpOutlineRounded';
import VisibilityOutlined from '@mui/icons-material/VisibilityOutlined';
import SellOutlined from '@mui/icons-material/SellOutlined';
import Box from '@mui/material/Box';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Tip } from '../../shared/feedback/tip';
import { formatMilliseconds, responseTimeTone } from '../../shared/format/duration';
import { splitList } from '../../shared/format/lists';
import { MONO } from '../../shared/format/mono';
import { formatSeconds } from '../../shared/format/timestamp';
import { StatusTag } from '../../shared/feedback/status-tag';
import type { Column } from '../../shared/table/columns';
import { Clipped } from '../../shared/value/clipped';
import { CopyButton } from '../../shared/value/copyable';
import { Moment } from '../../shared/value/moment';
import { Quota } from '../../shared/value/quota';
import { SPEED_COLOURS } from '../../shared/value/speed';
import type { Channel, ChannelHealth } from './api';
import { modelsOf, sharedFigure, type ChannelRow } from './channel-rows';
import { channelStatus, statusReason } from './channel.labels';
import { findType, useChannelTypes } from './channel.types';
import { HealthLine } from './health-line';
import { InlineNumber } from './inline-number';

const STATUS_ICONS = {
  enabled: <CheckCircleOutlineRounded />,
  disabled: <BlockRounded />,
  auto: <ErrorOutlineRounded />,
  unknown: <HelpOutlineRounded />,
};

/** Smallest values of the inline fields. */
const MIN_PRIORITY = -999;
const MIN_WEIGHT = 0;

function ChannelStatusTag({ channel }: { channel: Channel }) {
  const { t } = useTranslation();
  const { word, tone } = channelStatus(channel.status);
  const reason = word === 'auto' ? statusReason(channel) : undefined;
  const tooltip =
    word !== 'auto'
      ? undefined
      : reason === undefined
        ? t('channels.status.noReason')
        : t('channels.status.reason', { reason: reason.reason, time: formatSeconds(reason.seconds) });
  return (
    <Box sx={{ display: 'inline-flex', flexWrap: 'wrap', gap: 0.5 }}>
      <StatusTag tone={tone} icon={STATUS_ICONS[word]} tooltip={tooltip}>
        {t(`channels.status.${word}`)}
      </StatusTag>
      {channel.needs_look.length > 0 && (
        <StatusTag
          tone="warning"
          icon={<VisibilityOutlined />}
          tooltip={t('channels.status.needsLookText', { places: channel.needs_look.join('; ') })}
        >
          {t('channels.status.needsLook')}
        </StatusTag>
      )}
    </Box>
  );
}

interface ColumnsInput {
  health: ChannelHealth | undefined;
  onFigure: (row: ChannelRow, figure: 'priority' | 'weight', value: number) => void;
}

/** The channel table's columns. A tag row shows what its channels have in common. */
export function useChannelColumns({ health, onFigure }: ColumnsInput): Column<ChannelRow>[] {
  const { t } = useTranslation();
  const types = useChannelTypes();
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
      render: (row) => <NameCell row={row} />,
    },
    {
      id: 'status',
      label: t('channels.column.status'),
      card: 'aside',
      render: ofChannel((channel) => <ChannelStatusTag channel={channel} />),
    },
    {
      id: 'type',
      label: t('channels.column.type'),
      card: 'line',
      render: ofChannel(
        (channel) =>
          findType(types, channel.type)?.name ?? t('channels.type.unknown', { type: channel.type }),
      ),
    },
    {
      id: 'group',
      label: t('channels.column.group'),
      render: ofChannel((channel) => <Groups text={channel.group} />),
    },
    { id: 'models', label: t('channels.column.models'), render: (row) => <Models models={modelsOf(row)} /> },
    {
      id: 'responseTime',
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
          <HealthLine line={health.channels.find((line) => line.channel_id === channel.id)} />
        ),
      ),
    },
    {
      id: 'used',
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

function NameCell({ row }: { row: ChannelRow }) {
  const { t } = useTranslation();
  if (row.kind === 'channel') {
    return (
      <Box component="span" sx={{ pl: row.underTag ? 3 : 0 }}>
        <Clipped text={row.channel.name} maxWidth={190} />
        <KeyCount channel={row.channel} />
      </Box>
    );
  }
  return (
    <Box
      component="span"
      title={t('channels.tagRow.expand', { tag: row.tag })}
      sx={{ display: 'inline-flex', alignItems: 'center', gap: 0.75 }}
    >
      <ExpandMoreRounded sx={{ fontSize: 18, transform: row.open ? 'none' : 'rotate(-90deg)' }} />
      <SellOutlined sx={{ fontSize: 15, color: 'text.secondary' }} />
      <Clipped text={row.tag} maxWidth={200} />
      <Box component="span" sx={{ color: 'text.secondary', fontWeight: 400 }}>
        {t('channels.tagRow.count', { count: row.channels.length })}
      </Box>
    </Box>
  );
}

/** How many keys a channel with several has, and how many of them are off. */
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
  return <Clipped text={groups.join(', ')} maxWidth={110} />;
}

function Models({ models }: { models: string[] }) {
  const { t } = useTranslation();
  return (
    <Box sx={{ display: 'inline-flex', alignItems: 'center', gap: 0.25, whiteSpace: 'nowrap' }}>
      <Tip title={models.slice(0, 40).join(', ')}>
        <span>{t('channels.models.count', { count: models.length })}</span>
      </Tip>
      <CopyButton text={models.join(',')} label={t('channels.models.copyAll')} />
    </Box>
  );
}

function ResponseTime({ channel }: { channel: Channel }) {
  const { t } = useTranslation();
  if (channel.response_time === 0)
    return channel.test_time === 0 ? (
      <Box sx={{ color: 'text.secondary' }}>{t('channels.notTested')}</Box>
    ) : (
      <Box sx={{ color: 'error.main' }}>{t('channels.testFailed')}</Box>
    );
  return (
    <Box
      component="span"
      sx={{ color: SPEED_COLOURS[responseTimeTone(channel.response_time)], fontWeight: 550 }}
    >
      {formatMilliseconds(channel.response_time)}
    </Box>
  );
}

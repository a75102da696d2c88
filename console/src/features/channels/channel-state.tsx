import BlockRounded from '@mui/icons-material/BlockRounded';
import CheckCircleOutlineRounded from '@mui/icons-material/CheckCircleOutlineRounded';
import ErrorOutlineRounded from '@mui/icons-material/ErrorOutlineRounded';
import HelpOutlineRounded from '@mui/icons-material/HelpOutlineRounded';
import PauseCircleOutlineRounded from '@mui/icons-material/PauseCircleOutlineRounded';
import VisibilityOutlined from '@mui/icons-material/VisibilityOutlined';
import WarningAmberRounded from '@mui/icons-material/WarningAmberRounded';
import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { StatusTag } from '../../shared/feedback/status-tag';
import { Tip } from '../../shared/feedback/tip';
import { formatSeconds } from '../../shared/format/timestamp';
import type { Channel } from './api';
import { channelStatus, statusReason } from './channel.labels';
import { formatShare, isKeyRepaired, repairedAt, troubleOf, type HealthOfChannel } from './channel-trouble';
import { useFailureText } from './use-failure-text';

const STATUS_ICONS = {
  enabled: <CheckCircleOutlineRounded />,
  disabled: <BlockRounded />,
  auto: <ErrorOutlineRounded />,
  unknown: <HelpOutlineRounded />,
};

interface ChannelStateProps {
  channel: Channel;
  /** Undefined = not asked within the day. */
  line: HealthOfChannel | undefined;
}

/** Tags of a channel: its status, the share of failures, open circuits. */
export function ChannelState({ channel, line }: ChannelStateProps) {
  const { t } = useTranslation();
  const { word, tone } = channelStatus(channel.status);
  const reason = word === 'auto' ? statusReason(channel) : undefined;
  const tooltip =
    word !== 'auto'
      ? undefined
      : reason === undefined
        ? t('channels.status.noReason')
        : t('channels.status.reason', {
            reason: reason.reason,
            time: formatSeconds(reason.seconds),
          });
  const trouble = troubleOf(line, repairedAt(channel));
  return (
    <Box
      sx={{
        display: 'inline-flex',
        flexWrap: 'wrap',
        flexDirection: { xs: 'column', sm: 'row' },
        alignItems: { xs: 'flex-end', sm: 'center' },
        gap: 0.5,
      }}
    >
      <StatusTag tone={tone} icon={STATUS_ICONS[word]} tooltip={tooltip}>
        {t(`channels.status.${word}`)}
      </StatusTag>
      {trouble.level !== 'ok' && (
        <StatusTag
          tone={trouble.level === 'broken' ? 'fault' : 'warning'}
          icon={<WarningAmberRounded />}
          tooltip={t('channels.trouble.attempts', { ...trouble, count: trouble.attempts })}
        >
          {t('channels.trouble.failing', { share: formatShare(trouble.share) })}
        </StatusTag>
      )}
      {(line?.circuits.length ?? 0) > 0 && (
        <StatusTag tone="warning" icon={<PauseCircleOutlineRounded />}>
          {t('channels.trouble.open')}
        </StatusTag>
      )}
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

/** One line below the name: the provider's own sentence, and since when calls avoid the channel. */
export function ChannelTroubleLine({ channel, line }: ChannelStateProps) {
  const { t } = useTranslation();
  const failureText = useFailureText();
  const { failures } = troubleOf(line);
  const circuits = line?.circuits ?? [];
  const parts: string[] = [];
  const isOver = circuits.length === 0 && (failures === 0 || isKeyRepaired(line, repairedAt(channel)));
  if (line?.last_failure !== undefined && line.last_failure !== null && !isOver)
    parts.push(failureText(line.last_failure));
  else if (channel.test_failure !== '')
    parts.push(t('channels.testFailedBecause', { reason: channel.test_failure }));
  if (circuits.length > 0) parts.push(circuitText(circuits));
  if (parts.length === 0) return null;
  const text = parts.join(' · ');
  return (
    <Tip title={text}>
      <Box
        component="span"
        sx={{
          fontSize: 12.5,
          fontWeight: 400,
          color: 'text.secondary',
          maxWidth: 240,
          whiteSpace: 'normal',
          overflowWrap: 'anywhere',
          overflow: 'hidden',
          display: '-webkit-box',
          WebkitBoxOrient: 'vertical',
          WebkitLineClamp: 2,
        }}
      >
        {text}
      </Box>
    </Tip>
  );

  function circuitText(open: HealthOfChannel['circuits']): string {
    const since = clockText(Math.min(...open.map((circuit) => circuit.since)));
    const retries = open.flatMap(({ retry_at: at }) => (at === null ? [] : [at]));
    return retries.length === 0
      ? t('channels.trouble.since', { since })
      : t('channels.trouble.sinceUntil', { since, retry: clockText(Math.min(...retries)) });
  }
}

/** Hours and minutes in the shown zone. */
const clockText = (seconds: number): string => formatSeconds(seconds).slice(11, 16);

import Box from '@mui/material/Box';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { AccountLink } from '../../shared/accounts/account-link';
import { BrandMark } from '../../shared/brand/brand-mark';
import { Tip } from '../../shared/feedback/tip';
import { firstTokenTone, formatMilliseconds, durationTone } from '../../shared/format/duration';
import { formatSeconds } from '../../shared/format/timestamp';
import { Clipped } from '../../shared/value/clipped';
import { Quota } from '../../shared/value/quota';
import { SPEED_COLOURS } from '../../shared/value/speed';
import type { LogFilters, LogLine } from './api';
import { FilterValue } from './filter-value';
import { detailsOf } from '../../shared/receipt/log-details';
import { movedBy } from './log-event';
import { isCall, LOG_TYPE } from './log.labels';

export type OnFilter = (patch: Partial<LogFilters>) => void;

/** Decimals of the column of amounts. */
const AMOUNT_DIGITS = 4;

/** Two lines of a cell, the lower one smaller; each is cut where the column ends. */
function Stack({ upper, lower, align }: { upper: ReactNode; lower?: ReactNode; align?: 'right' }) {
  return (
    <Box
      sx={{
        display: 'grid',
        minWidth: 0,
        lineHeight: 1.35,
        justifyItems: align === 'right' ? 'end' : 'start',
      }}
    >
      <Box sx={{ minWidth: 0, maxWidth: '100%' }}>{upper}</Box>
      {lower !== undefined && lower !== null && (
        <Box sx={{ minWidth: 0, maxWidth: '100%', color: 'text.secondary', fontSize: 12 }}>{lower}</Box>
      )}
    </Box>
  );
}

/** The time of day large, the day small under it; read aloud the day comes first. */
export function TimeCell({ line }: { line: LogLine }) {
  const [day = '', time = ''] = formatSeconds(line.created_at).split(' ');
  return (
    <time
      dateTime={new Date(line.created_at * 1000).toISOString()}
      style={{ whiteSpace: 'nowrap', display: 'grid', lineHeight: 1.35 }}
    >
      <Box component="span" sx={{ order: 1, color: 'text.secondary', fontSize: 12, fontWeight: 400 }}>
        {day}{' '}
      </Box>
      <span>{time}</span>
    </time>
  );
}

export function AmountCell({ line }: { line: LogLine }) {
  if (isCall(line))
    return line.quota === 0 && line.type === LOG_TYPE.error ? null : (
      <Quota value={line.quota} digits={AMOUNT_DIGITS} />
    );
  const amount = movedBy(line);
  if (amount === 0) return null;
  // An amount with a sign is no cost of a call.
  return (
    <Box component="span" sx={{ color: amount > 0 ? 'success.main' : 'warning.main', fontWeight: 550 }}>
      <Quota value={amount} signed digits={AMOUNT_DIGITS} />
    </Box>
  );
}

export function ModelCell({ line, onFilter }: { line: LogLine; onFilter: OnFilter }) {
  const { t } = useTranslation();
  const served = detailsOf(line).upstream_model_name;
  const model = (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 0.5, minWidth: 0 }}>
      <BrandMark name={line.model_name} sizePx={14} />
      <FilterValue
        text={line.model_name}
        mono
        maxWidth="100%"
        onFilter={() => onFilter({ model_name: line.model_name })}
      />
      {served !== undefined && served !== line.model_name && (
        <Tip title={t('logs.mapped', { model: served })}>
          <Box component="span" tabIndex={0} sx={{ color: 'text.secondary' }}>
            →
          </Box>
        </Tip>
      )}
    </Box>
  );
  if (line.type !== LOG_TYPE.error) return model;
  return (
    <Stack
      upper={model}
      lower={
        <Box component="span" sx={{ color: 'error.main', display: 'block' }}>
          <Clipped text={line.content} maxWidth="100%" />
        </Box>
      }
    />
  );
}

/** The channel that served last, and the way through the channels where it was not the first. */
export function ChannelCell({ line, onFilter }: { line: LogLine; onFilter: OnFilter }) {
  const { t } = useTranslation();
  const path = detailsOf(line).admin_info?.use_channel ?? [];
  const name = line.channel_name === '' ? String(line.channel) : `${line.channel} · ${line.channel_name}`;
  const channel =
    line.channel === 0 ? null : (
      <FilterValue text={name} maxWidth="100%" onFilter={() => onFilter({ channel: String(line.channel) })} />
    );
  if (path.length < 2) return channel;
  const text = path.join(' → ');
  return (
    <Stack
      upper={channel}
      lower={
        <Tip title={t('logs.retryPath', { path: text })}>
          <Box component="span" sx={{ color: 'warning.main', display: 'block' }}>
            <Clipped text={t('logs.attempts', { count: path.length, path: text })} maxWidth="100%" />
          </Box>
        </Tip>
      }
    />
  );
}

interface AccountCellProps {
  line: LogLine;
  onFilter: OnFilter;
}

export function AccountCell({ line, onFilter }: AccountCellProps) {
  if (line.username === '') return null;
  return (
    <Stack
      upper={<AccountLink id={line.user_id} name={line.username} />}
      lower={line.token_name === '' ? undefined : <TokenCell line={line} onFilter={onFilter} />}
    />
  );
}

export function TokenCell({ line, onFilter }: { line: LogLine; onFilter: OnFilter }) {
  return (
    <FilterValue
      text={line.token_name}
      maxWidth="100%"
      onFilter={() => onFilter({ token_name: line.token_name })}
    />
  );
}

/** Input and output of a call. */
export function TokensCell({ line }: { line: LogLine }) {
  const { t } = useTranslation();
  if (line.type !== LOG_TYPE.consumption) return null;
  return (
    <Tip title={t('logs.inOutHelp')}>
      <span style={{ whiteSpace: 'nowrap' }}>
        {t('logs.inOut', {
          prompt: line.prompt_tokens.toLocaleString('en-US'),
          completion: line.completion_tokens.toLocaleString('en-US'),
        })}
      </span>
    </Tip>
  );
}

/** Whole time and, for streams, the time to the first token, both in the colours of the duration columns. */
export function DurationCell({ line }: { line: LogLine }) {
  const { t } = useTranslation();
  if (!isCall(line)) return null;
  const { frt: first, duration_ms: wholeMs } = detailsOf(line);
  return (
    <Stack
      align="right"
      upper={
        <Box component="span" sx={{ color: SPEED_COLOURS[durationTone(line.use_time)], fontWeight: 550 }}>
          {wholeMs === undefined ? `${line.use_time} s` : formatMilliseconds(wholeMs)}
        </Box>
      }
      lower={
        line.is_stream && first !== undefined ? (
          <Tip title={t('logs.column.first')}>
            <Box component="span" sx={{ color: SPEED_COLOURS[firstTokenTone(first)], whiteSpace: 'nowrap' }}>
              {t('logs.firstShort', { time: formatMilliseconds(first) })}
            </Box>
          </Tip>
        ) : undefined
      }
    />
  );
}

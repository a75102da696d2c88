import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import { useTranslation } from 'react-i18next';
import { Tip } from '../../shared/feedback/tip';
import { firstTokenTone, formatMilliseconds, durationTone } from '../../shared/format/duration';
import { formatSeconds } from '../../shared/format/timestamp';
import { StatusTag } from '../../shared/feedback/status-tag';
import type { Column } from '../../shared/table/columns';
import { Clipped } from '../../shared/value/clipped';
import { Moment } from '../../shared/value/moment';
import { Quota } from '../../shared/value/quota';
import { SPEED_COLOURS } from '../../shared/value/speed';
import type { LogFilters, LogLine } from './api';
import { FilterValue } from './filter-value';
import { detailsOf } from './log-details';
import { movedBy } from './log-event';
import { logText } from './log-text';
import { isCall, LOG_TYPE, logType } from './log.labels';
import { useLogTexts } from './use-log-texts';

interface ColumnsInput {
  asAdministrator: boolean;
  onFilter: (patch: Partial<LogFilters>) => void;
  onUser: (line: LogLine) => void;
}

/** Of a call only; in the other lines what happened stands here instead. */
export const CALL_COLUMNS = ['model', 'token', 'group', 'duration', 'prompt', 'completion'] as const;

export function useLogColumns({ asAdministrator, onFilter, onUser }: ColumnsInput): Column<LogLine>[] {
  const { t } = useTranslation();
  const words = useLogTexts();
  const administrators: Column<LogLine>[] = [
    {
      id: 'channel',
      label: t('logs.column.channel'),
      render: (line) => {
        if (line.channel === 0) return null;
        const text =
          line.channel_name === '' ? String(line.channel) : `${line.channel} · ${line.channel_name}`;
        return <FilterValue text={text} onFilter={() => onFilter({ channel: String(line.channel) })} />;
      },
    },
    {
      id: 'user',
      label: t('logs.column.user'),
      card: 'line',
      render: (line) => (line.username === '' ? null : <UserCell line={line} onUser={onUser} />),
    },
  ];
  const retries: Column<LogLine> = {
    id: 'retries',
    label: t('logs.column.retries'),
    render: (line) => <Attempts path={detailsOf(line).admin_info?.use_channel ?? []} />,
  };
  return [
    {
      id: 'time',
      label: t('logs.column.time'),
      choosable: false,
      card: 'title',
      width: 152,
      render: (line) => (
        <time
          dateTime={new Date(line.created_at * 1000).toISOString()}
          style={{ whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' }}
        >
          {formatSeconds(line.created_at)}
        </time>
      ),
    },
    ...(asAdministrator ? administrators : []),
    {
      id: 'type',
      label: t('logs.column.type'),
      card: 'aside',
      render: (line) => {
        const { word, tone } = logType(line.type);
        return <StatusTag tone={tone}>{t(`logs.type.${word}`)}</StatusTag>;
      },
    },
    {
      id: 'model',
      label: t('logs.column.model'),
      card: 'line',
      render: (line) => (
        <>
          <ModelCell line={line} onFilter={onFilter} />
          {/* Users read it in the column of details, for which administrators have no room. */}
          {asAdministrator && line.type === LOG_TYPE.error && (
            <Box sx={{ color: 'text.secondary', fontSize: 12 }}>
              <Clipped text={line.content} maxWidth={260} />
            </Box>
          )}
        </>
      ),
    },
    {
      id: 'token',
      label: t('logs.column.token'),
      render: (line) => (
        <FilterValue
          text={line.token_name}
          maxWidth={140}
          onFilter={() => onFilter({ token_name: line.token_name })}
        />
      ),
    },
    {
      id: 'group',
      label: t('logs.column.group'),
      hiddenAtFirst: true,
      render: (line) => <FilterValue text={line.group} onFilter={() => onFilter({ group: line.group })} />,
    },
    {
      id: 'duration',
      label: t('logs.column.duration'),
      align: 'right',
      render: (line) => <Duration line={line} />,
    },
    {
      id: 'prompt',
      label: t('logs.column.prompt'),
      align: 'right',
      render: (line) => (isCall(line) ? line.prompt_tokens.toLocaleString('en-US') : null),
    },
    {
      id: 'completion',
      label: t('logs.column.completion'),
      align: 'right',
      render: (line) => (isCall(line) ? line.completion_tokens.toLocaleString('en-US') : null),
    },
    {
      id: 'quota',
      label: t('logs.column.quota'),
      align: 'right',
      card: 'line',
      render: (line) =>
        isCall(line) ? (
          line.quota === 0 && line.type === LOG_TYPE.error ? null : (
            <Quota value={line.quota} />
          )
        ) : (
          <Moved amount={movedBy(line)} />
        ),
    },
    ...(asAdministrator ? [retries] : []),
    {
      id: 'details',
      label: t('logs.column.details'),
      fills: true,
      // How a call was priced: beside the columns of administrators a usual screen has no room for it; the opened line has it.
      hiddenAtFirst: asAdministrator,
      render: (line) => (isCall(line) ? <Clipped text={logText(line, words)} maxWidth="100%" /> : null),
    },
    {
      id: 'ago',
      label: t('logs.drawer.when'),
      hiddenAtFirst: true,
      render: (line) => <Moment seconds={line.created_at} />,
    },
  ];
}

/** What came in or was taken, which the cost of a call is told from by its sign. */
function Moved({ amount }: { amount: number }) {
  if (amount === 0) return null;
  return (
    <Box component="span" sx={{ color: amount > 0 ? 'success.main' : 'warning.main', fontWeight: 550 }}>
      <Quota value={amount} signed />
    </Box>
  );
}

function ModelCell({ line, onFilter }: { line: LogLine; onFilter: ColumnsInput['onFilter'] }) {
  const { t } = useTranslation();
  const served = detailsOf(line).upstream_model_name;
  return (
    <Box sx={{ display: 'inline-flex', alignItems: 'center', gap: 0.5, maxWidth: '100%' }}>
      <FilterValue text={line.model_name} mono onFilter={() => onFilter({ model_name: line.model_name })} />
      {served !== undefined && served !== line.model_name && (
        <Tip title={t('logs.mapped', { model: served })}>
          <Box component="span" tabIndex={0} sx={{ color: 'text.secondary' }}>
            →
          </Box>
        </Tip>
      )}
    </Box>
  );
}

/** Whole time and, for streams, the time to the first token, both in the colours of the duration columns. */
function Duration({ line }: { line: LogLine }) {
  const { t } = useTranslation();
  if (!isCall(line)) return null;
  const { frt: first, duration_ms: wholeMs } = detailsOf(line);
  return (
    <Box component="span" sx={{ whiteSpace: 'nowrap' }}>
      {line.is_stream && first !== undefined && (
        <Tip title={t('logs.column.first')}>
          <Box component="span" sx={{ color: SPEED_COLOURS[firstTokenTone(first)], mr: 0.75 }}>
            {formatMilliseconds(first)}
          </Box>
        </Tip>
      )}
      <Box component="span" sx={{ color: SPEED_COLOURS[durationTone(line.use_time)], fontWeight: 550 }}>
        {wholeMs !== undefined && wholeMs < 1_000 ? formatMilliseconds(wholeMs) : `${line.use_time} s`}
      </Box>
      <Box component="span" sx={{ color: 'text.secondary', ml: 0.75 }}>
        {line.is_stream ? t('logs.stream') : t('logs.plain')}
      </Box>
    </Box>
  );
}

function UserCell({ line, onUser }: { line: LogLine; onUser: (line: LogLine) => void }) {
  const { t } = useTranslation();
  return (
    <ButtonBase
      aria-label={t('logs.openUser', { name: line.username })}
      onClick={(event) => {
        event.stopPropagation();
        onUser(line);
      }}
      sx={{
        font: 'inherit',
        borderRadius: '5px',
        px: 0.5,
        mx: -0.5,
        color: 'primary.main',
        '&:hover': { bgcolor: 'soft.accent' },
      }}
    >
      {line.username}
    </ButtonBase>
  );
}

function Attempts({ path }: { path: readonly string[] }) {
  const { t } = useTranslation();
  if (path.length < 2) return null;
  return (
    <StatusTag tone="warning" tooltip={t('logs.retryPath', { path: path.join(' → ') })}>
      {path.join(' → ')}
    </StatusTag>
  );
}

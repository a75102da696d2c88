import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { formatMilliseconds } from '../format/duration';
import type { Schemas } from '../../api/schemas';
import { ATTEMPT_FAILURES } from './attempt-failures';
import type { Attempt, Explanation } from './explanation.api';
import { detailsOf, type LogDetails } from './log-details';

type LogLine = Readonly<Schemas['LogLine']>;

interface CallTimelineProps {
  /** Absent when only the explanation is at hand. */
  line?: LogLine;
  /** Absent for calls that failed and were not charged. */
  explanation?: Explanation;
}

const OUTCOMES = ['ok', 'partial', 'client_abort', 'limit', 'recovered'] as const;

/** Attempts on one line of time: which channels, how long each took, how each ended; then how the call ended. */
export function CallTimeline({ line, explanation }: CallTimelineProps) {
  const { t } = useTranslation();
  const details = line === undefined ? {} : detailsOf(line);
  const attempts = explanation?.attempts ?? attemptsOf(details);
  const ending = OUTCOMES.find((known) => known === (explanation?.outcome ?? details.outcome));
  const wholeMs = explanation?.duration_ms ?? details.duration_ms ?? (line?.use_time ?? 0) * 1_000;
  const firstMs = explanation?.first_byte_ms ?? details.frt;
  const parts = [
    ending === undefined ? undefined : t(`logs.outcome.${ending}`),
    (explanation?.is_stream ?? line?.is_stream) === true && firstMs !== undefined && firstMs !== null
      ? t('logs.timeline.first', { time: formatMilliseconds(firstMs) })
      : undefined,
    t('logs.timeline.total', { time: formatMilliseconds(wholeMs) }),
    details.status_code === undefined
      ? undefined
      : t('logs.timeline.status', { status: details.status_code }),
  ];
  return (
    <Box component="section" aria-labelledby="call-happened">
      <Typography id="call-happened" variant="h3" sx={{ mb: 1 }}>
        {t('logs.drawer.happened')}
      </Typography>
      {attempts.length > 0 && <Attempts attempts={attempts} />}
      <Typography variant="body2" color="textSecondary">
        {parts.filter((part) => part !== undefined).join(' · ')}
      </Typography>
    </Box>
  );
}

/** Attempts of a call that failed, which its line has; only administrators get them. */
function attemptsOf({ admin_info: admin }: LogDetails): readonly Attempt[] {
  return (admin?.attempts ?? []).map((attempt) => ({
    channel_id: attempt.channel_id ?? 0,
    channel_name: '',
    started_at_ms: attempt.started_at_ms ?? null,
    ended_at_ms: attempt.ended_at_ms ?? null,
    failure: attempt.failure ?? '',
    upstream_status: attempt.upstream_status ?? null,
  }));
}

function Attempts({ attempts }: { attempts: readonly Attempt[] }) {
  const starts = attempts.map((attempt) => attempt.started_at_ms).filter((moment) => moment !== null);
  const ends = attempts.map((attempt) => attempt.ended_at_ms).filter((moment) => moment !== null);
  const span = {
    startMs: Math.min(...starts),
    wholeMs: Math.max(1, Math.max(...ends) - Math.min(...starts)),
  };
  return (
    <Box component="ol" sx={{ listStyle: 'none', m: 0, mb: 1.25, p: 0, display: 'grid', gap: 1.25 }}>
      {attempts.map((attempt, index) => (
        // Attempts never change places, and one channel may be tried twice.
        <AttemptLine key={index} attempt={attempt} number={index + 1} span={span} />
      ))}
    </Box>
  );
}

interface AttemptLineProps {
  attempt: Attempt;
  number: number;
  span: { startMs: number; wholeMs: number };
}

function AttemptLine({ attempt, number, span }: AttemptLineProps) {
  const { t } = useTranslation();
  const { started_at_ms: startedMs, ended_at_ms: endedMs, failure, upstream_status: status } = attempt;
  const failed = failure !== '';
  const known = ATTEMPT_FAILURES.find((each) => each === failure);
  const parts = [
    failed
      ? t('logs.timeline.failed', { reason: known === undefined ? failure : t(`logs.failure.${known}`) })
      : t('logs.timeline.answered'),
    status === null ? undefined : t('logs.timeline.status', { status }),
    startedMs === null || endedMs === null ? undefined : formatMilliseconds(endedMs - startedMs),
  ];
  return (
    <li>
      <Box sx={{ display: 'flex', gap: 1, justifyContent: 'space-between', fontSize: 13, flexWrap: 'wrap' }}>
        <span>
          {t('logs.timeline.attempt', {
            number,
            channel: attempt.channel_name === '' ? `#${attempt.channel_id}` : attempt.channel_name,
          })}
        </span>
        <Box component="span" sx={{ color: failed ? 'error.main' : 'success.main' }}>
          {parts.filter((part) => part !== undefined).join(' · ')}
        </Box>
      </Box>
      {startedMs !== null && endedMs !== null && (
        <Bar
          failed={failed}
          leftPercent={((startedMs - span.startMs) / span.wholeMs) * 100}
          widthPercent={((endedMs - startedMs) / span.wholeMs) * 100}
        />
      )}
    </li>
  );
}

/** Narrowest bar that can still be seen. */
const MIN_PERCENT = 1.5;

function Bar({
  failed,
  leftPercent,
  widthPercent,
}: {
  failed: boolean;
  leftPercent: number;
  widthPercent: number;
}) {
  const left = Math.min(100 - MIN_PERCENT, leftPercent);
  return (
    <Box
      sx={{ height: 6, borderRadius: '3px', bgcolor: 'soft.neutral', mt: 0.5, position: 'relative' }}
      aria-hidden
    >
      <Box
        sx={{
          position: 'absolute',
          top: 0,
          height: '100%',
          left: `${left}%`,
          width: `${Math.min(100 - left, Math.max(MIN_PERCENT, widthPercent))}%`,
          borderRadius: '3px',
          bgcolor: failed ? 'error.main' : 'primary.main',
        }}
      />
    </Box>
  );
}

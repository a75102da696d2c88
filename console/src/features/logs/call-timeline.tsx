import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { formatMilliseconds } from '../../shared/format/duration';
import type { Attempt, LogLine } from './api';
import { detailsOf } from './log-details';

interface CallTimelineProps {
  line: LogLine;
  attempts: readonly Attempt[] | undefined;
  outcome: string | undefined;
}

const OUTCOMES = ['ok', 'partial', 'client_abort', 'limit', 'recovered'] as const;
type Outcome = (typeof OUTCOMES)[number];

/** Attempts on one line of time: which channels, how long each took, how each ended; then how the call ended. */
export function CallTimeline({ line, attempts = [], outcome }: CallTimelineProps) {
  const { t } = useTranslation();
  const details = detailsOf(line);
  const ending = OUTCOMES.find((known): known is Outcome => known === (outcome ?? details.outcome));
  const start = Math.min(...attempts.map((attempt) => attempt.startedAtMs));
  const end = Math.max(...attempts.map((attempt) => attempt.endedAtMs));
  const wholeMs = attempts.length > 0 ? end - start : line.use_time * 1_000;
  const firstMs = details.frt;
  return (
    <Box component="section" aria-labelledby="call-happened">
      <Typography id="call-happened" variant="h3" sx={{ mb: 1 }}>
        {t('logs.drawer.happened')}
      </Typography>
      <Box component="ol" sx={{ listStyle: 'none', m: 0, p: 0, display: 'grid', gap: 1.25 }}>
        {attempts.map((attempt, index) => (
          <AttemptLine
            key={attempt.startedAtMs}
            attempt={attempt}
            number={index + 1}
            start={start}
            wholeMs={Math.max(1, wholeMs)}
          />
        ))}
      </Box>
      <Typography variant="body2" color="text.secondary" sx={{ mt: attempts.length > 0 ? 1.25 : 0 }}>
        {[
          ending === undefined ? undefined : t(`logs.outcome.${ending}`),
          line.is_stream && firstMs !== undefined
            ? t('logs.timeline.first', { time: formatMilliseconds(firstMs) })
            : undefined,
          t('logs.timeline.total', { time: formatMilliseconds(wholeMs) }),
          details.status_code === undefined
            ? undefined
            : t('logs.timeline.status', { status: details.status_code }),
        ]
          .filter((part) => part !== undefined)
          .join(' · ')}
      </Typography>
    </Box>
  );
}

interface AttemptLineProps {
  attempt: Attempt;
  number: number;
  start: number;
  wholeMs: number;
}

function AttemptLine({ attempt, number, start, wholeMs }: AttemptLineProps) {
  const { t } = useTranslation();
  const failed = attempt.failure !== undefined && attempt.failure !== null;
  const left = ((attempt.startedAtMs - start) / wholeMs) * 100;
  const width = Math.max(1.5, ((attempt.endedAtMs - attempt.startedAtMs) / wholeMs) * 100);
  const ending = failed
    ? t('logs.timeline.failed', { reason: attempt.failure })
    : t('logs.timeline.answered');
  return (
    <li>
      <Box sx={{ display: 'flex', gap: 1, justifyContent: 'space-between', fontSize: 13, flexWrap: 'wrap' }}>
        <span>
          {t('logs.timeline.attempt', {
            number,
            channel: attempt.channelName === '' ? `#${attempt.channelId}` : attempt.channelName,
          })}
        </span>
        <Box component="span" sx={{ color: failed ? 'error.main' : 'success.main' }}>
          {[
            ending,
            attempt.upstreamStatus === undefined || attempt.upstreamStatus === null
              ? undefined
              : t('logs.timeline.status', { status: attempt.upstreamStatus }),
          ]
            .filter((part) => part !== undefined)
            .join(' · ')}
          {' · '}
          {formatMilliseconds(attempt.endedAtMs - attempt.startedAtMs)}
        </Box>
      </Box>
      <Box
        sx={{ height: 6, borderRadius: 3, bgcolor: 'soft.neutral', mt: 0.5, position: 'relative' }}
        aria-hidden
      >
        <Box
          sx={{
            position: 'absolute',
            inset: 0,
            left: `${Math.min(98.5, left)}%`,
            width: `${Math.min(100 - left, width)}%`,
            borderRadius: 3,
            bgcolor: failed ? 'error.main' : 'primary.main',
          }}
        />
      </Box>
    </li>
  );
}

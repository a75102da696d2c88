import Box from '@mui/material/Box';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { formatMilliseconds } from '../../shared/format/duration';
import type { Minute } from './api';
import { SparkLine } from './spark-line';

const SECONDS_PER_MINUTE = 60;
const SHOWN_MINUTES = 60;

/** The last hour in four lines: calls, failures, first token, booking. */
export function StatusFigures({ history }: { history: readonly Minute[] }) {
  const { t } = useTranslation();
  const hour = lastHour(history);
  const figures = [
    {
      id: 'calls' as const,
      values: hour.map((minute) => minute && minute.calls / SECONDS_PER_MINUTE),
      format: (value: number) => t('status.figure.perSecond', { value: value.toFixed(value < 10 ? 1 : 0) }),
    },
    {
      id: 'errors' as const,
      values: hour.map((minute) => minute && (minute.calls === 0 ? 0 : (minute.errors / minute.calls) * 100)),
      format: (value: number) => `${value.toFixed(value > 0 && value < 10 ? 1 : 0)}%`,
    },
    {
      id: 'firstToken' as const,
      values: hour.map((minute) => minute && minute.first_token_p95_ms),
      format: formatMilliseconds,
    },
    {
      id: 'lag' as const,
      values: hour.map((minute) => minute && minute.settlement_lag_ms),
      format: formatMilliseconds,
    },
  ];
  return (
    <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr 1fr', lg: 'repeat(4, 1fr)' } }}>
      {figures.map(({ id, values, format }) => {
        const known = values.filter((value) => value !== null);
        const last = known.at(-1);
        const text = last === undefined ? '–' : format(last);
        const most = known.length === 0 ? '–' : format(Math.max(...known));
        const label = t('status.figure.line', { name: t(`status.figure.${id}`), last: text, most });
        return (
          <Paper key={id} variant="outlined" sx={{ p: { xs: 1.75, sm: 2.25 }, minWidth: 0 }}>
            <Typography variant="body2" color="textSecondary">
              {t(`status.figure.${id}`)}
            </Typography>
            <Typography
              component="p"
              sx={{
                fontSize: { xs: 18, sm: 22 },
                fontWeight: 650,
                lineHeight: 1.35,
              }}
            >
              {text}
            </Typography>
            <SparkLine values={values} label={label} />
            <Typography
              variant="caption"
              color="textSecondary"
              aria-hidden
              sx={{
                display: 'flex',
                flexWrap: 'wrap',
                justifyContent: 'space-between',
                columnGap: 1,
                mt: 0.5,
              }}
            >
              <span>{t('status.figure.hour')}</span>
              <span>{t('status.figure.most', { most })}</span>
            </Typography>
          </Paper>
        );
      })}
    </Box>
  );
}

/** A place for each of the last sixty minutes, null where nothing is known. */
function lastHour(history: readonly Minute[]): (Minute | null)[] {
  const last = history.at(-1)?.at;
  if (last === undefined) return [];
  const byMinute = new Map(history.map((minute) => [minute.at, minute]));
  return Array.from(
    { length: SHOWN_MINUTES },
    (_, index) => byMinute.get(last - (SHOWN_MINUTES - 1 - index) * SECONDS_PER_MINUTE) ?? null,
  );
}

import Box from '@mui/material/Box';
import { useTheme } from '@mui/material/styles';
import { BarChart } from '@mui/x-charts/BarChart';
import { LineChart } from '@mui/x-charts/LineChart';
import { useTranslation } from 'react-i18next';
import { formatMilliseconds } from '../../shared/format/duration';
import { formatSeconds } from '../../shared/format/timestamp';
import type { ChannelStatistics } from './api';
import { bucketsOf } from './channel-buckets';

const HEIGHT = 220;
const AXIS_WIDTH = 64;
/** Pixels between moments below the bars, and room for half of the last one. */
const LABEL_GAP = 14;
const RIGHT = 20;
const DAY_SECONDS = 86_400;

interface ChartProps {
  statistics: ChannelStatistics;
  /** Sentence for those who do not see it. */
  label: string;
}

/** Moments as the axis shows them: hours of a day, days of longer periods. */
function useBuckets(statistics: ChannelStatistics) {
  const isDay = statistics.to - statistics.from <= DAY_SECONDS + statistics.bucket_seconds;
  const buckets = bucketsOf(statistics);
  const data = buckets.map(({ at }) => at);
  const format = (at: number, context: { location: string }): string => {
    const text = formatSeconds(at);
    if (context.location !== 'tick') return text.slice(0, 16);
    return isDay ? text.slice(11, 16) : text.slice(5, 10);
  };
  return {
    buckets,
    axis: {
      scaleType: 'band' as const,
      data,
      valueFormatter: format,
      tickLabelMinGap: LABEL_GAP,
      disableLine: true,
      disableTicks: true,
    },
  };
}

/** Colours of the scheme that is shown. */
function useColours() {
  const theme = useTheme();
  return theme.vars?.palette ?? theme.palette;
}

/** Answered attempts, and on top of them those that failed. */
export function AttemptsChart({ statistics, label }: ChartProps) {
  const { t } = useTranslation();
  const { buckets, axis } = useBuckets(statistics);
  const colours = useColours();
  return (
    <Box role="img" aria-label={label}>
      <BarChart
        height={HEIGHT}
        margin={{ left: 0, right: RIGHT, top: 12, bottom: 0 }}
        xAxis={[{ ...axis, categoryGapRatio: 0.2 }]}
        yAxis={[{ width: AXIS_WIDTH, disableLine: true, disableTicks: true, tickMinStep: 1 }]}
        series={[
          {
            id: 'answered',
            stack: 'all',
            label: t('channels.page.answered'),
            color: colours.primary.light,
            data: buckets.map(({ attempts, failures }) => attempts - failures),
          },
          {
            id: 'failed',
            stack: 'all',
            label: t('channels.page.failed'),
            color: colours.error.main,
            data: buckets.map(({ failures }) => failures),
          },
        ]}
        grid={{ horizontal: true }}
        skipAnimation
      />
    </Box>
  );
}

/** First token of streamed answers: half of them, and 95 % of them, were faster. */
export function FirstTokenChart({ statistics, label }: ChartProps) {
  const { buckets, axis } = useBuckets(statistics);
  const colours = useColours();
  const time = (value: number | null): string => (value === null ? '' : formatMilliseconds(value));
  const lineOf = (id: string, color: string, data: (number | null)[]) => ({
    id,
    label: id,
    color,
    data,
    connectNulls: false,
    curve: 'linear' as const,
    valueFormatter: time,
    // A point between gaps has no line to be seen by.
    showMark: ({ index }: { readonly index: number }) =>
      (data[index - 1] ?? null) === null && (data[index + 1] ?? null) === null,
  });
  return (
    <Box role="img" aria-label={label}>
      <LineChart
        height={HEIGHT}
        margin={{ left: 0, right: RIGHT, top: 12, bottom: 0 }}
        xAxis={[axis]}
        yAxis={[{ width: AXIS_WIDTH, disableLine: true, disableTicks: true, min: 0, valueFormatter: time }]}
        series={[
          lineOf(
            'p50',
            colours.primary.main,
            buckets.map((bucket) => bucket.first_token_p50_ms),
          ),
          lineOf(
            'p95',
            colours.warning.main,
            buckets.map((bucket) => bucket.first_token_p95_ms),
          ),
        ]}
        grid={{ horizontal: true }}
        skipAnimation
      />
    </Box>
  );
}

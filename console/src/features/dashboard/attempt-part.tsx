import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import Typography from '@mui/material/Typography';
import { useColorScheme } from '@mui/material/styles';
import { BarChart } from '@mui/x-charts/BarChart';
import type { UseQueryResult } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Empty } from '../../shared/feedback/empty';
import { Failed } from '../../shared/feedback/failed';
import { Moment } from '../../shared/value/moment';
import type { AttemptUse } from './use.api';
import type { AttemptFigure, UseView } from './use-filters';
import { periodsOf, periodStart } from './use-sums';

interface AttemptPartProps {
  view: UseView;
  figure: AttemptFigure;
  by: 'model' | 'channel';
  query: UseQueryResult<AttemptUse>;
  shown: 'chart' | 'names' | 'periods';
  periodText: (seconds: number) => string;
}

type Figures = AttemptUse['total'];

const HEIGHT = 280;
/** Two inks of the chart of use: the first and the third, and red for failures. */
const INKS = {
  light: { first: '#4f46e5', second: '#d97706', failures: '#dc2626', answered: '#94a3b8' },
  dark: { first: '#8b8cf8', second: '#fbbf24', failures: '#f87171', answered: '#64748b' },
} as const;

const milliseconds = (value: number | null): string =>
  value === null
    ? '—'
    : value < 1_000
      ? `${value.toLocaleString('en-US')} ms`
      : `${(value / 1_000).toFixed(2)} s`;
const shareOf = ({ attempts, failures }: Figures): string =>
  attempts === 0 ? '—' : `${((failures / attempts) * 100).toFixed(1)}%`;

/** Failures, first token or duration of attempts: over time, and by model or channel. */
export function AttemptPart({ view, figure, by, query, shown, periodText }: AttemptPartProps) {
  const { t } = useTranslation();
  const { data, error, isError, refetch } = query;
  if (isError)
    return <Failed title={t('dashboard.loadFailed')} error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton variant="rounded" height={HEIGHT} />;
  return (
    <>
      <Totals figures={data.total} />
      {data.counted_since !== null && data.counted_since > view.start && (
        <Typography variant="caption" color="textSecondary" component="p" sx={{ mb: 1 }}>
          {t('dashboard.use.countedSince')} <Moment seconds={data.counted_since} />
        </Typography>
      )}
      {data.total.attempts === 0 ? (
        <Empty title={t('dashboard.use.nothing')} />
      ) : figure === 'first_token' && data.total.first_token_p50_ms === null ? (
        <Empty title={t('dashboard.use.notStreamed')} />
      ) : shown === 'chart' ? (
        <Chart data={data} view={view} figure={figure} periodText={periodText} />
      ) : (
        <FiguresTable
          label={t(`dashboard.measure.${figure}`)}
          head={shown === 'names' ? t(`dashboard.part.${by}`) : t('dashboard.use.time')}
          rows={
            shown === 'names'
              ? data.lines.map((line) => ({
                  ...line,
                  name: line.reference === 0 ? line.name : `${line.reference} · ${line.name}`,
                }))
              : data.series.map((point) => ({ ...point, name: periodText(point.created_at) }))
          }
        />
      )}
    </>
  );
}

function Totals({ figures }: { figures: Figures }) {
  const { t } = useTranslation();
  const rows = [
    ['attempts', figures.attempts.toLocaleString('en-US')],
    ['failures', `${figures.failures.toLocaleString('en-US')} · ${shareOf(figures)}`],
    ['firstP50', milliseconds(figures.first_token_p50_ms)],
    ['firstP95', milliseconds(figures.first_token_p95_ms)],
    ['durationP95', milliseconds(figures.duration_p95_ms)],
  ] as const;
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, columnGap: 4, mb: 2 }}>
      {rows.map(([name, text]) => (
        <div key={name}>
          <Typography variant="caption" color="textSecondary" component="p">
            {t(`dashboard.attempt.${name}`)}
          </Typography>
          <Typography component="p" sx={{ fontWeight: 620 }}>
            {text}
          </Typography>
        </div>
      ))}
    </Box>
  );
}

function Chart({
  data,
  view,
  figure,
  periodText,
}: Pick<AttemptPartProps, 'view' | 'figure' | 'periodText'> & { data: AttemptUse }) {
  const { t } = useTranslation();
  const { mode, systemMode } = useColorScheme();
  const inks = INKS[(mode === 'system' ? systemMode : mode) === 'dark' ? 'dark' : 'light'];
  const grain = view.grain === 'hour' ? 'hour' : 'day';
  const periods = periodsOf(view.start, view.end, grain);
  const points = new Map(data.series.map((point) => [periodStart(point.created_at, grain), point]));
  const values = (of: (point: Figures) => number | null) =>
    periods.map((period) => {
      const point = points.get(period);
      return point === undefined ? null : of(point);
    });
  const isCount = figure === 'failures';
  const text = (value: number | null) =>
    value === null ? null : isCount ? value.toLocaleString('en-US') : milliseconds(value);
  const of = {
    failures: [
      [t('dashboard.attempt.failures'), inks.failures, values((point) => point.failures)],
      [t('dashboard.attempt.others'), inks.answered, values((point) => point.attempts - point.failures)],
    ],
    first_token: [
      [t('dashboard.attempt.firstP50'), inks.first, values((point) => point.first_token_p50_ms)],
      [t('dashboard.attempt.firstP95'), inks.second, values((point) => point.first_token_p95_ms)],
    ],
    duration: [
      [t('dashboard.attempt.durationP50'), inks.first, values((point) => point.duration_p50_ms)],
      [t('dashboard.attempt.durationP95'), inks.second, values((point) => point.duration_p95_ms)],
    ],
  } as const;
  return (
    <Box role="img" aria-label={t(`dashboard.measure.${figure}`)}>
      <BarChart
        height={HEIGHT}
        margin={{ left: 0, right: 8, top: 12, bottom: 0 }}
        xAxis={[
          {
            scaleType: 'band',
            data: [...periods],
            valueFormatter: periodText,
            disableLine: true,
            disableTicks: true,
          },
        ]}
        yAxis={[
          {
            valueFormatter: (value: number) => text(value) ?? '',
            disableLine: true,
            disableTicks: true,
            width: 72,
          },
        ]}
        series={of[figure].map(([label, color, line]) => ({
          label,
          color,
          data: [...line],
          valueFormatter: text,
          ...(isCount ? { stack: 'all' } : {}),
        }))}
        grid={{ horizontal: true }}
        skipAnimation
      />
    </Box>
  );
}

function FiguresTable({
  label,
  head,
  rows,
}: {
  label: string;
  head: string;
  rows: readonly (Figures & { readonly name: string })[];
}) {
  const { t } = useTranslation();
  return (
    <TableContainer tabIndex={0} role="region" aria-label={label} sx={{ maxHeight: 420 }}>
      <Table size="small" stickyHeader aria-label={label}>
        <TableHead>
          <TableRow>
            <TableCell>{head}</TableCell>
            {(
              ['attempts', 'failures', 'share', 'firstP50', 'firstP95', 'durationP50', 'durationP95'] as const
            ).map((name) => (
              <TableCell key={name} align="right">
                {t(`dashboard.attempt.${name}`)}
              </TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody>
          {rows.map((row) => (
            <TableRow key={row.name}>
              <TableCell sx={{ overflowWrap: 'anywhere' }}>{row.name}</TableCell>
              <TableCell align="right">{row.attempts.toLocaleString('en-US')}</TableCell>
              <TableCell align="right">{row.failures.toLocaleString('en-US')}</TableCell>
              <TableCell align="right">{shareOf(row)}</TableCell>
              <TableCell align="right">{milliseconds(row.first_token_p50_ms)}</TableCell>
              <TableCell align="right">{milliseconds(row.first_token_p95_ms)}</TableCell>
              <TableCell align="right">{milliseconds(row.duration_p50_ms)}</TableCell>
              <TableCell align="right">{milliseconds(row.duration_p95_ms)}</TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </TableContainer>
  );
}

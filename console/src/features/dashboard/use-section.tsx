import FileDownloadOutlined from '@mui/icons-material/FileDownloadOutlined';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import LinearProgress from '@mui/material/LinearProgress';
import MenuItem from '@mui/material/MenuItem';
import Skeleton from '@mui/material/Skeleton';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { saveFile } from '../../shared/browser/save-file';
import { MenuButton } from '../../shared/page/menu-button';
import { Empty } from '../../shared/feedback/empty';
import { Failed } from '../../shared/feedback/failed';
import { shownZone } from '../../shared/format/zone';
import { Section } from '../../shared/page/section';
import { useQuotaSettings, useStatus } from '../../shared/session/status';
import { useListState } from '../../shared/table/use-list-state';
import { Quota } from '../../shared/value/quota';
import { useNow } from '../../shared/value/use-now';
import { attemptUseQuery, type NamedUse, useOfSpanQuery, type UseScope } from './use.api';
import { csvOfAttempts, csvOfUse, fileNameOf } from './use-export';
import { inUtcDays, isMark, partsOf, USE_FILTERS, type UsePart, viewOf, type UseView } from './use-filters';
import { logPathOf } from './use-log-path';
import { UsePeriods } from './use-periods';
import {
  foldLines,
  periodStart,
  sumUse,
  type Step,
  type Measure,
  type UseLine,
  type UseTable as Sums,
} from './use-sums';
import { UseTable } from './use-table';
import { UseToolbar } from './use-toolbar';
import { useDashboardInterval } from './use-dashboard-interval';

const UseChart = lazy(() => import('./use-chart').then((module) => ({ default: module.UseChart })));
const AttemptPart = lazy(() => import('./attempt-part').then((module) => ({ default: module.AttemptPart })));
const CHART_HEIGHT = 280;
/** One ink less than the chart has: the last is for the rest. */
const CHART_LINES = 7;
const SHOWN = ['chart', 'names', 'periods'] as const;

/** Quota, calls and tokens by model (or account) and time: a chart, and the tables behind it. */
export function UseSection({ isAdministrator }: { isAdministrator: boolean }) {
  const { t, i18n } = useTranslation();
  const status = useStatus();
  const list = useListState(USE_FILTERS);
  const [shown, setShown] = useState<(typeof SHOWN)[number]>('chart');
  const hour = periodStart(useNow(), 'hour');
  const asked = viewOf(list.filters, status?.data_export_default_time ?? 'hour', hour);
  const isOwn = !isAdministrator || list.filters.who === 'self';
  const part = partsOf(isOwn, asked).find((known) => known === list.filters.by) ?? 'model';
  const view = isMark(part) ? inUtcDays(asked) : asked;
  const scope = scopeOf(isOwn, part, list.filters.username);
  const refreshMs = useDashboardInterval();
  const isOfCalls = view.figure === undefined;
  const { data, error, isError, isFetching, refetch } = useQuery({
    ...useOfSpanQuery(scope, { ...asked, grain: view.grain === 'hour' ? 'hour' : 'day' }, refreshMs),
    enabled: isOfCalls,
  });
  const before = useQuery({
    ...useOfSpanQuery(scope, { ...spanBefore(view), grain: 'day' }, refreshMs),
    enabled: isOfCalls && view.end - view.start <= MOST_COMPARED,
  });
  const navigate = useNavigate();
  const settings = useQuotaSettings();
  const chart = useRef<HTMLDivElement>(null);
  // The server sums the smaller ones up where they are too many.
  const nameOf = ({ name }: NamedUse) =>
    name === null ? t('dashboard.use.others') : name === '' ? t('dashboard.use.nameless') : name;
  const pathOf = (line: UseLine) => logPathOf(line, view);
  const pick = (line: UseLine, period: number) => {
    const start = Math.max(view.start, table?.periods[period] ?? view.start);
    const path = logPathOf(line, { start, end: Math.min(view.end, table?.periods[period + 1] ?? view.end) });
    if (path !== undefined) void navigate(path);
  };
  const attemptsBy = part === 'channel' ? 'channel' : 'model';
  const attempts = useQuery({
    ...attemptUseQuery(attemptsBy, { ...view, grain: view.grain === 'hour' ? 'hour' : 'day' }, refreshMs),
    enabled: !isOfCalls,
  });
  const hasFigures = isOfCalls ? data !== undefined : attempts.data !== undefined;
  const saveCsv = () => {
    const type = { type: 'text/csv' };
    if (!isOfCalls) {
      const lines = attempts.data?.lines ?? [];
      saveFile(
        fileNameOf('attempts', view, 'csv'),
        new Blob([csvOfAttempts(lines, t(`dashboard.part.${attemptsBy}`))], type),
      );
      return;
    }
    if (table === undefined) return;
    const heads = [
      t(`dashboard.part.${part}`),
      t('dashboard.use.dollars'),
      t('dashboard.measure.count'),
      t('dashboard.measure.token_used'),
      t('dashboard.use.total'),
    ] as const;
    saveFile(fileNameOf('usage', view, 'csv'), new Blob([csvOfUse(table, heads, settings)], type));
  };
  const savePng = async () => {
    if (chart.current === null) return;
    const { chartPng } = await import('./chart-png');
    const image = await chartPng(
      chart.current,
      `${title}: ${t(`dashboard.measure.${view.figure ?? view.measure}`)}`,
    );
    if (image !== undefined) saveFile(fileNameOf('usage', view, 'png'), image);
  };
  const table = data === undefined ? undefined : sumUse(data, nameOf, view.grain, view, view.measure);
  const periodText = periodTextOf(view.grain, i18n.resolvedLanguage ?? 'en');
  const title = t('dashboard.use.title');
  return (
    <Section
      title={title}
      explanation={t('dashboard.use.lead')}
      action={
        <Box sx={{ display: 'flex', gap: 1, alignItems: 'center' }}>
          <ToggleButtonGroup
            exclusive
            size="small"
            value={shown}
            onChange={(_event, next: (typeof SHOWN)[number] | null) => next !== null && setShown(next)}
            aria-label={t('dashboard.use.shown')}
          >
            {SHOWN.map((each) => (
              <ToggleButton key={each} value={each} sx={{ whiteSpace: 'nowrap' }}>
                {t(`dashboard.shown.${each}`)}
              </ToggleButton>
            ))}
          </ToggleButtonGroup>
          <MenuButton label={t('dashboard.use.export')} icon={<FileDownloadOutlined fontSize="small" />}>
            {(close) => [
              <MenuItem key="csv" disabled={!hasFigures} onClick={() => (close(), saveCsv())}>
                {t('dashboard.use.csv')}
              </MenuItem>,
              <MenuItem
                key="png"
                disabled={shown !== 'chart' || !hasFigures}
                onClick={() => (close(), void savePng())}
              >
                {t('dashboard.use.png')}
              </MenuItem>,
            ]}
          </MenuButton>
        </Box>
      }
    >
      <UseToolbar list={list} view={view} isAdministrator={isAdministrator} isOwn={isOwn} />
      {status?.enable_data_export === false && (
        <Alert severity="info" sx={{ mb: 2 }}>
          {t('dashboard.use.off')}
        </Alert>
      )}
      {isMark(part) && (
        <Typography variant="body2" color="textSecondary" sx={{ mb: 2 }}>
          {t(`dashboard.use.${part}Note`)}
        </Typography>
      )}
      <Box ref={chart}>
        {view.figure !== undefined ? (
          <Suspense fallback={<Skeleton variant="rounded" height={CHART_HEIGHT} />}>
            <AttemptPart
              view={view}
              figure={view.figure}
              by={attemptsBy}
              query={attempts}
              shown={shown}
              periodText={periodText}
            />
          </Suspense>
        ) : (
          <>
            {isFetching && table !== undefined && <LinearProgress aria-hidden sx={{ height: 2, mb: 1 }} />}
            {isError ? (
              <Failed title={t('dashboard.loadFailed')} error={error} onRetry={() => void refetch()} />
            ) : table === undefined ? (
              <Skeleton variant="rounded" height={CHART_HEIGHT} />
            ) : (
              <>
                <Totals
                  table={table}
                  view={view}
                  hasAverages={!isMark(part)}
                  before={before.data === undefined ? undefined : totalOf(before.data)}
                />
                {table.lines.length === 0 ? (
                  <Empty title={t('dashboard.use.nothing')} />
                ) : shown === 'names' ? (
                  <UseTable
                    label={title}
                    firstHead={t(`dashboard.part.${part}`)}
                    table={table}
                    measure={view.measure}
                    isOfModels={part === 'model'}
                    pathOf={pathOf}
                  />
                ) : shown === 'periods' ? (
                  <UsePeriods label={title} table={table} periodText={periodText} />
                ) : (
                  <Suspense fallback={<Skeleton variant="rounded" height={CHART_HEIGHT} />}>
                    <UseChart
                      label={`${title}: ${t(`dashboard.measure.${view.measure}`)}`}
                      periods={table.periods}
                      lines={foldLines(table.lines, CHART_LINES, t('dashboard.use.others'))}
                      measure={view.measure}
                      isOfModels={part === 'model'}
                      periodText={periodText}
                      onPick={pick}
                    />
                  </Suspense>
                )}
              </>
            )}
          </>
        )}
      </Box>
    </Section>
  );
}

function scopeOf(isOwn: boolean, part: UsePart | 'model', username: string): UseScope {
  if (isOwn) return { who: 'self', by: part === 'account' || part === 'channel' ? 'model' : part };
  if (username !== '') return { who: 'account', username };
  return { who: 'everybody', by: part };
}

/** Longest span in seconds that is compared: an account may ask for a month at most. */
const MOST_COMPARED = 31 * 86_400;

/** The span of the same length before. */
const spanBefore = ({ start, end }: UseView) => ({ start: start - (end - start), end: start });

function totalOf(rows: readonly NamedUse[]): Sums['total'] {
  const total = { quota: 0, count: 0, token_used: 0 };
  for (const row of rows) {
    total.quota += row.quota;
    total.count += row.count;
    total.token_used += row.token_used;
  }
  return total;
}

interface TotalsProps {
  table: Sums;
  view: UseView;
  before: Sums['total'] | undefined;
  hasAverages: boolean;
}

/** Sums of what is looked at, and how busy it was on average. */
function Totals({ table, view, before, hasAverages }: TotalsProps) {
  const { t } = useTranslation();
  const against = (measure: Measure) => {
    if (before === undefined || before[measure] === 0) return undefined;
    const change = (table.total[measure] / before[measure] - 1) * 100;
    const percent = Math.round(Math.abs(change));
    const sign = percent === 0 ? '±' : change < 0 ? '−' : '+';
    return t('dashboard.use.before', { share: `${sign}${percent}%` });
  };
  const minutes = (view.end - view.start) / 60;
  const average = (sum: number) => {
    const each = sum / minutes;
    return each.toLocaleString('en-US', { maximumFractionDigits: each >= 100 ? 0 : each >= 1 ? 1 : 3 });
  };
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, columnGap: 4, mb: 2 }}>
      <Total label={t('dashboard.measure.quota')} note={against('quota')}>
        <Quota value={table.total.quota} />
      </Total>
      <Total label={t('dashboard.measure.count')} note={against('count')}>
        {table.total.count.toLocaleString('en-US')}
      </Total>
      <Total label={t('dashboard.measure.token_used')} note={against('token_used')}>
        {table.total.token_used.toLocaleString('en-US')}
      </Total>
      {hasAverages && (
        <>
          <Total label={t('dashboard.use.rpm')}>{average(table.total.count)}</Total>
          <Total label={t('dashboard.use.tpm')}>{average(table.total.token_used)}</Total>
        </>
      )}
    </Box>
  );
}

function Total({ label, note, children }: { label: string; note?: string | undefined; children: ReactNode }) {
  return (
    <div>
      <Typography variant="caption" color="textSecondary" component="p">
        {label}
      </Typography>
      <Typography component="p" sx={{ fontWeight: 620 }}>
        {children}
      </Typography>
      {note !== undefined && (
        <Typography variant="caption" color="textSecondary" component="p">
          {note}
        </Typography>
      )}
    </div>
  );
}

function periodTextOf(grain: Step, language: string): (seconds: number) => string {
  const words = new Intl.DateTimeFormat(language, {
    timeZone: grain === 'utcDay' ? 'UTC' : shownZone(),
    month: 'numeric',
    day: 'numeric',
    ...(grain === 'hour'
      ? { hour: '2-digit', minute: '2-digit', hour12: false }
      : { weekday: grain === 'week' ? undefined : 'short' }),
  });
  return (seconds) => words.format(new Date(seconds * 1000));
}

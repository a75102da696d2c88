import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import LinearProgress from '@mui/material/LinearProgress';
import Skeleton from '@mui/material/Skeleton';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Empty } from '../../shared/feedback/empty';
import { Failed } from '../../shared/feedback/failed';
import { shownZone } from '../../shared/format/zone';
import { Section } from '../../shared/page/section';
import { useStatus } from '../../shared/session/status';
import { useListState } from '../../shared/table/use-list-state';
import { Quota } from '../../shared/value/quota';
import { useNow } from '../../shared/value/use-now';
import { type Use, useOfSpanQuery, type UseScope } from './use.api';
import { USE_FILTERS, viewOf, type UseView } from './use-filters';
import { UsePeriods } from './use-periods';
import { foldLines, periodStart, sumUse, type Grain, type UseTable as Sums } from './use-sums';
import { UseTable } from './use-table';
import { UseToolbar } from './use-toolbar';
import { useDashboardInterval } from './use-dashboard-interval';

const UseChart = lazy(() => import('./use-chart').then((module) => ({ default: module.UseChart })));
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
  const view = viewOf(list.filters, status?.data_export_default_time ?? 'hour', hour);
  const isOwn = !isAdministrator || list.filters.who === 'self';
  const byAccount = !isOwn && list.filters.by === 'account' && list.filters.username === '';
  const scope = scopeOf(isOwn, byAccount, list.filters.username);
  const { data, error, isError, isFetching, refetch } = useQuery(
    useOfSpanQuery(scope, { ...view, grain: view.grain === 'hour' ? 'hour' : 'day' }, useDashboardInterval()),
  );
  const nameOf = (row: Use) => {
    // Where there is too much to show, the server sums the smaller ones up.
    if (byAccount ? row.user_id === 0 : row.model_name === '') return t('dashboard.use.others');
    const name = byAccount ? row.username : row.model_name;
    return name === '' ? t('dashboard.use.nameless') : name;
  };
  const table = data === undefined ? undefined : sumUse(data, nameOf, view.grain, view, view.measure);
  const periodText = periodTextOf(view.grain, i18n.resolvedLanguage ?? 'en');
  const title = t('dashboard.use.title');
  return (
    <Section
      title={title}
      explanation={t('dashboard.use.lead')}
      action={
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
      }
    >
      <UseToolbar list={list} view={view} isAdministrator={isAdministrator} isOwn={isOwn} />
      {status?.enable_data_export === false && (
        <Alert severity="info" sx={{ mb: 2 }}>
          {t('dashboard.use.off')}
        </Alert>
      )}
      {isFetching && table !== undefined && <LinearProgress aria-hidden sx={{ height: 2, mb: 1 }} />}
      {isError ? (
        <Failed title={t('dashboard.loadFailed')} error={error} onRetry={() => void refetch()} />
      ) : table === undefined ? (
        <Skeleton variant="rounded" height={CHART_HEIGHT} />
      ) : (
        <>
          <Totals table={table} view={view} />
          {table.lines.length === 0 ? (
            <Empty title={t('dashboard.use.nothing')} />
          ) : shown === 'names' ? (
            <UseTable
              label={title}
              firstHead={t(byAccount ? 'dashboard.use.account' : 'dashboard.use.model')}
              table={table}
              measure={view.measure}
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
                periodText={periodText}
              />
            </Suspense>
          )}
        </>
      )}
    </Section>
  );
}

function scopeOf(isOwn: boolean, byAccount: boolean, username: string): UseScope {
  if (isOwn) return { who: 'self' };
  if (username !== '') return { who: 'account', username };
  return { who: 'everybody', by: byAccount ? 'account' : 'model' };
}

/** Sums of what is looked at, and how busy it was on average. */
function Totals({ table, view }: { table: Sums; view: UseView }) {
  const { t } = useTranslation();
  const minutes = (view.end - view.start) / 60;
  const average = (sum: number) => (sum / minutes).toLocaleString('en-US', { maximumFractionDigits: 3 });
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, columnGap: 4, mb: 2 }}>
      <Total label={t('dashboard.measure.quota')}>
        <Quota value={table.total.quota} />
      </Total>
      <Total label={t('dashboard.measure.count')}>{table.total.count.toLocaleString('en-US')}</Total>
      <Total label={t('dashboard.measure.token_used')}>
        {table.total.token_used.toLocaleString('en-US')}
      </Total>
      <Total label={t('dashboard.use.rpm')}>{average(table.total.count)}</Total>
      <Total label={t('dashboard.use.tpm')}>{average(table.total.token_used)}</Total>
    </Box>
  );
}

function Total({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <Typography variant="caption" color="textSecondary" component="p">
        {label}
      </Typography>
      <Typography component="p" sx={{ fontWeight: 620, fontVariantNumeric: 'tabular-nums' }}>
        {children}
      </Typography>
    </div>
  );
}

function periodTextOf(grain: Grain, language: string): (seconds: number) => string {
  const words = new Intl.DateTimeFormat(language, {
    timeZone: shownZone(),
    month: 'numeric',
    day: 'numeric',
    ...(grain === 'hour'
      ? { hour: '2-digit', minute: '2-digit', hour12: false }
      : { weekday: grain === 'day' ? 'short' : undefined }),
  });
  return (seconds) => words.format(new Date(seconds * 1000));
}

import Box from '@mui/material/Box';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Failed } from '../../shared/feedback/failed';
import { abbreviate, formatQuotaDelta } from '../../shared/format/quota';
import { dayAfter, dayBefore, startOfDay } from '../../shared/format/timestamp';
import { useQuotaSettings } from '../../shared/session/status';
import { Quota } from '../../shared/value/quota';
import { useNow } from '../../shared/value/use-now';
import { lastMinuteQuery } from './api';
import { Figure, MinuteFigure } from './figures';
import { attemptUseQuery, useOfSpanQuery } from './use.api';
import { sumUse, type Measure } from './use-sums';
import { useDashboardInterval } from './use-dashboard-interval';

/** The installation today against yesterday: spend, calls, tokens, failed attempts, first token, and the last minute. */
export function InstanceFigures() {
  const { t } = useTranslation();
  const settings = useQuotaSettings();
  const refreshMs = useDashboardInterval();
  const today = startOfDay(useNow());
  const yesterday = dayBefore(today);
  const end = dayAfter(today);
  const use = useQuery(
    useOfSpanQuery({ who: 'everybody', by: 'model' }, { start: yesterday, end, grain: 'day' }, refreshMs),
  );
  const attempts = useQuery(attemptUseQuery('channel', { start: today, end, grain: 'hour' }, refreshMs));
  const minute = useQuery(lastMinuteQuery);
  if (use.isError)
    return <Failed title={t('dashboard.loadFailed')} error={use.error} onRetry={() => void use.refetch()} />;
  const [day] =
    use.data === undefined ? [] : [sumUse(use.data, () => '', 'day', { start: yesterday, end }, 'count')];
  const figure = (measure: Measure) => {
    if (day === undefined) return {};
    const [last = 0, now = 0] = day.lines[0]?.periods.map((sums) => sums[measure]) ?? [];
    const delta = now - last;
    const isMoney = measure === 'quota';
    const signed = isMoney
      ? formatQuotaDelta(delta, settings)
      : `${delta > 0 ? '+' : '−'}${abbreviate(Math.abs(delta))}`;
    return {
      value: isMoney ? <Quota value={now} /> : now.toLocaleString('en-US'),
      note: delta === 0 ? t('dashboard.sameAsYesterday') : t('dashboard.yesterday', { delta: signed }),
    };
  };
  const total = attempts.data?.total;
  const failed = total === undefined || total.attempts === 0 ? 0 : (total.failures / total.attempts) * 100;
  return (
    <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr 1fr', md: 'repeat(3, 1fr)' } }}>
      <Figure label={t('dashboard.today')} {...figure('quota')} />
      <Figure label={t('dashboard.callsToday')} {...figure('count')} />
      <Figure
        label={t('dashboard.failuresToday')}
        value={total && total.failures.toLocaleString('en-US')}
        note={
          total &&
          t('dashboard.ofAttempts', {
            share: `${failed.toFixed(1)}%`,
            attempts: total.attempts.toLocaleString('en-US'),
          })
        }
      />
      <Figure
        label={t('dashboard.firstTokenToday')}
        value={
          total &&
          (total.first_token_p95_ms === null ? '—' : `${total.first_token_p95_ms.toLocaleString('en-US')} ms`)
        }
        note={
          total && total.first_token_p50_ms !== null
            ? t('dashboard.median', { ms: total.first_token_p50_ms.toLocaleString('en-US') })
            : undefined
        }
      />
      <Figure label={t('dashboard.tokensToday')} {...figure('token_used')} />
      <MinuteFigure spending={minute.data} />
    </Box>
  );
}

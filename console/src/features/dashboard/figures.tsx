import Box from '@mui/material/Box';
import Paper from '@mui/material/Paper';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Failed } from '../../shared/feedback/failed';
import { abbreviate, formatQuotaDelta } from '../../shared/format/quota';
import { dayAfter, dayBefore, startOfDay } from '../../shared/format/timestamp';
import { selfQuery } from '../../shared/session/self';
import { useQuotaSettings } from '../../shared/session/status';
import { Quota } from '../../shared/value/quota';
import { UsedQuota } from '../../shared/value/used-quota';
import { useNow } from '../../shared/value/use-now';
import { type Spending, twoDaysQuery } from './api';
import { useOfSpanQuery } from './use.api';
import { sumUse } from './use-sums';
import { useDashboardInterval } from './use-dashboard-interval';

/** The reader's own account: what is left, what today cost and did against yesterday, what all of it cost, and what is going on right now. */
export function OwnFigures() {
  const { t } = useTranslation();
  const settings = useQuotaSettings();
  const today = startOfDay(useNow());
  const self = useQuery({ ...selfQuery, refetchInterval: 30_000 });
  const spent = useQuery(twoDaysQuery(false, today));
  const hours = useQuery(
    useOfSpanQuery(
      { who: 'self', by: 'model' },
      { start: dayBefore(today), end: dayAfter(today), grain: 'day' },
      useDashboardInterval(),
    ),
  );
  if (self.isError)
    return (
      <Failed title={t('dashboard.loadFailed')} error={self.error} onRetry={() => void self.refetch()} />
    );
  const [yesterday, ofToday] = spent.data?.days.slice(-2) ?? [];
  const delta = (ofToday?.quota ?? 0) - (yesterday?.quota ?? 0);
  const comparison =
    delta === 0
      ? t('dashboard.sameAsYesterday')
      : t('dashboard.yesterday', { delta: formatQuotaDelta(delta, settings) });
  const days =
    hours.data &&
    sumUse(hours.data, () => '', 'day', { start: dayBefore(today), end: today + 1 }, 'count').lines;
  const dayFigure = (measure: 'count' | 'token_used') => {
    if (days === undefined) return {};
    const [last = 0, now = 0] = days[0]?.periods.map((sums) => sums[measure]) ?? [];
    const difference = now - last;
    const signed = `${difference > 0 ? '+' : '−'}${abbreviate(Math.abs(difference))}`;
    const note =
      difference === 0 ? t('dashboard.sameAsYesterday') : t('dashboard.yesterday', { delta: signed });
    return { value: now.toLocaleString('en-US'), note };
  };
  return (
    <Box
      sx={{
        display: 'grid',
        gap: 2,
        gridTemplateColumns: { xs: '1fr 1fr', md: 'repeat(3, 1fr)' },
      }}
    >
      <Figure label={t('dashboard.balance')} value={self.data && <Quota value={self.data.quota} />} />
      <Figure
        label={t('dashboard.today')}
        value={ofToday && <Quota value={ofToday.quota} />}
        note={ofToday && comparison}
      />
      <Figure label={t('dashboard.callsToday')} {...dayFigure('count')} />
      <Figure label={t('dashboard.tokensToday')} {...dayFigure('token_used')} />
      <Figure
        label={t('dashboard.used')}
        value={self.data && <UsedQuota charged={self.data.used_quota} refunded={self.data.refunded_quota} />}
        note={self.data && `${t('dashboard.calls')}: ${self.data.request_count.toLocaleString('en-US')}`}
      />
      <MinuteFigure spending={spent.data?.now} />
    </Box>
  );
}

/** Calls of the last minute with their tokens; undefined = not loaded yet. */
export function MinuteFigure({ spending }: { spending: Spending | undefined }) {
  const { t } = useTranslation();
  const rpm = spending?.rpm.toLocaleString('en-US');
  return (
    <Figure
      label={t('dashboard.minute')}
      value={rpm}
      note={
        spending &&
        t('dashboard.minuteValue', { count: spending.rpm, rpm, tpm: spending.tpm.toLocaleString('en-US') })
      }
    />
  );
}

export function Figure({
  label,
  value,
  note,
}: {
  label: string;
  value?: ReactNode;
  note?: string | undefined;
}) {
  return (
    <Paper variant="outlined" sx={{ p: { xs: 1.75, sm: 2.25 }, minWidth: 0 }}>
      <Typography variant="body2" color="textSecondary">
        {label}
      </Typography>
      <Typography
        component="p"
        sx={{ fontSize: { xs: 20, sm: 24 }, fontWeight: 650, letterSpacing: '-0.015em', lineHeight: 1.35 }}
      >
        {value ?? <Skeleton width={96} />}
      </Typography>
      <Typography variant="caption" color="textSecondary" component="p" sx={{ minHeight: 17 }}>
        {note}
      </Typography>
    </Paper>
  );
}

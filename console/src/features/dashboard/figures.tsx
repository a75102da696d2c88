import Box from '@mui/material/Box';
import Paper from '@mui/material/Paper';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Failed } from '../../shared/feedback/failed';
import { formatQuotaDelta } from '../../shared/format/quota';
import { startOfDay } from '../../shared/format/timestamp';
import { selfQuery } from '../../shared/session/self';
import { useQuotaSettings } from '../../shared/session/status';
import { Quota } from '../../shared/value/quota';
import { useNow } from '../../shared/value/use-now';
import { weekQuery } from './api';

/** Four figures: what is left, what today cost, what all of it cost, and what is going on right now. */
export function Figures() {
  const { t } = useTranslation();
  const settings = useQuotaSettings();
  const today = startOfDay(useNow());
  const self = useQuery({ ...selfQuery, refetchInterval: 30_000 });
  const week = useQuery(weekQuery(false, today));
  if (self.isError)
    return (
      <Failed title={t('dashboard.loadFailed')} error={self.error} onRetry={() => void self.refetch()} />
    );
  const [yesterday, ofToday] = week.data?.days.slice(-2) ?? [];
  const delta = (ofToday?.quota ?? 0) - (yesterday?.quota ?? 0);
  const comparison =
    delta === 0
      ? t('dashboard.sameAsYesterday')
      : t('dashboard.yesterday', { delta: formatQuotaDelta(delta, settings) });
  return (
    <Box
      sx={{
        display: 'grid',
        gap: 2,
        gridTemplateColumns: { xs: '1fr 1fr', lg: 'repeat(4, 1fr)' },
      }}
    >
      <Figure label={t('dashboard.balance')} value={self.data && <Quota value={self.data.quota} />} />
      <Figure
        label={t('dashboard.today')}
        value={ofToday && <Quota value={ofToday.quota} />}
        note={ofToday && comparison}
      />
      <Figure
        label={t('dashboard.used')}
        value={self.data && <Quota value={self.data.used_quota} />}
        note={self.data && `${t('dashboard.calls')}: ${self.data.request_count.toLocaleString('en-US')}`}
      />
      <Figure
        label={t('dashboard.minute')}
        value={week.data && week.data.now.rpm.toLocaleString('en-US')}
        note={
          week.data &&
          t('dashboard.minuteValue', {
            rpm: week.data.now.rpm,
            tpm: week.data.now.tpm.toLocaleString('en-US'),
          })
        }
      />
    </Box>
  );
}

function Figure({ label, value, note }: { label: string; value: ReactNode; note?: string }) {
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

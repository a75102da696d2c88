import Box from '@mui/material/Box';
import Paper from '@mui/material/Paper';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Failed } from '../../shared/feedback/failed';
import { selfQuery } from '../../shared/session/self';
import { Quota } from '../../shared/value/quota';
import { UsedQuota } from '../../shared/value/used-quota';

/** Balance, use, and number of calls. */
export function WalletFigures() {
  const { t } = useTranslation();
  const { data: self, error, isError, refetch } = useQuery(selfQuery);
  if (isError && self === undefined) {
    return <Failed title={t('wallet.loadFailed')} error={error} onRetry={() => void refetch()} />;
  }
  return (
    <Box
      component="dl"
      sx={{ m: 0, display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr 1fr', sm: '2fr 1fr 1fr' } }}
    >
      <Figure label={t('wallet.balance')} large>
        {self && <Quota value={self.quota} />}
      </Figure>
      <Figure label={t('wallet.used')}>
        {self && <UsedQuota charged={self.used_quota} refunded={self.refunded_quota} />}
      </Figure>
      <Figure label={t('wallet.calls')}>{self && self.request_count.toLocaleString('en-US')}</Figure>
    </Box>
  );
}

function Figure({ label, large = false, children }: { label: string; large?: boolean; children: ReactNode }) {
  return (
    <Paper
      variant="outlined"
      sx={{ px: 2.5, py: 2, minWidth: 0, gridColumn: large ? { xs: '1 / -1', sm: 'auto' } : undefined }}
    >
      <Typography component="dt" variant="body2" color="textSecondary">
        {label}
      </Typography>
      <Box
        component="dd"
        sx={{
          m: 0,
          fontSize: large ? 28 : 20,
          fontWeight: 620,
          letterSpacing: '-0.01em',
        }}
      >
        {children ?? <Skeleton width={96} />}
      </Box>
    </Paper>
  );
}

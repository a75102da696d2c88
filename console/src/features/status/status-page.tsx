import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Failed } from '../../shared/feedback/failed';
import { PageHeader } from '../../shared/page/page-header';
import { Around } from '../../shared/value/around';
import { Moment } from '../../shared/value/moment';
import { AlertsSection } from './alerts-section';
import { operationsStatusQuery, type OperationsStatus } from './api';
import { BilledEmptySection } from './billed-empty-section';
import { BreakersSection } from './breakers-section';
import { DisabledChannels } from './disabled-channels';
import { Findings } from './findings';
import { FleetSection } from './fleet-section';
import { MoneySection } from './money-section';
import { PrivateHostsSection } from './private-hosts-section';
import { StatusFigures } from './status-figures';

/** State of the installation, in summary and in detail; for administrators. */
export function StatusPage() {
  const { t, i18n } = useTranslation();
  const query = useQuery(operationsStatusQuery(i18n.resolvedLanguage ?? 'en'));
  const { data, error, isError, refetch } = query;
  return (
    <>
      <PageHeader
        title={t('status.title')}
        explanation={t('status.lead')}
        action={
          data !== undefined && (
            <Typography variant="body2" color="textSecondary">
              <Around text={t('status.checked')}>
                <Moment seconds={data.checked_at} />
              </Around>
            </Typography>
          )
        }
      />
      {data !== undefined ? (
        <Box sx={{ display: 'grid', gap: 2.5, '& > *': { minWidth: 0 } }}>
          {isError && <Failed title={t('status.stale')} error={error} onRetry={() => void refetch()} />}
          <StatusBody status={data} isStale={isError} />
        </Box>
      ) : isError ? (
        <Failed title={t('status.loadFailed')} error={error} onRetry={() => void refetch()} />
      ) : (
        <StatusSkeleton />
      )}
    </>
  );
}

/** @param isStale  the status is old and may be wrong now: no verdict is shown */
function StatusBody({ status, isStale }: { status: OperationsStatus; isStale: boolean }) {
  const { t } = useTranslation();
  return (
    <Box sx={{ display: 'grid', gap: 2.5, '& > *': { minWidth: 0 }, opacity: isStale ? 0.5 : 1 }}>
      {!isStale && <Findings status={status} />}
      {status.administrator_daily_quota_limit === 0 && (
        <Alert severity="info">{t('status.noQuotaLimit')}</Alert>
      )}
      <StatusFigures history={status.history} />
      <FleetSection instances={status.instances} revision={status.revision} />
      <Box
        sx={{
          display: 'grid',
          gap: 2.5,
          alignItems: 'start',
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'minmax(0, 1fr) minmax(0, 1fr)' },
        }}
      >
        <MoneySection status={status} />
        <DisabledChannels />
        <BreakersSection modes={status.modes} breakers={status.breakers} />
      </Box>
      <BilledEmptySection />
      <AlertsSection />
      {status.private_hosts.length > 0 && <PrivateHostsSection lists={status.private_hosts} />}
    </Box>
  );
}

/** Placeholder of the page during its first load. */
function StatusSkeleton() {
  return (
    <Box sx={{ display: 'grid', gap: 2.5 }} aria-busy>
      <Skeleton variant="rounded" height={72} />
      <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr 1fr', md: 'repeat(4, 1fr)' } }}>
        {[0, 1, 2, 3].map((index) => (
          <Skeleton key={index} variant="rounded" height={104} />
        ))}
      </Box>
      <Skeleton variant="rounded" height={180} />
    </Box>
  );
}

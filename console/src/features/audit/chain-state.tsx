import ErrorOutlineRounded from '@mui/icons-material/ErrorOutlineRounded';
import VerifiedUserOutlined from '@mui/icons-material/VerifiedUserOutlined';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Paper from '@mui/material/Paper';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Failed } from '../../shared/feedback/failed';
import { StatusTag } from '../../shared/feedback/status-tag';
import { CopyableText } from '../../shared/value/copyable';
import { Around } from '../../shared/value/around';
import { Moment } from '../../shared/value/moment';
import { type AuditChain, auditChainQuery } from './api';

/** State of the record (unchanged or not), and the hash to keep elsewhere. */
export function ChainState() {
  const { t } = useTranslation();
  const { data, error, isError, isFetching, refetch } = useQuery(auditChainQuery);
  if (data === undefined && isError)
    return <Failed title={t('audit.chain.failed')} error={error} onRetry={() => void refetch()} />;
  return (
    <Paper
      variant="outlined"
      component="section"
      aria-label={t('audit.chain.label')}
      aria-busy={data === undefined}
      sx={{ mb: 2, px: 2, py: 1.5 }}
    >
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 2, rowGap: 1 }}>
        {data === undefined ? <AwaitedFinding /> : <Finding chain={data} />}
        <Typography variant="body2" color="textSecondary" component="span">
          <Around text={t('audit.chain.checked')}>
            {data === undefined ? '…' : <Moment seconds={data.checked_at} />}
          </Around>
        </Typography>
        <Box sx={{ ml: { sm: 'auto' } }}>
          <Button size="small" loading={isFetching} onClick={() => void refetch()}>
            {t('audit.chain.check')}
          </Button>
        </Box>
      </Box>
      {data?.head_hash !== '' && (
        <Box
          sx={{
            display: 'flex',
            flexWrap: 'wrap',
            alignItems: 'center',
            columnGap: 1,
            mt: 0.75,
            minWidth: 0,
          }}
        >
          <Typography variant="body2" color="textSecondary">
            {t('audit.chain.head', { sequence: data?.head_sequence ?? '…' })}
          </Typography>
          {data === undefined ? (
            <Skeleton variant="rounded" width={524} height={19} sx={{ maxWidth: '100%' }} />
          ) : (
            <CopyableText text={data.head_hash} />
          )}
        </Box>
      )}
      {data !== undefined && data.fault !== null && (
        <Alert severity="error" sx={{ mt: 1.5 }}>
          {t(`audit.chain.fault.${data.fault.kind}`, { sequence: data.fault.sequence })}{' '}
          {t('audit.chain.advice')}
        </Alert>
      )}
    </Paper>
  );
}

function Finding({ chain }: { chain: AuditChain }) {
  const { t } = useTranslation();
  return (
    <>
      <StatusTag
        tone={chain.intact ? 'ok' : 'fault'}
        icon={chain.intact ? <VerifiedUserOutlined /> : <ErrorOutlineRounded />}
      >
        {t(chain.intact ? 'audit.chain.intact' : 'audit.chain.broken')}
      </StatusTag>
      <Typography variant="body2">
        {chain.verified_up_to === 0
          ? t('audit.chain.nothing')
          : t('audit.chain.verified', { from: chain.first_sequence, to: chain.verified_up_to })}
      </Typography>
    </>
  );
}

/** Placeholder of the final width, so that the list below stays where it is. */
function AwaitedFinding() {
  const { t } = useTranslation();
  return (
    <>
      <Skeleton variant="rounded" width={64} height={22} />
      <Skeleton variant="rounded" aria-hidden>
        <Typography variant="body2">{t('audit.chain.verified', { from: 1, to: 1 })}</Typography>
      </Skeleton>
    </>
  );
}

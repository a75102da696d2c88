import Alert from '@mui/material/Alert';
import AlertTitle from '@mui/material/AlertTitle';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { ROLE, useCurrentUser } from '../../../api/current-user';
import { MONO } from '../../../shared/format/mono';
import { formatJson } from '../../../shared/format/json';
import { type FailureKind, failureKind } from '../chat/failure-kind';
import type { Failure } from '../chat/messages';

interface FailurePartProps {
  failure: Failure;
  model: string;
  /** Absent while another call runs. */
  onRetry?: (() => void) | undefined;
}

/** A failure in words, with a way on; what the gateway sent is folded below. */
export function FailurePart({ failure, model, onRetry }: FailurePartProps) {
  const { t } = useTranslation();
  const isAdministrator = (useCurrentUser()?.role ?? 0) >= ROLE.administrator;
  const kind = failureKind(failure);
  const way = wayOut(kind, isAdministrator, model);
  return (
    <Alert severity="error" sx={{ mt: 1, '& .MuiAlert-message': { minWidth: 0, flex: 1 } }}>
      <AlertTitle sx={{ fontSize: 14, mb: 0.25 }}>{t(`playground.failure.${kind}`)}</AlertTitle>
      {failure.message !== '' && <Box sx={{ overflowWrap: 'anywhere' }}>{failure.message}</Box>}
      <Box sx={{ display: 'flex', gap: 1, flexWrap: 'wrap', mt: 1 }}>
        {way !== undefined && (
          <Button component={Link} to={way.path} size="small" variant="outlined" color="inherit">
            {t(`playground.way.${way.word}`)}
          </Button>
        )}
        {onRetry !== undefined && (
          <Button size="small" variant="outlined" color="inherit" onClick={onRetry}>
            {t('playground.askAgain')}
          </Button>
        )}
      </Box>
      {failure.data !== '' && (
        <Box component="details" sx={{ mt: 1, fontSize: 12.5 }}>
          <summary>{t('playground.failureData')}</summary>
          <Box
            component="pre"
            sx={{
              m: 0,
              mt: 0.5,
              fontFamily: MONO,
              fontSize: 12,
              whiteSpace: 'pre-wrap',
              overflowWrap: 'anywhere',
            }}
          >
            {formatJson(failure.data) ?? failure.data}
          </Box>
        </Box>
      )}
    </Alert>
  );
}

type WayWord = 'topUp' | 'price' | 'ownPrices' | 'channels' | 'status';

function wayOut(
  kind: FailureKind,
  isAdministrator: boolean,
  model: string,
): { readonly word: WayWord; readonly path: string } | undefined {
  if (kind === 'balance') return { word: 'topUp', path: '/topup' };
  if (kind === 'price')
    return isAdministrator
      ? { word: 'price', path: '/prices?prices=unset_models' }
      : { word: 'ownPrices', path: '/personal?tab=prices' };
  if (!isAdministrator) return undefined;
  if (kind === 'model') return { word: 'channels', path: `/channel?model=${encodeURIComponent(model)}` };
  return kind === 'gateway' ? { word: 'status', path: '/status' } : undefined;
}

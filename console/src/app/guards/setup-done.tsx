import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, Outlet, useLocation } from 'react-router';
import { Failed } from '../../shared/feedback/failed';
import { pauseStore } from '../../shared/feedback/pause';
import { Loading } from '../../shared/feedback/loading';
import { statusQuery } from '../../shared/session/status';
import { isTooMany } from '../../api/api-error';
import { basePath } from '../../shared/browser/base-path';

/** Until the instance is set up, every path but /setup leads there. */
export function SetupDone() {
  const { t } = useTranslation();
  const { data, error: lastError, failureReason, refetch } = useQuery(statusQuery);
  // The first failure counts: while it is tried again for seconds, a page with nothing on it explains nothing.
  const error = lastError ?? failureReason;
  const { pathname } = useLocation();
  const isPaused = useSyncExternalStore(pauseStore.subscribe, pauseStore.read) !== 0;
  if (data === undefined && (isPaused || isTooMany(error))) return <Outlet />;
  if (data === undefined) {
    if (error === null) return <Loading />;
    return (
      <main>
        <Failed title={t('common.error.unableToConnect')} error={error} onRetry={() => void refetch()} />
        <Button href={`${basePath()}/`} sx={{ ml: 2 }}>
          {t('common.reload')}
        </Button>
      </main>
    );
  }
  if (!data.setup && pathname !== '/setup') return <Navigate to="/setup" replace />;
  return <Outlet />;
}

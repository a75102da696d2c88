import Alert from '@mui/material/Alert';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { lazyPart } from '../../shared/feedback/lazy-part';
import { Loading } from '../../shared/feedback/loading';
import { PageHeader } from '../../shared/page/page-header';

// A part of its own: what it shares with few other pages would become part of them all (console/chunk-groups.ts).
const PlaygroundBody = lazyPart(async () => (await import('./playground-body')).PlaygroundBody);

/** Tries models on the reader's own account. */
export function PlaygroundPage() {
  const { t } = useTranslation();
  const isExpired = useSearchParams()[0].get('expired') === 'true';
  return (
    <>
      <PageHeader title={t('shell.nav.playground')} explanation={t('playground.lead')} />
      {isExpired && (
        <Alert severity="warning" sx={{ mb: 2 }}>
          {t('common.error.signedOut')}
        </Alert>
      )}
      <Suspense fallback={<Loading />}>
        <PlaygroundBody />
      </Suspense>
    </>
  );
}

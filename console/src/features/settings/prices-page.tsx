import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { loadTexts } from '../../i18n';
import { Failed } from '../../shared/feedback/failed';
import { lazyPart } from '../../shared/feedback/lazy-part';
import { Loading } from '../../shared/feedback/loading';
import { PageHeader } from '../../shared/page/page-header';
import { optionsQuery } from './api';

const loadBody = async () => (await Promise.all([import('./tab-body'), loadTexts('prices')]))[0].PricesBody;
// Fetched beside the values it shows.
void loadBody().catch(() => undefined);
const PricesBody = lazyPart(loadBody);

/** Prices of models on a page of their own. */
export function PricesPage() {
  const { t } = useTranslation();
  const { data, error, isError, refetch } = useQuery(optionsQuery);
  return (
    <>
      <PageHeader title={t('shell.nav.prices')} />
      {data !== undefined ? (
        <Suspense fallback={<Loading />}>
          <PricesBody texts={data} />
        </Suspense>
      ) : isError ? (
        <Failed title={t('settings.loadFailed')} error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading />
      )}
    </>
  );
}

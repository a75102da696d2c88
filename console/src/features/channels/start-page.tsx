import Button from '@mui/material/Button';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { lazyPart } from '../../shared/feedback/lazy-part';
import { Loading } from '../../shared/feedback/loading';
import { PageHeader } from '../../shared/page/page-header';

const StartForm = lazyPart(async () => (await import('./start-form')).StartForm);

/** From a provider's key to the first answer and its receipt, on one page. */
export function StartPage() {
  const { t } = useTranslation();
  return (
    <>
      <PageHeader
        title={t('firstAnswer.title')}
        explanation={t('firstAnswer.lead')}
        action={
          <Button component={Link} to="/detail" color="inherit">
            {t('firstAnswer.skip')}
          </Button>
        }
      />
      <Suspense fallback={<Loading />}>
        <StartForm />
      </Suspense>
    </>
  );
}

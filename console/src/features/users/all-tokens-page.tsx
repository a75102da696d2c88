import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyPart } from '../../shared/feedback/lazy-part';
import { Loading } from '../../shared/feedback/loading';
import { PageHeader } from '../../shared/page/page-header';

/** Fetched after the page: the list with its dialogs is most of the code. */
const AdministeredTokens = lazyPart(async () => (await import('./administered-tokens')).AdministeredTokens);

/** Tokens of all accounts that an administrator may read. */
export function AllTokensPage() {
  const { t } = useTranslation();
  return (
    <>
      <PageHeader title={t('users.tokens.title')} explanation={t('users.tokens.lead')} />
      <Suspense fallback={<Loading />}>
        <AdministeredTokens />
      </Suspense>
    </>
  );
}

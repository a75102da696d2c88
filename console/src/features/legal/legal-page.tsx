import DescriptionOutlined from '@mui/icons-material/DescriptionOutlined';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Empty } from '../../shared/feedback/empty';
import { Failed } from '../../shared/feedback/failed';
import { Loading } from '../../shared/feedback/loading';
import { OperatorContent } from '../../shared/page/operator-content';
import { useSystemName } from '../../shared/session/status';
import { legalTextQuery } from './api';

export function UserAgreementPage() {
  return <LegalPage document="user-agreement" />;
}

export function PrivacyPolicyPage() {
  return <LegalPage document="privacy-policy" />;
}

/** Text that users accept when they register; public. */
function LegalPage({ document }: { document: 'user-agreement' | 'privacy-policy' }) {
  const { t } = useTranslation();
  const name = useSystemName();
  const title = t(document === 'user-agreement' ? 'legal.userAgreement' : 'legal.privacyPolicy');
  const { data, error, isPending, isError, refetch } = useQuery(legalTextQuery(document));
  if (isPending) return <Loading />;
  if (isError) return <Failed title={t('about.failed')} error={error} onRetry={() => void refetch()} />;
  const content = data.trim();
  return (
    <>
      <title>{`${title} · ${name}`}</title>
      {content === '' ? (
        <Empty icon={<DescriptionOutlined />} title={title} explanation={t('legal.empty')} />
      ) : (
        <OperatorContent content={content} frameTitle={title} />
      )}
    </>
  );
}

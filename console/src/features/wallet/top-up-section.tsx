import PaymentsOutlined from '@mui/icons-material/PaymentsOutlined';
import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { isRoot, useCurrentUser } from '../../api/current-user';
import { Empty } from '../../shared/feedback/empty';
import { Failed } from '../../shared/feedback/failed';
import { Loading } from '../../shared/feedback/loading';
import { Section } from '../../shared/page/section';
import { isPayableOnline, topUpInfoQuery } from './api';
import { TopUpForm } from './top-up-form';

/** Top-up by online payment, where an administrator switched it on. */
export function TopUpSection() {
  const { t } = useTranslation();
  const maySet = isRoot(useCurrentUser());
  const { data: info, error, isError, refetch } = useQuery(topUpInfoQuery);
  return (
    <Section title={t('wallet.topUp.title')} explanation={t('wallet.topUp.help')}>
      {info === undefined ? (
        isError ? (
          <Failed title={t('wallet.topUp.loadFailed')} error={error} onRetry={() => void refetch()} />
        ) : (
          <Loading />
        )
      ) : isPayableOnline(info) ? (
        <TopUpForm info={info} />
      ) : (
        <Empty
          icon={<PaymentsOutlined />}
          title={t('wallet.topUp.off')}
          explanation={t('wallet.topUp.offHelp')}
          action={
            maySet ? (
              <Button component={Link} to="/setting?tab=system#section-payment" variant="outlined">
                {t('wallet.topUp.setUp')}
              </Button>
            ) : undefined
          }
        />
      )}
    </Section>
  );
}

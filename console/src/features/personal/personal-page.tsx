import Box from '@mui/material/Box';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Failed } from '../../shared/feedback/failed';
import { Loading } from '../../shared/feedback/loading';
import { PageHeader } from '../../shared/page/page-header';
import { isRoot, useCurrentUser } from '../../shared/session/current-user';
import { selfQuery } from '../../shared/session/self';
import { AccessToken } from './access-token';
import { AccountFigures } from './account-figures';
import { AvailableModels } from './available-models';
import { DeleteAccount } from './delete-account';
import { PasswordForm } from './password-form';
import { PriceConsent } from './price-consent';
import { ProfileForm } from './profile-form';
import { SessionList } from './session-list';

export function PersonalPage() {
  const { t } = useTranslation();
  const root = isRoot(useCurrentUser());
  const { data, error, isError, refetch } = useQuery(selfQuery);
  return (
    <>
      <PageHeader title={t('personal.title')} />
      {data === undefined ? (
        isError ? (
          <Failed title={t('personal.loadFailed')} error={error} onRetry={() => void refetch()} />
        ) : (
          <Loading />
        )
      ) : (
        <Box
          sx={{
            display: 'grid',
            gap: 2,
            gridTemplateColumns: { xs: '1fr', lg: '1fr 1fr' },
            alignItems: 'start',
            '& > *': { minWidth: 0 },
          }}
        >
          <Column>
            <AccountFigures self={data} />
            <AvailableModels />
            <SessionList />
          </Column>
          <Column>
            <ProfileForm self={data} />
            <PasswordForm />
            <AccessToken />
            <PriceConsent self={data} />
            {!root && <DeleteAccount username={data.username} />}
          </Column>
        </Box>
      )}
    </>
  );
}

function Column({ children }: { children: ReactNode }) {
  return <Box sx={{ display: 'grid', gap: 2, '& > *': { minWidth: 0 } }}>{children}</Box>;
}

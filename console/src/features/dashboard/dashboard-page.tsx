import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { PageHeader } from '../../shared/page/page-header';
import { isAdministrator, useCurrentUser } from '../../api/current-user';
import { Figures } from './figures';
import { FirstSteps } from './first-steps';
import { HealthSection } from './health-section';
import { OperatorPanels } from './operator-panels';
import { RecentCalls } from './recent-calls';
import { TopAccounts } from './top-accounts';
import { UseSection } from './use-section';

export function DashboardPage() {
  const { t } = useTranslation();
  const user = useCurrentUser();
  const asAdministrator = isAdministrator(user);
  const name = user?.display_name === '' ? user.username : (user?.display_name ?? '');
  return (
    <>
      <PageHeader title={t('dashboard.title')} explanation={t('dashboard.hello', { name })} />
      <Box sx={{ display: 'grid', gap: 2, '& > *': { minWidth: 0 } }}>
        <FirstSteps isAdministrator={asAdministrator} />
        <OperatorPanels />
        <Figures />
        <UseSection isAdministrator={asAdministrator} />
        <Box
          sx={{
            display: 'grid',
            gap: 2,
            gridTemplateColumns: { xs: '1fr', lg: asAdministrator ? 'repeat(3, 1fr)' : '1fr' },
            alignItems: 'start',
            '& > *': { minWidth: 0 },
          }}
        >
          {asAdministrator && (
            <>
              <TopAccounts />
              <HealthSection />
            </>
          )}
          <RecentCalls />
        </Box>
      </Box>
    </>
  );
}

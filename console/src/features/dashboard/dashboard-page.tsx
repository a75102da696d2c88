import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { PageHeader } from '../../shared/page/page-header';
import { isAdministrator, useCurrentUser } from '../../api/current-user';
import { OwnFigures } from './figures';
import { InstanceFigures } from './instance-figures';
import { FirstSteps } from './first-steps';
import { HealthSection } from './health-section';
import { LockedTokens } from './locked-tokens';
import { OperatorPanels } from './operator-panels';
import { RecentCalls } from './recent-calls';
import { TopAccounts } from './top-accounts';
import { USE_FILTERS } from './use-filters';
import { UseSection } from './use-section';
import { WarningsSection } from './warnings-section';
import { useListState } from '../../shared/table/use-list-state';

export function DashboardPage() {
  const { t } = useTranslation();
  const user = useCurrentUser();
  const asAdministrator = isAdministrator(user);
  const name = user?.display_name === '' ? user.username : (user?.display_name ?? '');
  const { filters } = useListState(USE_FILTERS);
  const isOwn = !asAdministrator || filters.who === 'self';
  return (
    <>
      <PageHeader title={t('dashboard.title')} explanation={t('dashboard.hello', { name })} />
      <Box sx={{ display: 'grid', gap: 2, '& > *': { minWidth: 0 } }}>
        <FirstSteps isAdministrator={asAdministrator} />
        <LockedTokens />
        <WarningsSection />
        <OperatorPanels />
        <UseSection isAdministrator={asAdministrator} />
        {isOwn ? <OwnFigures /> : <InstanceFigures />}
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
          <RecentCalls isOwn={isOwn} />
        </Box>
      </Box>
    </>
  );
}

import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { PageHeader } from '../../shared/page/page-header';
import { isAdministrator, useCurrentUser } from '../../shared/session/current-user';
import { Figures } from './figures';
import { FirstSteps } from './first-steps';
import { RecentCalls } from './recent-calls';
import { WeekSection } from './week-section';

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
        <Figures />
        <Box
          sx={{
            display: 'grid',
            gap: 2,
            gridTemplateColumns: { xs: '1fr', lg: '3fr 2fr' },
            alignItems: 'start',
            '& > *': { minWidth: 0 },
          }}
        >
          <WeekSection isAdministrator={asAdministrator} />
          <RecentCalls />
        </Box>
      </Box>
    </>
  );
}

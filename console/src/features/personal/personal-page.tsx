import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import { useQuery } from '@tanstack/react-query';
import { Suspense, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { Failed } from '../../shared/feedback/failed';
import { lazyPart } from '../../shared/feedback/lazy-part';
import { Loading } from '../../shared/feedback/loading';
import { PageHeader } from '../../shared/page/page-header';
import { ROLE } from '../../api/current-user';
import { selfQuery, type Self } from '../../shared/session/self';
import { AccountFigures } from './account-figures';
import { AvailableModels } from './available-models';
import { DeleteAccount } from './delete-account';
import { InviteSection } from './invite-section';
import { ProfileForm } from './profile-form';

/** Its list of zones needs more code than the rest of the page. */
const Bindings = lazyPart(async () => (await import('./bindings')).Bindings);
const TimeZoneForm = lazyPart(async () => (await import('./time-zone-form')).TimeZoneForm);

/** Fields of the other tabs. */
const AccessToken = lazyPart(async () => (await import('./access-token')).AccessToken);
const NotificationsTab = lazyPart(async () => (await import('./notifications-tab')).NotificationsTab);
const PasskeySection = lazyPart(async () => (await import('./passkey-section')).PasskeySection);
const PasswordForm = lazyPart(async () => (await import('./password-form')).PasswordForm);
const PriceConsent = lazyPart(async () => (await import('./price-consent')).PriceConsent);
const SessionList = lazyPart(async () => (await import('./session-list')).SessionList);
const TwoFactorSection = lazyPart(async () => (await import('./two-factor-section')).TwoFactorSection);

const TABS = ['account', 'security', 'notifications', 'prices'] as const;
type TabId = (typeof TABS)[number];

export function PersonalPage() {
  const { t } = useTranslation();
  const [search, setSearch] = useSearchParams();
  const tab = TABS.find((known) => known === search.get('tab')) ?? 'account';
  const { data, error, isError, refetch } = useQuery(selfQuery);
  return (
    <>
      <PageHeader title={t('personal.title')} />
      <Tabs
        value={tab}
        onChange={(_event, next: TabId) => setSearch(next === 'account' ? {} : { tab: next })}
        variant="scrollable"
        aria-label={t('personal.tabs')}
        sx={{ mb: 2.5, borderBottom: 1, borderColor: 'divider' }}
      >
        {TABS.map((each) => (
          <Tab
            key={each}
            value={each}
            label={t(`personal.tab.${each}`)}
            id={`personal-tab-${each}`}
            aria-controls="personal-panel"
          />
        ))}
      </Tabs>
      <Box id="personal-panel" role="tabpanel" aria-labelledby={`personal-tab-${tab}`}>
        {data !== undefined ? (
          <Suspense fallback={<Loading />}>
            <TabBody tab={tab} self={data} />
          </Suspense>
        ) : isError ? (
          <Failed title={t('personal.loadFailed')} error={error} onRetry={() => void refetch()} />
        ) : (
          <Loading />
        )}
      </Box>
    </>
  );
}

function TabBody({ tab, self }: { tab: TabId; self: Self }) {
  switch (tab) {
    case 'account':
      return (
        <Columns
          left={
            <>
              <AccountFigures self={self} />
              <InviteSection self={self} />
              <AvailableModels />
            </>
          }
          right={
            <>
              <ProfileForm self={self} />
              <Suspense fallback={<Skeleton variant="rounded" height={210} />}>
                <TimeZoneForm self={self} />
              </Suspense>
              {self.role < ROLE.root && <DeleteAccount username={self.username} />}
            </>
          }
        />
      );
    case 'security':
      return (
        <Columns
          left={
            <>
              <PasswordForm />
              <TwoFactorSection />
              <PasskeySection />
            </>
          }
          right={
            <>
              <Bindings self={self} />
              <SessionList />
              <AccessToken />
            </>
          }
        />
      );
    case 'notifications':
      return <NotificationsTab self={self} />;
    case 'prices':
      return <PriceConsent self={self} />;
  }
}

/** Side by side where there is room, one below the other where there is not. */
function Columns({ left, right }: { left: ReactNode; right: ReactNode }) {
  const column = { display: 'grid', gap: 2, '& > *': { minWidth: 0 } };
  return (
    <Box
      sx={{
        display: 'grid',
        gap: 2,
        gridTemplateColumns: { xs: '1fr', lg: '1fr 1fr' },
        alignItems: 'start',
        '& > *': { minWidth: 0 },
      }}
    >
      <Box sx={column}>{left}</Box>
      <Box sx={column}>{right}</Box>
    </Box>
  );
}

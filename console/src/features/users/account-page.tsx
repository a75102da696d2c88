import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, Navigate, Outlet, useLocation, useNavigate, useOutletContext, useParams } from 'react-router';
import { useCurrentUser } from '../../api/current-user';
import { Failed } from '../../shared/feedback/failed';
import { lazyDialog } from '../../shared/feedback/lazy-dialog';
import { lazyPart } from '../../shared/feedback/lazy-part';
import { Loading } from '../../shared/feedback/loading';
import { PageHeader } from '../../shared/page/page-header';
import { type User, userQuery } from './api';
import { offeredActions, UserActions } from './user-actions';

/** Fetched after the page: each tab has code of its own. */
const AdministeredTokens = lazyPart(async () => (await import('./administered-tokens')).AdministeredTokens);
const AccountOverview = lazyPart(async () => (await import('./account-overview')).AccountOverview);
const AccountSecurity = lazyPart(async () => (await import('./account-security')).AccountSecurity);
const AdjustQuotaDialog = lazyDialog(
  async () => (await import('./adjust-quota-dialog')).AdjustQuotaDialog,
  ({ user }) => user !== null,
);

/** Each tab has an address: /user/7/calls. The first one is the address of the account. */
const TABS = ['overview', 'calls', 'tokens', 'money', 'security'] as const;
type TabName = (typeof TABS)[number];

const pathOf = (id: number, tab: TabName): string =>
  tab === 'overview' ? `/user/${id}` : `/user/${id}/${tab}`;

/** One account for administrators: what it is, its calls, tokens, money and sign-ins. */
export function AccountPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const actor = useCurrentUser();
  const id = Number(useParams()['id']);
  const { pathname, search } = useLocation();
  const tab = TABS.find((each) => pathname.endsWith(`/${each}`)) ?? 'overview';
  const user = useQuery(userQuery(id));
  const [adjusted, setAdjusted] = useState<User | null>(null);
  // The address of the tab in versions before this one.
  if (new URLSearchParams(search).get('tab') === 'tokens')
    return <Navigate to={pathOf(id, 'tokens')} replace />;
  if (user.isError)
    return <Failed title={t('users.form.notFound')} error={user.error} onRetry={() => void user.refetch()} />;
  if (user.data === undefined) return <Loading />;
  const { username, display_name: displayName } = user.data;
  const mayEdit = actor !== null && offeredActions(actor, user.data).includes('edit');
  return (
    <>
      <PageHeader
        title={username}
        explanation={displayName === username ? undefined : displayName}
        action={
          mayEdit && (
            <Box sx={{ display: 'flex', gap: 1, alignItems: 'center' }}>
              <Button component={Link} to={`/user/edit/${id}`} variant="contained">
                {t('users.action.edit')}
              </Button>
              <UserActions
                user={user.data}
                onAdjustQuota={setAdjusted}
                onSecurity={() => void navigate(pathOf(id, 'security'))}
              />
            </Box>
          )
        }
      />
      <Tabs
        value={tab}
        onChange={(_event, next: TabName) => void navigate(pathOf(id, next))}
        variant="scrollable"
        allowScrollButtonsMobile
        aria-label={t('users.account.tabs', { name: username })}
        sx={{ mb: 2, borderBottom: 1, borderColor: 'divider' }}
      >
        {TABS.map((each) => (
          <Tab
            key={each}
            value={each}
            id={`account-${each}`}
            aria-controls="account-panel"
            label={t(`users.account.tab.${each}`)}
          />
        ))}
      </Tabs>
      <Box id="account-panel" role="tabpanel" aria-labelledby={`account-${tab}`} sx={{ minWidth: 0 }}>
        <Suspense fallback={<Loading />}>
          {/* Lists of another account begin at their first page. */}
          <Outlet key={id} context={user.data} />
        </Suspense>
      </Box>
      <AdjustQuotaDialog user={adjusted} onClose={() => setAdjusted(null)} />
    </>
  );
}

/** /user/{id} */
export function AccountOverviewTab() {
  return <AccountOverview user={useOutletContext<User>()} />;
}

/** /user/{id}/tokens */
export function AccountTokensTab() {
  return <AdministeredTokens userId={useOutletContext<User>().id} />;
}

/** /user/{id}/security */
export function AccountSecurityTab() {
  return <AccountSecurity user={useOutletContext<User>()} />;
}

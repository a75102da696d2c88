import { Navigate, type RouteObject } from 'react-router';
import { ROLE } from '../api/current-user';
import { offerTexts } from '../i18n';
import { PAGE_TEXTS } from '../i18n/page-texts';
import { RequiresRole } from './guards/role';
import { SignedIn } from './guards/signed-in';
import { lazily, page } from './lazy-page';

offerTexts(PAGE_TEXTS);

const memberPages: RouteObject[] = [
  page(
    'detail',
    ['dashboard', 'panels', 'tokens'],
    async () => (await import('../features/dashboard/dashboard-page')).DashboardPage,
  ),
  page(
    'token',
    ['tokens', 'chat', 'limits'],
    async () => (await import('../features/tokens/tokens-page')).TokensPage,
  ),
  page('log', ['logs', 'audit', 'money'], async () => (await import('../features/logs/logs-page')).LogsPage),
  page(
    'midjourney',
    ['drawings', 'records'],
    async () => (await import('../features/drawings/drawings-page')).DrawingsPage,
  ),
  page('task', ['tasks', 'records'], async () => (await import('../features/tasks/tasks-page')).TasksPage),
  page('topup', ['wallet', 'money'], async () => (await import('../features/wallet/wallet-page')).WalletPage),
  page(
    'personal',
    ['personal', 'users'],
    async () => (await import('../features/personal/personal-page')).PersonalPage,
  ),
  // One's own account is edited where one's settings are.
  { path: 'user/edit', element: <Navigate to="/personal" replace /> },
  page(
    'playground',
    ['playground'],
    async () => (await import('../features/playground/playground-page')).PlaygroundPage,
  ),
  page('chat/:id?', ['chat'], async () => (await import('../features/chat/chat-page')).ChatPage),
  page('chat2link', ['chat'], async () => (await import('../features/chat/chat-page')).ChatToLinkPage),
];

const adminPages: RouteObject[] = [
  page(
    'start',
    ['channels', 'firstAnswer'],
    async () => (await import('../features/channels/start-page')).StartPage,
  ),
  page(
    'channel',
    ['channels'],
    async () => (await import('../features/channels/channels-page')).ChannelsPage,
    [
      page(
        'add',
        ['channels'],
        async () => (await import('../features/channels/channels-page')).AddChannelRoute,
      ),
      page(
        'edit/:id',
        ['channels'],
        async () => (await import('../features/channels/channels-page')).EditChannelRoute,
      ),
    ],
  ),
  page(
    'channel/:id',
    ['channels', 'limits'],
    async () => (await import('../features/channels/channel-page')).ChannelPage,
  ),
  page(
    'latency',
    ['channels', 'limits'],
    async () => (await import('../features/channels/channel-page')).LatencyPage,
  ),
  page(
    'redemption',
    ['redemptions'],
    async () => (await import('../features/redemptions/redemptions-page')).RedemptionsPage,
  ),
  page('order', ['orders', 'money'], async () => (await import('../features/orders/orders-page')).OrdersPage),
  page('limit', ['limits'], async () => (await import('../features/limits/limits-page')).LimitsPage),
  page('status', ['status'], async () => (await import('../features/status/status-page')).StatusPage),
  page('job', ['jobs'], async () => (await import('../features/jobs/jobs-page')).JobsPage),
  page(
    'setting',
    ['settings', 'panels', 'money'],
    async () => (await import('../features/settings/settings-page')).SettingsPage,
  ),
  page('user/tokens', ['users'], async () => (await import('../features/users/account-pages')).AllTokensPage),
  page('user/:id', ['users'], async () => (await import('../features/users/account-pages')).AccountPage, [
    {
      index: true,
      lazy: lazily(
        ['users'],
        async () => (await import('../features/users/account-pages')).AccountOverviewTab,
      ),
    },
    page(
      'calls',
      ['logs', 'audit', 'money'],
      async () => (await import('../features/logs/logs-page')).AccountCalls,
    ),
    page('tokens', ['users'], async () => (await import('../features/users/account-pages')).AccountTokensTab),
    page(
      'money',
      ['wallet', 'money'],
      async () => (await import('../features/wallet/wallet-lists')).AccountMoney,
    ),
    page(
      'security',
      ['users'],
      async () => (await import('../features/users/account-pages')).AccountSecurityTab,
    ),
  ]),
  page(
    'prices',
    ['settings', 'panels', 'money'],
    async () => (await import('../features/settings/settings-page')).PricesPage,
  ),
  page('user', ['users'], async () => (await import('../features/users/users-page')).UsersPage, [
    page('edit/:id', ['users'], async () => (await import('../features/users/users-page')).EditUserRoute),
  ]),
];

const rootPages: RouteObject[] = [
  page(
    'setting/import',
    ['imports'],
    async () => (await import('../features/imports/imports-page')).ImportsPage,
  ),
  page('bin', ['bin'], async () => (await import('../features/bin/bin-page')).BinPage),
  page('audit', ['audit', 'money'], async () => (await import('../features/audit/audit-page')).AuditPage),
];

/** Pages behind the sign-in page. The router loads this file when an address is none of a guest's pages. */
export const signedInRoutes: RouteObject[] = [
  {
    Component: SignedIn,
    children: [
      ...memberPages,
      { element: <RequiresRole atLeast={ROLE.administrator} />, children: adminPages },
      { element: <RequiresRole atLeast={ROLE.root} />, children: rootPages },
    ],
  },
];

import type { ComponentType } from 'react';
import { createBrowserRouter, Navigate, type RouteObject } from 'react-router';
import { basePath } from '../shared/browser/base-path';
import { Loading } from '../shared/feedback/loading';
import { loadTexts } from '../i18n';
import type { PageTexts } from '../i18n/page-texts';
import { ROLE } from '../api/current-user';
import { CrashPage } from './crash-page';
import { EnabledPages } from './guards/enabled-pages';
import { RequiresRole } from './guards/role';
import { SetupDone } from './guards/setup-done';
import { SignedIn } from './guards/signed-in';
import { NotFoundPage } from './not-found-page';
import { Shell } from './shell/shell';

/** Code and texts of a page are fetched when it is first visited. */
function lazily(texts: readonly PageTexts[], load: () => Promise<ComponentType>) {
  return async () => ({ Component: (await Promise.all([load(), loadTexts(...texts)]))[0] });
}

function page(
  path: string,
  texts: readonly PageTexts[],
  load: () => Promise<ComponentType>,
  children?: RouteObject[],
): RouteObject {
  return { path, lazy: lazily(texts, load), children };
}

const publicPages: RouteObject[] = [
  { index: true, lazy: lazily(['home'], async () => (await import('../features/home/home-page')).HomePage) },
  page('setup', ['setup'], async () => (await import('../features/setup/setup-page')).SetupPage),
  page('login', [], async () => (await import('../features/sign-in/login-page')).LoginPage),
  page('register', [], async () => (await import('../features/sign-in/register-page')).RegisterPage),
  page('reset', ['reset'], async () => (await import('../features/reset/reset-page')).ResetPage),
  // Where the links of the mails lead.
  page('user/reset', ['reset'], async () => (await import('../features/reset/reset-page')).ResetPage),
  page(
    'pricing',
    ['pricing', 'money'],
    async () => (await import('../features/pricing/pricing-page')).PricingPage,
  ),
  page('about', ['about'], async () => (await import('../features/about/about-page')).AboutPage),
  page(
    'user-agreement',
    ['about'],
    async () => (await import('../features/legal/legal-page')).UserAgreementPage,
  ),
  page(
    'privacy-policy',
    ['about'],
    async () => (await import('../features/legal/legal-page')).PrivacyPolicyPage,
  ),
  page('oauth/:provider/:intent?', ['oauthCallback'], async () => {
    return (await import('../features/oauth-callback/oauth-callback-page')).OauthCallbackPage;
  }),
];

const memberPages: RouteObject[] = [
  page(
    'detail',
    ['dashboard', 'panels', 'tokens'],
    async () => (await import('../features/dashboard/dashboard-page')).DashboardPage,
  ),
  page('token', ['tokens', 'chat'], async () => (await import('../features/tokens/tokens-page')).TokensPage),
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
    'redemption',
    ['redemptions'],
    async () => (await import('../features/redemptions/redemptions-page')).RedemptionsPage,
  ),
  page('order', ['orders', 'money'], async () => (await import('../features/orders/orders-page')).OrdersPage),
  page('status', ['status'], async () => (await import('../features/status/status-page')).StatusPage),
  page('job', ['jobs'], async () => (await import('../features/jobs/jobs-page')).JobsPage),
  page(
    'setting',
    ['settings', 'panels', 'money'],
    async () => (await import('../features/settings/settings-page')).SettingsPage,
  ),
  page('user', ['users'], async () => (await import('../features/users/users-page')).UsersPage, [
    page('edit/:id', ['users'], async () => (await import('../features/users/users-page')).EditUserRoute),
  ]),
];

const rootPages: RouteObject[] = [
  page('audit', ['audit', 'money'], async () => (await import('../features/audit/audit-page')).AuditPage),
];

/** One row per address. */
export const routes: RouteObject[] = [
  {
    Component: SetupDone,
    HydrateFallback: Loading,
    errorElement: <CrashPage />,
    children: [
      {
        path: '/',
        Component: Shell,
        children: [
          {
            Component: EnabledPages,
            children: [
              ...publicPages,
              {
                Component: SignedIn,
                children: [
                  ...memberPages,
                  { element: <RequiresRole atLeast={ROLE.administrator} />, children: adminPages },
                  { element: <RequiresRole atLeast={ROLE.root} />, children: rootPages },
                ],
              },
            ],
          },
          { path: '*', Component: NotFoundPage },
        ],
      },
    ],
  },
];

export function makeRouter() {
  return createBrowserRouter(routes, { basename: basePath() || '/' });
}

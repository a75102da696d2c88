import type { ComponentType } from 'react';
import { createBrowserRouter, Navigate, type RouteObject } from 'react-router';
import { basePath } from '../shared/browser/base-path';
import { Loading } from '../shared/feedback/loading';
import { loadTexts } from '../i18n';
import { ROLE } from '../api/current-user';
import { CrashPage } from './crash-page';
import { Offered } from './guards/offered';
import { RequiresRole } from './guards/role';
import { SetupDone } from './guards/setup-done';
import { SignedIn } from './guards/signed-in';
import { NotFoundPage } from './not-found-page';
import { Shell } from './shell/shell';

/** A lazy route: its code is fetched when it is first visited. */
function startPage(path: string, load: () => Promise<ComponentType>): RouteObject {
  return { path, lazy: async () => ({ Component: await load() }) };
}

/** A lazy route that needs more than the texts of the start. */
function page(path: string, load: () => Promise<ComponentType>, children?: RouteObject[]): RouteObject {
  const lazy = async () => ({ Component: (await Promise.all([load(), loadTexts('console')]))[0] });
  return { path, lazy, children };
}

/** A lazy route that shows texts of the settings as well. */
function settingsPage(path: string, load: () => Promise<ComponentType>): RouteObject {
  return page(path, async () => (await Promise.all([load(), loadTexts('settings')]))[0]);
}

const publicPages: RouteObject[] = [
  { index: true, lazy: async () => ({ Component: (await import('../features/home/home-page')).HomePage }) },
  startPage('setup', async () => (await import('../features/setup/setup-page')).SetupPage),
  startPage('login', async () => (await import('../features/sign-in/login-page')).LoginPage),
  startPage('register', async () => (await import('../features/sign-in/register-page')).RegisterPage),
  startPage('reset', async () => (await import('../features/reset/reset-page')).ResetPage),
  // Where the links of the mails lead.
  startPage('user/reset', async () => (await import('../features/reset/reset-page')).ResetPage),
  page('pricing', async () => (await import('../features/pricing/pricing-page')).PricingPage),
  startPage('about', async () => (await import('../features/about/about-page')).AboutPage),
  startPage('user-agreement', async () => (await import('../features/legal/legal-page')).UserAgreementPage),
  startPage('privacy-policy', async () => (await import('../features/legal/legal-page')).PrivacyPolicyPage),
  startPage('oauth/:provider/:intent?', async () => {
    return (await import('../features/oauth-callback/oauth-callback-page')).OauthCallbackPage;
  }),
];

const memberPages: RouteObject[] = [
  page('detail', async () => (await import('../features/dashboard/dashboard-page')).DashboardPage),
  page('token', async () => (await import('../features/tokens/tokens-page')).TokensPage),
  page('log', async () => (await import('../features/logs/logs-page')).LogsPage),
  page('midjourney', async () => (await import('../features/drawings/drawings-page')).DrawingsPage),
  page('task', async () => (await import('../features/tasks/tasks-page')).TasksPage),
  page('topup', async () => (await import('../features/wallet/wallet-page')).WalletPage),
  page('personal', async () => (await import('../features/personal/personal-page')).PersonalPage),
  // One's own account is edited where one's settings are.
  { path: 'user/edit', element: <Navigate to="/personal" replace /> },
  page('playground', async () => (await import('../features/playground/playground-page')).PlaygroundPage),
  page('chat/:id?', async () => (await import('../features/chat/chat-page')).ChatPage),
  page('chat2link', async () => (await import('../features/chat/chat-page')).ChatToLinkPage),
];

const adminPages: RouteObject[] = [
  page('channel', async () => (await import('../features/channels/channels-page')).ChannelsPage, [
    page('add', async () => (await import('../features/channels/channel-drawer')).AddChannelRoute),
    page('edit/:id', async () => (await import('../features/channels/channel-drawer')).EditChannelRoute),
  ]),
  page('redemption', async () => (await import('../features/redemptions/redemptions-page')).RedemptionsPage),
  page('order', async () => (await import('../features/orders/orders-page')).OrdersPage),
  page('status', async () => (await import('../features/status/status-page')).StatusPage),
  page('job', async () => (await import('../features/jobs/jobs-page')).JobsPage),
  settingsPage('setting', async () => (await import('../features/settings/settings-page')).SettingsPage),
  page('user', async () => (await import('../features/users/users-page')).UsersPage, [
    page('edit/:id', async () => (await import('../features/users/user-drawer')).EditUserRoute),
  ]),
];

const rootPages: RouteObject[] = [
  settingsPage('audit', async () => (await import('../features/audit/audit-page')).AuditPage),
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
            Component: Offered,
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

import { createBrowserRouter, type RouteObject } from 'react-router';
import { storedUser } from '../api/current-user';
import { basePath } from '../shared/browser/base-path';
import { Loading } from '../shared/feedback/loading';
import { CrashPage } from './crash-page';
import { EnabledPages } from './guards/enabled-pages';
import { SetupDone } from './guards/setup-done';
import { lazily, page } from './lazy-page';
import { NotFoundPage } from './not-found-page';
import { Shell } from './shell/shell';

const publicPages: RouteObject[] = [
  { index: true, lazy: lazily(['home'], async () => (await import('../features/home/home-page')).HomePage) },
  page('setup', ['setup'], async () => (await import('../features/setup/setup-page')).SetupPage),
  page('login', [], async () => (await import('../features/sign-in/login-page')).LoginPage),
  page('register', [], async () => (await import('../features/sign-in/register-page')).RegisterPage),
  page('reset', ['reset'], async () => (await import('../features/reset/reset-page')).ResetPage),
  // Links in e-mails lead here.
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
  page('docs/:name?', ['docs'], async () => (await import('../features/docs/docs-page')).DocsPage),
  page('oauth/:provider/:intent?', ['oauthCallback'], async () => {
    return (await import('../features/oauth-callback/oauth-callback-page')).OauthCallbackPage;
  }),
];

/** The route that has the pages as children. */
const PAGES = 'pages';

/** One row per address. `signedIn` are the pages behind the sign-in page where they are loaded already. */
export function makeRoutes(signedIn: RouteObject[] = []): RouteObject[] {
  return [
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
              id: PAGES,
              Component: EnabledPages,
              // The shell is shown while the page is on its way.
              HydrateFallback: Loading,
              children: [...publicPages, ...signedIn],
            },
            { path: '*', Component: NotFoundPage },
          ],
        },
      ],
    },
  ];
}

const loadSignedInRoutes = async (): Promise<RouteObject[]> =>
  (await import('./signed-in-routes')).signedInRoutes;

/** Has the pages behind the sign-in page from the start for signed-in readers; loads them for a guest who opens one. */
export async function makeRouter() {
  const basename = basePath() || '/';
  if (storedUser.read() !== null)
    return createBrowserRouter(makeRoutes(await loadSignedInRoutes()), { basename });
  return createBrowserRouter(makeRoutes(), {
    basename,
    patchRoutesOnNavigation: async ({ patch }) => patch(PAGES, await loadSignedInRoutes()),
  });
}

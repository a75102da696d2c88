import createCache from '@emotion/cache';
import { CacheProvider } from '@emotion/react';
import { beforeAll } from '@jest/globals';
import { QueryClient } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactElement } from 'react';
import { createMemoryRouter, type RouteObject } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { makeQueryClient } from '../app/query-client';
import { Providers } from '../app/providers';
import { makeRoutes } from '../app/router';
import { signedInRoutes } from '../app/signed-in-routes';
import { storedUser, type StoredUser } from '../api/current-user';
import { loadTips } from '../shared/feedback/tip';
import { statusQuery } from '../shared/session/status';
import { aStatus } from './builders';
import type { FakeApi } from './fake-api';

// Elements that tests hold stay mounted when the tooltip arrives.
beforeAll(loadTips);

interface Rendered {
  readonly user: ReturnType<typeof userEvent.setup>;
  readonly router: ReturnType<typeof createMemoryRouter>;
  readonly client: QueryClient;
}

/**
 * Styles are written beside the page: jsdom would match every rule with every element that a query by role looks at. What only styles hide
 * counts as shown here; how things look is what test/browser asks Chromium.
 */
const styles = createCache({ key: 'css', container: document.createElement('head') });

function show(routes: RouteObject[], path: string): Rendered {
  const client = makeQueryClient();
  client.setDefaultOptions({ queries: { retry: false, staleTime: 5_000 } });
  const router = createMemoryRouter(routes, { initialEntries: [path] });
  const user = userEvent.setup({ delay: null });
  render(
    <CacheProvider value={styles}>
      <Providers queryClient={client}>
        <RouterProvider router={router} />
      </Providers>
    </CacheProvider>,
  );
  return { user, router, client };
}

/** One element on a page of its own, with everything pages stand on. The public status is known already. */
export function renderElement(element: ReactElement, path = '/'): Rendered {
  const rendered = show([{ path: '*', element }], path);
  rendered.client.setQueryData(statusQuery.queryKey, aStatus());
  return rendered;
}

/** The whole console at an address, for a role. */
export function renderConsole(path: string, api: FakeApi, as: Partial<StoredUser> | null = {}): Rendered {
  if (as === null) storedUser.clear();
  else
    storedUser.write({
      id: 1,
      username: 'root',
      display_name: 'Root',
      role: 100,
      status: 1,
      group: 'default',
      ...as,
    });
  api.start();
  return show(makeRoutes(signedInRoutes), path);
}

import { afterEach, describe, expect, it } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { createMemoryRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { aStatus } from '../../testing/builders';
import { FakeApi } from '../../testing/fake-api';
import { Providers } from '../providers';
import { makeQueryClient } from '../query-client';
import { SetupDone } from './setup-done';

/** Long enough to see the page between two tries. */
const RETRY_MS = 200;

let api: FakeApi;
afterEach(() => api.stop());

describe('SetupDone', () => {
  it('explains the first failure of the status at once, and goes on when a later try succeeds', async () => {
    api = new FakeApi({ 'GET /api/status': { refused: 'the database is away', status: 503 } });
    api.start();
    const page = { path: '/', element: <p>the page</p> };
    const router = createMemoryRouter([{ element: <SetupDone />, children: [page] }]);
    const queryClient = makeQueryClient();
    const { queries } = queryClient.getDefaultOptions();
    queryClient.setDefaultOptions({ queries: { ...queries, retryDelay: RETRY_MS } });
    render(
      <Providers queryClient={queryClient}>
        <RouterProvider router={router} />
      </Providers>,
    );
    expect(await screen.findByText('the database is away')).toBeVisible();
    expect(api.made('GET /api/status')).toHaveLength(1);
    api.answer({ 'GET /api/status': { data: aStatus() } });
    expect(await screen.findByText('the page')).toBeVisible();
  });
});

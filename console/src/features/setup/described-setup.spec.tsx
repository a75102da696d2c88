import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { aStatus } from '../../testing/builders';
import { FakeApi, type Routes } from '../../testing/fake-api';
import { renderConsole } from '../../testing/render';

let api: FakeApi;
afterEach(() => {
  api.stop();
  jest.restoreAllMocks();
});

const FRESH = { status: false, root_init: false, database_type: 'sqlite', token_required: false };

function openSetup(routes: Routes = {}) {
  api = new FakeApi({
    'GET /api/status': { data: aStatus({ setup: false }) },
    'GET /api/setup': { data: FRESH },
    'GET /api/home_page_content': { data: '' },
    ...routes,
  });
  return renderConsole('/setup', api, null);
}

async function fillIn(user: ReturnType<typeof renderConsole>['user'], confirm = 'long enough') {
  await user.type(await screen.findByLabelText(/^Username/), 'owner');
  await user.type(screen.getByLabelText(/^Password/), 'long enough');
  await user.type(screen.getByLabelText(/^Confirm password/), confirm);
  await user.click(screen.getByRole('button', { name: 'Initialize' }));
}

describe('the set-up as the specification has it', () => {
  it('chooses one of three modes, external at first, and explains them in a dialog', async () => {
    const { user } = openSetup();
    const modes = within(await screen.findByRole('radiogroup', { name: 'Usage mode' }));
    expect(modes.getAllByRole('radio').map((each) => (each as HTMLInputElement).value)).toEqual([
      'external',
      'self',
      'demo',
    ]);
    expect(modes.getByRole('radio', { name: /^External operation/ })).toBeChecked();
    await user.click(screen.getByRole('button', { name: 'Which one should I choose?' }));
    expect(await screen.findByRole('dialog', { name: 'Usage modes' })).toBeVisible();
  });

  it('sends account and mode, and loads the page anew after a second and a half', async () => {
    const waits = jest.spyOn(globalThis, 'setTimeout');
    const { user } = openSetup({
      'POST /api/setup': { data: null },
      'POST /api/user/login': { refused: 'not yet' },
    });
    await user.click(await screen.findByRole('radio', { name: /^Demo site/ }));
    await fillIn(user);
    expect(await screen.findByText('Initialized. Loading the console…')).toBeVisible();
    expect(api.made('POST /api/setup')[0]?.body).toMatchObject({
      username: 'owner',
      password: 'long enough',
      confirmPassword: 'long enough',
      SelfUseModeEnabled: false,
      DemoSiteEnabled: true,
    });
    expect(waits.mock.calls.map(([, pause]) => pause)).toContain(1_500);
  });

  it('refuses two different passwords', async () => {
    const { user } = openSetup();
    await fillIn(user, 'something else');
    expect(await screen.findByText('The passwords entered do not match')).toBeVisible();
    expect(api.made('POST /api/setup')).toEqual([]);
  });

  it('reports a failure without a sentence of the server', async () => {
    const { user } = openSetup({ 'POST /api/setup': { refused: '' } });
    await fillIn(user);
    expect(await screen.findByText('Initialization failed, please try again')).toBeVisible();
  });

  it('reports that it cannot load whether it is needed', async () => {
    openSetup({ 'GET /api/setup': { refused: 'the database is away' } });
    expect(await screen.findByText('Failed to get initialization status')).toBeVisible();
  });

  it('leads home when it is done already', async () => {
    const { router } = openSetup({
      'GET /api/status': { data: aStatus() },
      'GET /api/setup': { data: { ...FRESH, status: true } },
    });
    await waitFor(() => expect(router.state.location.pathname).toBe('/'));
  });

  it('warns of nothing where the database is a server', async () => {
    openSetup({ 'GET /api/setup': { data: { ...FRESH, database_type: 'mysql' } } });
    expect(await screen.findByRole('button', { name: 'Initialize' })).toBeVisible();
    expect(screen.queryByText(/stored in a SQLite file/)).toBeNull();
  });
});

import { afterEach, describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { shownModules } from '../../shared/session/modules';
import { aStatus } from '../../testing/builders';
import { bareList, FakeApi } from '../../testing/fake-api';
import { renderConsole } from '../../testing/render';

let api: FakeApi;
afterEach(() => api?.stop());

const OFF = {
  HeaderNavModules: JSON.stringify({ home: false, pricing: { enabled: false, requireAuth: false } }),
  SidebarModulesAdmin: JSON.stringify({
    chat: { enabled: false },
    console: { token: false, log: true, docs: false },
    admin: { enabled: false },
    personal: { personal: false },
  }),
};

function shellApi(parts = {}): FakeApi {
  api = new FakeApi({
    'GET /api/status': { data: aStatus({ chats: [{ One: 'https://chat.example' }], ...parts }) },
    'GET /api/token/': bareList([]),
    'GET /api/user/models': { data: [] },
    'GET /api/user/self/groups': { data: {} },
    'GET /api/option/': { data: [] },
  });
  return api;
}

const linksOf = async (name: string) =>
  within(await screen.findByRole('navigation', { name }))
    .getAllByRole('link')
    .map(({ textContent }) => textContent);

describe('parts of the console that are switched off', () => {
  it('takes them out of the bar, the sidebar and the palette', async () => {
    shellApi(OFF);
    const { user } = renderConsole('/log', api, { role: 10 });
    expect(await linksOf('Navigation')).toEqual(['Dashboard', 'Usage log', 'Wallet']);
    expect(await linksOf('Site')).toEqual(['Console', 'About']);
    expect(screen.queryByRole('button', { name: 'Chat pages' })).toBeNull();
    await user.click(await screen.findByRole('button', { name: /command palette/ }));
    const offered = within(await screen.findByRole('dialog')).getAllByRole('option');
    expect(offered.map((option) => option.firstChild?.textContent)).toEqual([
      'Dashboard',
      'Usage log',
      'Wallet',
      'About',
      'Theme: Light',
      'Theme: Dark',
      'Theme: Follow system',
      'Language: 中文',
      'Language: English',
      'Show keyboard shortcuts',
      'Log out',
    ]);
  });

  it.each([
    '/token',
    '/playground',
    '/chat/0',
    '/channel',
    '/user/edit/2',
    '/setting',
    '/pricing',
    '/pricing/',
  ])('%s is not opened by its address either', async (path) => {
    shellApi(OFF);
    renderConsole(path, api, { role: 10 });
    expect(await screen.findByRole('heading', { name: 'This page is turned off' })).toBeVisible();
  });

  it('keeps the settings for root, and every user’s pages of their own account', async () => {
    shellApi(OFF);
    const { router } = renderConsole('/setting', api, { role: 100 });
    expect(await screen.findByRole('heading', { name: 'Settings', level: 1 })).toBeVisible();
    expect(await linksOf('Navigation')).toContain('Settings');
    const modules = shownModules(OFF.HeaderNavModules, OFF.SidebarModulesAdmin, false);
    expect(['/personal', '/user/edit', '/user/reset', '/log'].map(modules.page)).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(router.state.location.pathname).toBe('/setting');
  });

  it('shows all where nothing can be read', () => {
    for (const text of ['', 'null', '[]', '{"console":true,"pricing":7}', 'no JSON']) {
      const modules = shownModules(text, text, false);
      expect([modules.link('pricing'), modules.entry('/token'), modules.page('/about')]).toEqual([
        true,
        true,
        true,
      ]);
    }
  });

  it('asks guests to log in before prices that are not for them', async () => {
    shellApi({ HeaderNavModules: JSON.stringify({ pricing: { enabled: true, requireAuth: true } }) });
    const { router } = renderConsole('/pricing', api, null);
    await waitFor(() => expect(router.state.location.pathname).toBe('/login'));
    expect(router.state.location.state).toEqual({ back: '/pricing' });
    expect(await linksOf('Site')).not.toContain('Prices');
  });
});

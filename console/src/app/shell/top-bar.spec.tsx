import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { aStatus } from '../../testing/builders';
import { bareList, FakeApi } from '../../testing/fake-api';
import { renderConsole } from '../../testing/render';

let api: FakeApi;
beforeEach(() => {
  api = new FakeApi({
    'GET /api/status': { data: aStatus({ docs_link: 'https://docs.example' }) },
    'GET /api/token': bareList([]),
    'GET /api/about': { data: '' },
  });
});
afterEach(() => {
  jest.restoreAllMocks();
  api.stop();
});

/** A screen as wide as a phone's. */
function onPhone(): void {
  jest.spyOn(window, 'matchMedia').mockImplementation(
    (query) =>
      ({
        matches: /max-width:\s*600px/.test(query),
        media: query,
        addEventListener: () => undefined,
        addListener: () => undefined,
        removeListener: () => undefined,
        removeEventListener: () => undefined,
      }) as unknown as MediaQueryList,
  );
}

describe('the links of the top bar', () => {
  it('moves into a menu for guests where the bar has no room, registering among them', async () => {
    const { user, router } = renderConsole('/about', api, null);
    await user.click(await screen.findByRole('button', { name: 'Site' }));
    const menu = within(await screen.findByRole('menu'));
    expect(menu.getAllByRole('menuitem').map(({ textContent }) => textContent)).toEqual([
      'Home',
      'Prices',
      'Docs',
      'About',
      'Register',
    ]);
    expect(menu.getByRole('menuitem', { name: 'Docs' })).toHaveAttribute('href', 'https://docs.example');
    await user.click(menu.getByRole('menuitem', { name: 'Prices' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/pricing'));
  });

  it('offers no registering where guests may not', async () => {
    api.answer({ 'GET /api/status': { data: aStatus({ self_use_mode_enabled: true }) } });
    const { user } = renderConsole('/about', api, null);
    await user.click(await screen.findByRole('button', { name: 'Site' }));
    expect(within(await screen.findByRole('menu')).queryByRole('menuitem', { name: 'Register' })).toBeNull();
  });

  it('stands on the sheet of a phone for people who are signed in', async () => {
    onPhone();
    const { user } = renderConsole('/token', api, { role: 1 });
    await user.click(await screen.findByRole('button', { name: 'Open navigation' }));
    const sheet = within(await screen.findByRole('list', { name: 'Site' }));
    expect(sheet.getAllByRole('link').map(({ textContent }) => textContent)).toEqual([
      'Home',
      'Prices',
      'Docs',
      'About',
    ]);
    expect(screen.queryByRole('button', { name: 'Site' })).toBeNull();
  });
});

describe('the festive button', () => {
  const at = (day: Date): void => void jest.spyOn(Date, 'now').mockReturnValue(day.getTime());

  it('wishes a happy new year on 1 January', async () => {
    at(new Date(2027, 0, 1, 10));
    const { user } = renderConsole('/about', api, null);
    await user.click(await screen.findByRole('button', { name: 'Happy New Year!' }));
    expect(await screen.findByText('Happy New Year!')).toBeVisible();
  });

  it.each([new Date(2026, 11, 31, 23, 59), new Date(2027, 0, 2), new Date(2027, 1, 1)])(
    'does not appear on %s',
    async (day) => {
      at(day);
      renderConsole('/about', api, null);
      expect(await screen.findByRole('button', { name: 'Site' })).toBeVisible();
      expect(screen.queryByRole('button', { name: 'Happy New Year!' })).toBeNull();
    },
  );
});

describe('pages that hold one sentence', () => {
  it.each([
    ['/nowhere', 'This page does not exist'],
    ['/channel', 'You don’t have access to this page'],
    ['/chat/0', 'Please ask the administrator to configure chat links'],
  ])('%s has it as its heading and in the title of the tab', async (path, title) => {
    renderConsole(path, api, { role: 1 });
    expect(await screen.findByRole('heading', { level: 1, name: title })).toBeVisible();
    await waitFor(() => expect(document.title).toBe(`${title} · Tollgate`));
  });
});

import { afterEach, describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { changeLanguage } from '../../i18n';
import { aStatus } from '../../testing/builders';
import { bareList, FakeApi } from '../../testing/fake-api';
import { renderConsole } from '../../testing/render';
import { setViewport } from '../../testing/setup';

let api: FakeApi;
afterEach(async () => {
  api.stop();
  await changeLanguage('en');
});

function shellApi(status: Parameters<typeof aStatus>[0] = {}): FakeApi {
  api = new FakeApi({
    'GET /api/status': { data: aStatus(status) },
    'GET /api/setup': { data: { status: false, root_init: false, database_type: 'sqlite' } },
    'GET /api/token': bareList([]),
    'GET /api/user/models': { data: [] },
    'GET /api/user/self/groups': { data: {} },
    'GET /api/about': { data: '' },
    'GET /api/home_page_content': { data: '' },
  });
  return api;
}

const sidebar = () => screen.queryByRole('navigation', { name: 'Navigation' });
const nameOf = (element: Element) => element.textContent;

describe('the shell of the console', () => {
  it.each(['/', '/chat/0'])('has no sidebar on %s', async (path) => {
    renderConsole(path, shellApi());
    expect(await screen.findByRole('button', { name: 'Account of Root' })).toBeVisible();
    expect(sidebar()).toBeNull();
  });

  it('has no sidebar at the set-up', async () => {
    renderConsole('/setup', shellApi({ setup: false }), null);
    expect(await screen.findByRole('heading', { name: 'Set up Tollgate' })).toBeVisible();
    expect(sidebar()).toBeNull();
  });

  it('becomes a phone at 600 pixels and below', async () => {
    setViewport(600);
    const { user } = renderConsole('/token', shellApi());
    await user.click(await screen.findByRole('button', { name: 'Open navigation' }));
    expect(await screen.findByRole('link', { name: 'API tokens' })).toBeVisible();
  });

  it('takes 601 pixels for no phone', async () => {
    setViewport(601);
    renderConsole('/token', shellApi());
    expect(await screen.findByRole('navigation', { name: 'Navigation' })).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Open navigation' })).toBeNull();
  });

  it.each([
    [1, []],
    [10, ['Channels', 'Redemption codes', 'Users', 'Settings']],
    [100, ['Channels', 'Redemption codes', 'Users', 'Settings']],
  ])('offers to role %d the pages of administration it may see', async (role, names) => {
    renderConsole('/token', shellApi(), { role });
    const links = within(await screen.findByRole('navigation', { name: 'Navigation' })).getAllByRole('link');
    const shown = links.map(nameOf);
    for (const name of ['Playground', 'API tokens', 'Usage log', 'Wallet', 'Personal settings'])
      expect(shown).toContain(name);
    const administration = ['Channels', 'Redemption codes', 'Users', 'Settings'];
    expect(administration.filter((name) => shown.includes(name))).toEqual(names);
  });

  it('keeps a collapsed sidebar collapsed', async () => {
    const { user } = renderConsole('/token', shellApi());
    await user.click(await screen.findByRole('button', { name: 'Collapse sidebar' }));
    expect(localStorage.getItem('default_collapse_sidebar')).toBe('true');
    expect(await screen.findByRole('button', { name: 'Expand sidebar' })).toBeVisible();
  });

  it('ends with the footer of the operator, or with a line of its own', async () => {
    shellApi({ footer_html: '<b>Run by the harbour office</b>' });
    const { client } = renderConsole('/about', api, null);
    expect(await screen.findByText('Run by the harbour office')).toBeVisible();
    api.answer({ 'GET /api/status': { data: aStatus() } });
    await client.invalidateQueries();
    expect(await screen.findByText('Tollgate 0.1.0')).toBeVisible();
  });

  it.each([
    ['Self-use', { self_use_mode_enabled: true }],
    ['Demo', { demo_site_enabled: true }],
  ])('has the badge %s in its mode', async (badge, status) => {
    renderConsole('/about', shellApi(status), null);
    expect(await screen.findByText(badge)).toBeVisible();
  });

  it('has no badge otherwise, and links documents only where there is an address', async () => {
    renderConsole('/about', shellApi(), null);
    const site = within(await screen.findByRole('navigation', { name: 'Site' }));
    expect(site.getAllByRole('link').map(nameOf)).toEqual(['Home', 'Prices', 'About']);
    expect(screen.queryByText('Self-use')).toBeNull();
    expect(screen.queryByText('Demo')).toBeNull();
  });

  it('links home, console, prices, documents and about, and offers guests login and registering', async () => {
    renderConsole('/token', shellApi({ docs_link: 'https://docs.example' }));
    const site = within(await screen.findByRole('navigation', { name: 'Site' }));
    await waitFor(() =>
      expect(site.getAllByRole('link').map(nameOf)).toEqual(['Home', 'Console', 'Prices', 'Docs', 'About']),
    );
    expect(site.getByRole('link', { name: 'Docs' })).toHaveAttribute('href', 'https://docs.example');
    expect(screen.queryByRole('link', { name: 'Log in' })).toBeNull();
  });

  it('offers guests login and registering', async () => {
    renderConsole('/about', shellApi(), null);
    expect(await screen.findByRole('link', { name: 'Log in' })).toHaveAttribute('href', '/login');
    expect(screen.getByRole('link', { name: 'Register' })).toHaveAttribute('href', '/register');
    expect(screen.queryByRole('button', { name: /^Account of/ })).toBeNull();
  });

  it('offers Chinese and English, and keeps the choice under i18nextLng', async () => {
    const { user } = renderConsole('/about', shellApi(), null);
    await user.click(await screen.findByRole('button', { name: 'Language' }));
    const menu = within(await screen.findByRole('menu'));
    expect(menu.getAllByRole('menuitemradio').map(nameOf).toSorted()).toEqual(['English', '中文']);
    await user.click(menu.getByRole('menuitemradio', { name: '中文' }));
    expect(await screen.findByRole('button', { name: '语言' })).toBeVisible();
    expect(localStorage.getItem('i18nextLng')).toBe('zh');
  });

  it('shows light or dark, and keeps the choice under theme-mode', async () => {
    const { user } = renderConsole('/about', shellApi(), null);
    await user.click(await screen.findByRole('button', { name: 'Theme' }));
    await user.click(await screen.findByRole('menuitemradio', { name: 'Dark' }));
    expect(localStorage.getItem('theme-mode')).toBe('dark');
  });

  it('keeps what other consoles read from the browser', async () => {
    const chats = [{ Web: 'https://chat.example/?k={key}' }];
    const status = { chats, footer_html: 'a footer', enable_drawing: true, mj_notify_enabled: true };
    renderConsole('/about', shellApi(status), null);
    expect(await screen.findByText('a footer')).toBeVisible();
    expect(JSON.parse(localStorage.getItem('status') ?? '{}')).toMatchObject({ system_name: 'Tollgate' });
    const stored = (key: string) => localStorage.getItem(key);
    expect([stored('quota_per_unit'), stored('display_in_currency')]).toEqual(['500000', 'true']);
    expect([stored('mj_notify_enabled'), stored('footer_html')]).toEqual(['true', 'a footer']);
    expect(['enable_data_export', 'enable_drawing', 'enable_task'].map(stored)).toEqual([
      'true',
      'true',
      'false',
    ]);
    expect(JSON.parse(stored('chats') ?? '')).toEqual(chats);
  });

  it('shows name and logo of the system', async () => {
    const logo = 'https://gate.example/logo.png';
    renderConsole('/about', shellApi({ system_name: 'Harbour', logo }), null);
    const mark = await screen.findByRole('link', { name: 'Harbour' });
    expect(mark).toHaveAttribute('href', '/');
    expect(mark.querySelector('img')).toHaveAttribute('src', logo);
  });

  it('shows that a sign-in is being processed', async () => {
    shellApi().answer({ 'GET /api/oauth/github': () => new Promise<never>(() => undefined) });
    renderConsole('/oauth/github?code=c&state=s', api, null);
    expect(await screen.findByText('Processing…')).toBeVisible();
  });

  it('asks for nothing from a cache', async () => {
    renderConsole('/about', shellApi(), null);
    expect(await screen.findByRole('link', { name: 'Log in' })).toBeVisible();
    expect(api.calls.length).toBeGreaterThan(0);
    for (const { headers } of api.calls) expect(headers.get('cache-control')).toBe('no-store');
  });
});

describe('registering with two different passwords', () => {
  it('refuses it in the form', async () => {
    const { user } = renderConsole('/register', shellApi(), null);
    await user.type(await screen.findByLabelText('Username'), 'ada');
    await user.type(screen.getByLabelText('Password'), 'correct-horse');
    await user.type(screen.getByLabelText('Confirm password'), 'another-horse');
    await user.click(screen.getByRole('button', { name: 'Register' }));
    expect(await screen.findByText('The two passwords are inconsistent')).toBeVisible();
    expect(api.made('POST /api/user/register')).toEqual([]);
  });
});

import { afterEach, describe, expect, it } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import { statusQuery } from '../../shared/session/status';
import { aStatus } from '../../testing/builders';
import { bareList, FakeApi } from '../../testing/fake-api';
import { renderConsole } from '../../testing/render';

let api: FakeApi;
afterEach(() => api.stop());

function shellApi(status = aStatus()): FakeApi {
  api = new FakeApi({
    'GET /api/status': { data: status },
    'GET /api/token': bareList([]),
    'GET /api/user/models': { data: [] },
    'GET /api/user/self/groups': { data: {} },
  });
  return api;
}

const sidebar = async () => within(await screen.findByRole('navigation', { name: 'Navigation' }));

describe('sidebar', () => {
  it('hides the drawing log and the task log until their flags are on', async () => {
    shellApi();
    renderConsole('/token', api, { role: 1 });
    expect((await sidebar()).getByRole('link', { name: 'Usage log' })).toBeVisible();
    expect((await sidebar()).queryByRole('link', { name: 'Drawing log' })).toBeNull();
    expect((await sidebar()).queryByRole('link', { name: 'Task log' })).toBeNull();
    expect(localStorage.getItem('enable_drawing')).toBe('false');
  });

  it('shows them after the usage log, and keeps the status’s entries for other tools', async () => {
    shellApi(aStatus({ enable_drawing: true, enable_task: true, mj_notify_enabled: true }));
    renderConsole('/token', api, { role: 1 });
    expect((await sidebar()).getByRole('link', { name: 'Drawing log' })).toHaveAttribute(
      'href',
      '/midjourney',
    );
    const names = (await sidebar()).getAllByRole('link').map(({ textContent }) => textContent);
    expect(names.slice(names.indexOf('Usage log'), names.indexOf('Wallet'))).toEqual([
      'Usage log',
      'Drawing log',
      'Task log',
      'Docs',
    ]);
    for (const key of ['enable_drawing', 'enable_task', 'mj_notify_enabled'])
      expect(localStorage.getItem(key)).toBe('true');
  });

  it('follows each flag alone, without a reload', async () => {
    shellApi(aStatus({ enable_task: true }));
    const { client } = renderConsole('/token', api, { role: 1 });
    expect((await sidebar()).getByRole('link', { name: 'Task log' })).toHaveAttribute('href', '/task');
    expect((await sidebar()).queryByRole('link', { name: 'Drawing log' })).toBeNull();
    api.answer({ 'GET /api/status': { data: aStatus({ enable_drawing: true }) } });
    await act(() => client.invalidateQueries({ queryKey: statusQuery.queryKey }));
    expect(await (await sidebar()).findByRole('link', { name: 'Drawing log' })).toBeVisible();
    await waitFor(() => expect(screen.queryByRole('link', { name: 'Task log' })).toBeNull());
  });

  it('shows the dashboard only while data export is on, in the bar and in the palette', async () => {
    shellApi(aStatus({ enable_data_export: false }));
    const { user } = renderConsole('/token', api, { role: 1 });
    expect((await sidebar()).getByRole('link', { name: 'Usage log' })).toBeVisible();
    expect((await sidebar()).queryByRole('link', { name: 'Dashboard' })).toBeNull();
    expect(localStorage.getItem('enable_data_export')).toBe('false');
    expect(screen.getByRole('link', { name: 'Console' })).toHaveAttribute('href', '/token');
    await user.click(await screen.findByRole('button', { name: /command palette/ }));
    expect(within(await screen.findByRole('dialog')).queryByText('Dashboard')).toBeNull();
  });

  it('lists many chat pages in a submenu that begins folded, few in an open one', async () => {
    const chats = ['One', 'Two', 'Three', 'Four'].map((name) => ({ [name]: 'https://chat.example' }));
    shellApi(aStatus({ chats }));
    const { user } = renderConsole('/token', api, { role: 1 });
    const menu = await (await sidebar()).findByRole('button', { name: 'Chat pages' });
    expect(menu).toHaveAttribute('aria-expanded', 'false');
    expect((await sidebar()).queryByRole('link', { name: 'Four' })).toBeNull();
    await user.click(menu);
    expect((await sidebar()).getByRole('link', { name: 'Four' })).toHaveAttribute('href', '/chat/3');
    await user.click(menu);
    expect((await sidebar()).queryByRole('link', { name: 'Four' })).toBeNull();
  });

  it('offers them in the palette under the same flags', async () => {
    shellApi(aStatus({ enable_drawing: true }));
    const { user } = renderConsole('/token', api, { role: 1 });
    await user.click(await screen.findByRole('button', { name: /command palette/ }));
    const palette = within(await screen.findByRole('dialog'));
    expect(palette.getByText('Drawing log')).toBeVisible();
    expect(palette.queryByText('Task log')).toBeNull();
  });
});

it.each(['/midjourney', '/task'])('asks a guest to sign in before %s', async (path) => {
  shellApi();
  const { router } = renderConsole(path, api, null);
  await waitFor(() => expect(router.state.location.pathname).toBe('/login'));
});

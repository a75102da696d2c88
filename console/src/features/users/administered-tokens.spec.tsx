import { afterEach, describe, expect, it } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import { ROLE } from '../../api/current-user';
import { aStatus } from '../../testing/builders';
import { FakeApi, pageOf } from '../../testing/fake-api';
import { renderConsole } from '../../testing/render';

let api: FakeApi;
afterEach(() => api.stop());

const TOKEN = {
  id: 5,
  user_id: 7,
  username: 'ann',
  name: 'laptop',
  key_mask: 'abcd…wxyz',
  status: 1,
  created_time: 1,
  last_used_time: 0,
  expired_time: -1,
  remain_quota: 0,
  unlimited_quota: true,
  used_quota: 0,
  group: '',
  lock: null,
};
const LOCKED = { ...TOKEN, status: 2, lock: { at: 5, by_id: 1, by: 'root', reason: 'leaked' } };

function tokensApi(token: object = TOKEN, isComplete = true): FakeApi {
  api = new FakeApi({
    'GET /api/status': { data: aStatus() },
    'GET /api/token/all': {
      data: { items: [token], total: 1, page: 1, page_size: 10, is_complete: isComplete },
    },
    'GET /api/user/search': pageOf([]),
    'POST /api/token/find': { data: token },
    'POST /api/token/5/lock': { data: LOCKED },
    'POST /api/token/5/unlock': { data: TOKEN },
  });
  return api;
}
const open = (path = '/user/tokens') => renderConsole(path, api, { role: ROLE.administrator });

describe('tokens of all accounts', () => {
  it('disables one with a reason that the owner reads', async () => {
    tokensApi();
    const { user } = open();
    expect(await screen.findByText('sk-abcd…wxyz')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Disable' }));
    const dialog = await screen.findByRole('dialog', { name: 'Disable laptop?' });
    expect(within(dialog).getByRole('button', { name: 'Disable' })).toBeDisabled();
    await user.type(within(dialog).getByRole('textbox', { name: /Reason/ }), 'leaked');
    await user.click(within(dialog).getByRole('button', { name: 'Disable' }));
    expect(await screen.findByText('laptop is disabled')).toBeVisible();
    expect(api.made('POST /api/token/5/lock')[0]?.body).toEqual({ reason: 'leaked' });
  });

  it('sends a pasted key in the body, and keeps it out of the address', async () => {
    tokensApi();
    const { user, router } = open();
    await user.click(await screen.findByRole('button', { name: 'Find by key' }));
    const dialog = await screen.findByRole('dialog', { name: 'Find the token of a key' });
    await user.type(within(dialog).getByLabelText('Key'), 'sk-theWholeKey');
    await user.click(within(dialog).getByRole('button', { name: 'Find by key' }));
    expect(await within(dialog).findByRole('link', { name: 'ann' })).toHaveAttribute('href', '/user/7');
    expect(api.made('POST /api/token/find')[0]?.body).toEqual({ key: 'sk-theWholeKey' });
    expect(router.state.location.search).not.toContain('sk-');
  });

  it('unlocks a locked one', async () => {
    tokensApi(LOCKED);
    const { user } = open();
    expect(await screen.findByText('Locked')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Unlock' }));
    const dialog = await screen.findByRole('alertdialog', { name: 'Unlock laptop?' });
    await user.click(within(dialog).getByRole('button', { name: 'Unlock' }));
    expect(await screen.findByText('Operation completed')).toBeVisible();
    expect(api.made('POST /api/token/5/unlock')).toHaveLength(1);
  });

  it('reports when a search by the beginning of a key is incomplete', async () => {
    tokensApi(TOKEN, false);
    open('/user/tokens?prefix=abcd');
    expect(await screen.findByText(/ended after 20,000 keys/)).toBeVisible();
    expect(api.made('GET /api/token/all')[0]?.query.get('prefix')).toBe('abcd');
  });
});

import { afterEach, describe, expect, it } from '@jest/globals';
import { screen, waitFor, waitForElementToBeRemoved, within } from '@testing-library/react';
import { aStatus, aUser } from '../../testing/builders';
import { FakeApi, pageOf } from '../../testing/fake-api';
import { renderConsole } from '../../testing/render';
import { setViewport } from '../../testing/setup';
import type { User } from './api';
import { offeredActions } from './user-actions';

let api: FakeApi;
afterEach(() => api.stop());

const ADA = aUser({ aff_count: 3, aff_history_quota: 1_500_000, inviter_id: 7 });
const BOSS = aUser({ id: 3, username: 'boss', display_name: 'Boss', role: 10 });
const GONE = aUser({
  id: 4,
  username: 'gone',
  display_name: 'Gone',
  github_id: 'gh-4',
  DeletedAt: '2026-11-20T12:00:00Z',
});
const BANNED = aUser({ id: 5, username: 'eve', display_name: 'Eve', status: 2 });
const ROOT = aUser({ id: 1, username: 'root', display_name: 'Root', role: 100 });

function usersApi(users: readonly User[] = [BANNED, GONE, BOSS, ADA, ROOT]): FakeApi {
  api = new FakeApi({
    'GET /api/status': { data: aStatus() },
    'GET /api/group': { data: ['default', 'vip'] },
    'GET /api/user/search': pageOf(users),
    'GET /api/user/1': { data: ROOT },
    'GET /api/user/2': { data: ADA },
    'POST /api/user': { data: null },
    'PUT /api/user': { data: null },
    'POST /api/user/manage': { data: { role: 1, status: 2 } },
  });
  return api;
}

const bodies = (route: string) => api.made(route).map((call) => call.body);

async function openMenu(user: ReturnType<typeof renderConsole>['user'], name: string) {
  await user.click(await screen.findByRole('button', { name: `Actions for ${name}` }));
  return within(await screen.findByRole('menu'));
}

describe('the list of users', () => {
  it('opens for administrators only', async () => {
    usersApi();
    renderConsole('/user', api, { role: 1 });
    expect(await screen.findByText('You don’t have access to this page')).toBeVisible();
  });

  it('shows who, group, figures, invites, role and status', async () => {
    usersApi();
    renderConsole('/user', api);
    const row = (await screen.findByText('Ada')).closest('tr') as HTMLElement;
    for (const text of ['2', 'default', '$5.00', '$1.50', '318', 'User', 'Active']) {
      expect(within(row).getByText(text)).toBeVisible();
    }
    expect(row).toHaveTextContent('3 invited · $3.00 · by #7');
  });

  it.each([10, 100])(
    'marks deregistered rows, offers role %i nothing on them and does not open them',
    async (role) => {
      usersApi();
      renderConsole('/user?deregistered=all', api, { role });
      const row = (await screen.findByText('Gone')).closest('tr') as HTMLElement;
      expect(within(row).getByText('Deregistered')).toBeVisible();
      expect(within(row).queryByRole('button')).toBeNull();
    },
  );

  it('explains a deregistered account at its address, and offers no form', async () => {
    usersApi().answer({ 'GET /api/user/4': { data: GONE } });
    renderConsole('/user/edit/4', api, { role: 10 });
    const drawer = within(await screen.findByRole('dialog', { name: 'Edit user' }));
    expect(await drawer.findByText('gone was deregistered. The account cannot be edited.')).toBeVisible();
    expect(drawer.queryByRole('textbox')).toBeNull();
  });

  it('leaves deregistered accounts out until they are asked for', async () => {
    usersApi();
    const { user } = renderConsole('/user', api);
    const asked = () => api.made('GET /api/user/search').map((call) => call.query.get('deregistered'));
    await waitFor(() => expect(asked()).toEqual(['hide']));
    await user.click(await screen.findByRole('combobox', { name: 'Deregistered' }));
    await user.click(await screen.findByRole('option', { name: 'All accounts' }));
    await waitFor(() => expect(asked().at(-1)).toBeNull());
    expect(screen.getByText('Deregistered: All accounts')).toBeVisible();
  });

  it.each([
    ['Balance', 'quota'],
    ['Used', 'used_quota'],
    ['Calls', 'request_count'],
  ])('sorts by %s on the server, and keeps it in the address', async (heading, sort) => {
    usersApi();
    const { user } = renderConsole('/user', api);
    await user.click(await screen.findByRole('button', { name: heading }));
    await waitFor(() => expect(api.made('GET /api/user/search').at(-1)?.query.get('sort')).toBe(sort));
    expect(screen.getByRole('columnheader', { name: heading })).toHaveAttribute('aria-sort', 'descending');
    // A second press returns to the newest first.
    await user.click(screen.getByRole('button', { name: heading }));
    expect(screen.getByRole('columnheader', { name: heading })).not.toHaveAttribute('aria-sort');
  });

  it('searches by keyword and group on the server, from page one, with the stored page size', async () => {
    localStorage.setItem('page-size', '50');
    usersApi();
    const { user } = renderConsole('/user?page=2', api);
    await waitFor(() =>
      expect(api.made('GET /api/user/search').map((call) => call.query.get('page_size'))).toEqual(['50']),
    );
    await user.type(
      await screen.findByRole('searchbox', { name: 'Id, username, name or email' }),
      'ada{Enter}',
    );
    await waitFor(() => expect(api.made('GET /api/user/search').at(-1)?.query.get('keyword')).toBe('ada'));
    await user.click(screen.getByRole('combobox', { name: 'Group' }));
    await user.click(await screen.findByRole('option', { name: 'vip' }));
    await waitFor(() =>
      expect(Object.fromEntries(api.made('GET /api/user/search').at(-1)?.query ?? [])).toEqual({
        keyword: 'ada',
        group: 'vip',
        p: '1',
        deregistered: 'hide',
        page_size: '50',
      }),
    );
  });

  it('becomes cards on a phone, with the actions in reach', async () => {
    setViewport(390);
    usersApi([ADA, GONE]);
    renderConsole('/user', api);
    expect(await screen.findByRole('button', { name: 'Actions for ada' })).toBeVisible();
    expect(screen.queryByRole('table')).toBeNull();
  });
});

describe('what a row offers', () => {
  const root = { id: 1, role: 100 };
  const administrator = { id: 3, role: 10 };

  it.each([
    ['root', 'a user', root, ADA, 'edit quota security promote disable delete'],
    ['root', 'an administrator', root, BOSS, 'edit quota security demote disable delete'],
    ['root', 'a banned user', root, BANNED, 'edit quota security promote enable delete'],
    [
      'root',
      'a user of status 3, who cannot be enabled',
      root,
      aUser({ status: 3 }),
      'edit quota security promote delete',
    ],
    ['root', 'root', root, ROOT, 'edit quota'],
    ['an administrator', 'a user', administrator, ADA, 'edit quota security disable delete'],
    ['an administrator', 'a peer', administrator, aUser({ id: 9, role: 10 }), ''],
    ['an administrator', 'the own account', administrator, BOSS, 'edit'],
    ['an administrator', 'root', administrator, ROOT, ''],
    ['root', 'a deregistered user', root, GONE, ''],
  ])('%s on %s', (_who, _whom, actor, user, expected) => {
    expect(offeredActions(actor, user).join(' ')).toBe(expected);
  });
});

describe('acting on users', () => {
  it('asks before a ban, sends nothing on second thoughts', async () => {
    usersApi();
    const { user } = renderConsole('/user', api);
    await user.click((await openMenu(user, 'ada')).getByRole('menuitem', { name: 'Ban' }));
    const question = await screen.findByRole('alertdialog', { name: 'Ban ada?' });
    await user.click(within(question).getByRole('button', { name: 'Cancel' }));
    await waitForElementToBeRemoved(question);
    expect(bodies('POST /api/user/manage')).toEqual([]);
    await user.click((await openMenu(user, 'ada')).getByRole('menuitem', { name: 'Ban' }));
    const again = await screen.findByRole('alertdialog', { name: 'Ban ada?' });
    await user.click(within(again).getByRole('button', { name: 'Ban' }));
    expect(await screen.findByText('Operation completed')).toBeVisible();
    expect(bodies('POST /api/user/manage')).toEqual([{ id: 2, action: 'disable' }]);
  });

  it('enables without a question', async () => {
    usersApi();
    const { user } = renderConsole('/user', api);
    await user.click((await openMenu(user, 'eve')).getByRole('menuitem', { name: 'Unban' }));
    expect(await screen.findByText('Operation completed')).toBeVisible();
    expect(bodies('POST /api/user/manage')).toEqual([{ id: 5, action: 'enable' }]);
  });

  it('deletes at once as root, who restores by the undo', async () => {
    usersApi().answer({ 'POST /api/bin/user/restore': { data: 1 } });
    const { user } = renderConsole('/user', api);
    await user.click((await openMenu(user, 'ada')).getByRole('menuitem', { name: 'Delete' }));
    expect(await screen.findByText('ada was deleted')).toBeVisible();
    expect(bodies('POST /api/user/manage')).toEqual([{ id: 2, action: 'delete' }]);
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    expect(await screen.findByText('Restored')).toBeVisible();
    expect(bodies('POST /api/bin/user/restore')).toEqual([{ ids: [2] }]);
  });

  it('deletes only after the name was typed, as an administrator, who cannot restore', async () => {
    usersApi();
    const { user } = renderConsole('/user', api, { id: 3, role: 10 });
    await user.click((await openMenu(user, 'ada')).getByRole('menuitem', { name: 'Delete' }));
    const question = within(await screen.findByRole('alertdialog', { name: 'Delete ada?' }));
    expect(question.getByRole('button', { name: 'Delete' })).toBeDisabled();
    await user.type(question.getByRole('textbox'), 'ada');
    await user.click(question.getByRole('button', { name: 'Delete' }));
    expect(await screen.findByText('Operation completed')).toBeVisible();
    expect(bodies('POST /api/user/manage')).toEqual([{ id: 2, action: 'delete' }]);
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
  });

  it('shows the error message of the server', async () => {
    usersApi().answer({ 'POST /api/user/manage': { refused: 'you have no power over this account' } });
    const { user } = renderConsole('/user', api);
    await user.click((await openMenu(user, 'eve')).getByRole('menuitem', { name: 'Unban' }));
    expect(await screen.findByText('you have no power over this account')).toBeVisible();
  });
});

describe('adjusting a balance', () => {
  it('refuses nothing and less, shows what will be, sends a reason and one operation id', async () => {
    usersApi().answer({ 'POST /api/user/manage': { refused: 'part of this is in use' } });
    const { user } = renderConsole('/user', api);
    await user.click((await openMenu(user, 'ada')).getByRole('menuitem', { name: 'Adjust balance' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Adjust the balance of ada' }));
    const amount = dialog.getByLabelText('Amount');
    await user.type(amount, '0');
    await user.click(dialog.getByRole('button', { name: 'Adjust' }));
    expect(await dialog.findByText('Must be above 0')).toBeVisible();
    await user.clear(amount);
    await user.type(amount, '500000');
    expect(dialog.getByText('$6.00 (3,000,000)')).toBeVisible();
    await user.type(dialog.getByLabelText('Reason'), 'refund of order 12');
    await user.click(dialog.getByRole('button', { name: 'Adjust' }));
    expect(await dialog.findByText('part of this is in use')).toBeVisible();
    await user.click(dialog.getByRole('button', { name: 'Adjust' }));
    await waitFor(() => expect(bodies('POST /api/user/manage')).toHaveLength(2));
    const [first, second] = bodies('POST /api/user/manage') as { operation_id: string }[];
    expect(first).toMatchObject({
      id: 2,
      action: 'add_quota',
      mode: 'add',
      value: 500_000,
      reason: 'refund of order 12',
      operation_id: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    // Trying again is the same operation: the server books it once.
    expect(second).toEqual(first);
  });
});

describe('the drawer', () => {
  it('needs a name and a password for a new account', async () => {
    usersApi();
    const { user } = renderConsole('/user?add=1', api);
    const drawer = within(await screen.findByRole('dialog', { name: 'Add user' }));
    await user.click(drawer.getByRole('button', { name: 'Add user' }));
    expect((await drawer.findAllByText('Username and password cannot be empty'))[0]).toBeVisible();
    await user.type(drawer.getByLabelText(/^Username/), '  grace  ');
    await user.type(drawer.getByLabelText(/^Password/), 'correct horse');
    await user.click(drawer.getByRole('button', { name: 'Add user' }));
    expect(await screen.findByText('User created')).toBeVisible();
    expect(bodies('POST /api/user')).toEqual([
      { username: 'grace', display_name: '', password: 'correct horse' },
    ]);
  });

  it('sends no balance when none was changed', async () => {
    usersApi();
    const { user } = renderConsole('/user/edit/2', api);
    const drawer = within(await screen.findByRole('dialog', { name: 'Edit user' }));
    const name = await drawer.findByLabelText('Display name');
    await user.clear(name);
    await user.type(name, 'Ada L.');
    await user.click(drawer.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('User updated')).toBeVisible();
    expect(bodies('PUT /api/user')).toEqual([
      { id: 2, username: 'ada', display_name: 'Ada L.', group: 'default' },
    ]);
  });

  it('adds to the balance, shows the difference and sends what it was loaded with', async () => {
    usersApi();
    const { user } = renderConsole('/user/edit/2', api);
    const drawer = within(await screen.findByRole('dialog', { name: 'Edit user' }));
    await user.click(await drawer.findByRole('button', { name: 'Add $10' }));
    expect(drawer.getByRole('status')).toHaveTextContent('+$10.00');
    await user.type(drawer.getByLabelText('Reason'), 'thanks');
    await user.click(drawer.getByRole('button', { name: 'Save' }));
    await waitFor(() =>
      expect(bodies('PUT /api/user')).toEqual([
        expect.objectContaining({ quota: 7_500_000, loaded_quota: 2_500_000, reason: 'thanks' }),
      ]),
    );
  });

  it('changes only name, display name and password of the own account', async () => {
    usersApi();
    const { user } = renderConsole('/user/edit/1', api);
    const drawer = within(await screen.findByRole('dialog', { name: 'Edit user' }));
    const name = await drawer.findByLabelText('Display name');
    expect(drawer.queryByLabelText('Group')).toBeNull();
    expect(drawer.queryByLabelText('Balance')).toBeNull();
    await user.type(name, '!');
    await user.click(drawer.getByRole('button', { name: 'Save' }));
    await waitFor(() =>
      expect(bodies('PUT /api/user')).toEqual([{ id: 1, username: 'root', display_name: 'Root!' }]),
    );
  });
});

describe('the own password', () => {
  it('needs the current one', async () => {
    usersApi();
    const { user } = renderConsole('/user/edit/1', api);
    const drawer = within(await screen.findByRole('dialog', { name: 'Edit user' }));
    await user.type(await drawer.findByLabelText(/^Password/), 'a new long one');
    await user.click(drawer.getByRole('button', { name: 'Save' }));
    expect((await drawer.findAllByText('Please enter your current password'))[0]).toBeVisible();
    expect(bodies('PUT /api/user')).toEqual([]);
    await user.type(drawer.getByLabelText(/^Your current password/), 'the old one');
    await user.click(drawer.getByRole('button', { name: 'Save' }));
    await waitFor(() =>
      expect(bodies('PUT /api/user')).toEqual([
        expect.objectContaining({ password: 'a new long one', original_password: 'the old one' }),
      ]),
    );
  });
});

describe('sign-in security of a user', () => {
  it('shows the factors and takes one away after asking', async () => {
    usersApi().answer({
      'GET /api/user/2/2fa': { data: { enabled: true, passkeys: 0 } },
      'DELETE /api/user/2/2fa': { data: null },
    });
    const { user } = renderConsole('/user', api);
    await user.click((await openMenu(user, 'ada')).getByRole('menuitem', { name: 'Login security' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Login security of ada' }));
    expect(await dialog.findByText('0 passkeys')).toBeVisible();
    expect(dialog.queryByRole('button', { name: 'Remove all passkeys' })).toBeNull();
    await user.click(dialog.getByRole('button', { name: 'Reset two-factor codes' }));
    const question = within(
      await screen.findByRole('alertdialog', { name: 'Turn off two-factor login for ada?' }),
    );
    expect(api.made('DELETE /api/user/2/2fa')).toEqual([]);
    await user.click(question.getByRole('button', { name: 'Reset' }));
    expect(await screen.findByText('Operation completed')).toBeVisible();
    expect(api.made('DELETE /api/user/2/2fa')).toHaveLength(1);
  });
});

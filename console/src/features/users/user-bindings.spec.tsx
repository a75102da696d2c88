import { afterEach, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { aStatus, aUser } from '../../testing/builders';
import { FakeApi, pageOf } from '../../testing/fake-api';
import { renderConsole } from '../../testing/render';

let api: FakeApi;
afterEach(() => api.stop());

it('shows the bindings of an account in its drawer as text, with nothing to type into', async () => {
  const bound = aUser({
    email: 'ada@mail.example',
    github_id: 'gh-1',
    oidc_id: 'oidc-2',
    wechat_id: 'wx-3',
    telegram_id: 'tg-4',
    linux_do_id: '',
  });
  api = new FakeApi({
    'GET /api/status': { data: aStatus() },
    'GET /api/group': { data: ['default'] },
    'GET /api/user/search': pageOf([bound]),
    'GET /api/user/2': { data: bound },
  });
  renderConsole('/user/edit/2', api);
  const drawer = within(await screen.findByRole('dialog', { name: 'Edit user' }));
  for (const text of ['ada@mail.example', 'gh-1', 'oidc-2', 'wx-3', 'tg-4'])
    expect(await drawer.findByText(text)).toBeVisible();
  for (const field of drawer.getAllByRole('textbox')) expect(field).not.toHaveValue('gh-1');
  expect(drawer.queryByRole('textbox', { name: /email|GitHub|OIDC|WeChat|Telegram|Linux DO/i })).toBeNull();
});

it('shows the new status of an account that was acted upon', async () => {
  let status = 1;
  const ada = () => aUser({ id: 2, username: 'ada', display_name: 'Ada', status });
  api = new FakeApi({
    'GET /api/status': { data: aStatus() },
    'GET /api/group': { data: ['default'] },
    'GET /api/user/search': () => pageOf([ada()]),
    'POST /api/user/manage': () => {
      status = 2;
      return { data: { status, role: 1 } };
    },
  });
  const { user } = renderConsole('/user', api);
  const row = () => within(screen.getByText('Ada').closest('tr') as HTMLElement);
  await screen.findByText('Ada');
  expect(row().getByText('Active')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Actions for ada' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Ban' }));
  const question = within(await screen.findByRole('alertdialog', { name: 'Ban ada?' }));
  await user.click(question.getByRole('button', { name: 'Ban' }));
  await waitFor(() => expect(row().getByText('Banned')).toBeVisible());
});

import { afterEach, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { ROLE } from '../../api/current-user';
import { aStatus, aToken } from '../../testing/builders';
import { bareList, FakeApi } from '../../testing/fake-api';
import { renderConsole } from '../../testing/render';

let api: FakeApi;
afterEach(() => api.stop());

it('searches the server once when typing pauses, not for every letter', async () => {
  api = new FakeApi({
    'GET /api/status': { data: aStatus() },
    'GET /api/token': bareList([]),
    'GET /api/token/search': bareList([aToken({ name: 'laptop of the office' })]),
    'GET /api/user/models': { data: ['gpt-4o'] },
    'GET /api/user/self/groups': { data: { default: { desc: 'Default', ratio: 1 } } },
  });
  const { user } = renderConsole('/token', api, { role: ROLE.user });
  await user.click(await screen.findByRole('button', { name: /command palette/ }));
  await screen.findByRole('combobox');
  await user.keyboard('laptop');
  expect(await screen.findByText('laptop of the office')).toBeVisible();
  expect(api.made('GET /api/token/search').map((call) => call.query.get('keyword'))).toEqual(['laptop']);
});

it('opens by its key as soon as somebody is signed in', async () => {
  api = new FakeApi({
    'GET /api/status': { data: aStatus() },
    'GET /api/token': bareList([]),
    'GET /api/user/models': { data: [] },
    'GET /api/user/self/groups': { data: { default: { desc: 'Default', ratio: 1 } } },
  });
  const { user } = renderConsole('/token', api, { role: ROLE.user });
  await screen.findByRole('button', { name: /command palette/ });
  await user.keyboard('{Control>}k{/Control}');
  expect(await screen.findByRole('combobox')).toBeVisible();
});

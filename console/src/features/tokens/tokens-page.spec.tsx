import { afterEach, describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { aStatus, aToken } from '../../testing/builders';
import { bareList, FakeApi } from '../../testing/fake-api';
import { renderConsole } from '../../testing/render';

let api: FakeApi;
afterEach(() => api.stop());

function tokensApi(tokens = [aToken()]): FakeApi {
  api = new FakeApi({
    'GET /api/status': { data: aStatus() },
    'GET /api/token': bareList(tokens),
    'GET /api/token/1': { data: aToken() },
    'GET /api/user/models': { data: ['gpt-4o'] },
    'GET /api/user/self/groups': { data: { default: { desc: 'Default', ratio: 1 } } },
  });
  return api;
}

describe('tokens', () => {
  it('warns that tokens are for one’s own use, and keeps keys masked until asked', async () => {
    tokensApi();
    const { user } = renderConsole('/token', api);
    expect(await screen.findByText(/Do not share them/)).toBeVisible();
    expect(await screen.findByText(/^sk-Ab•+IjKl$/)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Show the key of laptop' }));
    expect(screen.getByText(`sk-${aToken().key}`)).toBeVisible();
  });

  it('reports when a key cannot be read, and offers neither copy nor code for it', async () => {
    tokensApi([aToken({ key: '' })]);
    const { user } = renderConsole('/token', api);
    expect(await screen.findByText('This key cannot be read')).toBeVisible();
    expect(screen.getByText('Unusable')).toBeVisible();
    expect(screen.queryByText('Enabled')).toBeNull();
    expect(screen.queryByRole('button', { name: /the key of laptop/ })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Connect' })).toBeNull();
    await user.click(screen.getByRole('checkbox', { name: 'Select laptop' }));
    expect(screen.getByRole('button', { name: /Copy/ })).toBeDisabled();
  });

  it('sends the user-id header of who is signed in', async () => {
    tokensApi();
    renderConsole('/token', api, { id: 42 });
    await screen.findByRole('button', { name: 'laptop' });
    expect(api.made('GET /api/token')[0]?.headers.get('New-Api-User')).toBe('42');
  });

  it('opens the login page when the session has expired, and names the reason', async () => {
    tokensApi().answer({ 'GET /api/token': { refused: 'expired', status: 401 } });
    const { router } = renderConsole('/token', api);
    expect(await screen.findByText(/login has expired/)).toBeVisible();
    expect(router.state.location.pathname + router.state.location.search).toBe('/login?expired=true');
    expect(localStorage.getItem('user')).toBeNull();
  });

  it('creates several tokens, the further ones with a suffix', async () => {
    tokensApi().answer({ 'POST /api/token': { data: null } });
    const { user } = renderConsole('/token?edit=new', api);
    const drawer = await screen.findByRole('dialog', { name: 'Create token' });
    await user.type(within(drawer).getByLabelText(/^Name/), 'batch');
    const count = within(drawer).getByLabelText(/^Number of tokens/);
    await user.clear(count);
    await user.type(count, '3');
    await user.click(within(drawer).getByRole('button', { name: 'Create' }));
    expect(await screen.findByText('3 tokens created')).toBeVisible();
    const bodies = api
      .made('POST /api/token')
      .map((call) => call.body as { name: string; remain_quota: number });
    expect(bodies.map((body) => body.name.replace(/[a-z0-9]{6}$/, '*'))).toEqual([
      'batch',
      'batch-*',
      'batch-*',
    ]);
    expect(bodies.map((body) => body.remain_quota)).toEqual([500_000, 500_000, 500_000]);
  });

  it('gives a token fixed tags, and has its calls name their end user', async () => {
    tokensApi().answer({ 'POST /api/token': { data: null } });
    const { user } = renderConsole('/token?edit=new', api);
    const drawer = await screen.findByRole('dialog', { name: 'Create token' });
    await user.type(within(drawer).getByLabelText(/^Name/), 'team');
    await user.click(within(drawer).getByRole('button', { name: 'Advanced' }));
    const tags = await within(drawer).findByLabelText(/^Fixed tags/);
    await user.type(tags, `${'x'.repeat(65)}{Enter}`);
    await user.click(within(drawer).getByRole('button', { name: 'Create' }));
    expect(await within(drawer).findByText('At most 64 characters each')).toBeVisible();
    await user.type(tags, '{Backspace}batch{Enter}night{Enter}');
    await user.click(within(drawer).getByRole('switch', { name: /^Calls must name an end user/ }));
    await user.click(within(drawer).getByRole('button', { name: 'Create' }));
    await waitFor(() => expect(api.made('POST /api/token')).toHaveLength(1));
    expect(api.made('POST /api/token')[0]?.body).toMatchObject({ tags: 'batch,night', needs_end_user: true });
  });

  it('opens what a token has set', async () => {
    tokensApi().answer({ 'GET /api/token/1': { data: aToken({ tags: 'batch', needs_end_user: true }) } });
    renderConsole('/token?edit=1', api);
    const drawer = await screen.findByRole('dialog');
    expect(await within(drawer).findByText('batch')).toBeVisible();
    expect(within(drawer).getByRole('switch', { name: /^Calls must name an end user/ })).toBeChecked();
  });

  it('shows how far it came when the server refuses midway', async () => {
    let made = 0;
    tokensApi().answer({
      'POST /api/token': () => {
        made += 1;
        return made < 3 ? { data: null } : { refused: 'too many tokens' };
      },
    });
    const { user } = renderConsole('/token?edit=new', api);
    const drawer = await screen.findByRole('dialog', { name: 'Create token' });
    await user.type(within(drawer).getByLabelText(/^Name/), 'batch');
    await user.click(within(drawer).getByRole('button', { name: '10' }));
    await user.click(within(drawer).getByRole('button', { name: 'Create' }));
    expect(await screen.findByText('2 of 10 tokens were created: too many tokens')).toBeVisible();
  });

  it('keeps dollars and quota two views of one amount', async () => {
    tokensApi();
    const { user } = renderConsole('/token?edit=new', api);
    const drawer = await screen.findByRole('dialog', { name: 'Create token' });
    const dollars = within(drawer).getByLabelText('Limit in dollars');
    const quota = within(drawer).getByLabelText(/^Limit$/);
    await user.clear(dollars);
    await user.type(dollars, '2.5');
    expect(quota).toHaveValue('1250000');
    await user.clear(quota);
    await user.type(quota, '750000');
    expect(dollars).toHaveValue('1.5');
  });

  it('sends the balance the form was opened with', async () => {
    tokensApi().answer({ 'PUT /api/token': { data: null } });
    const { user } = renderConsole('/token?edit=1', api);
    const drawer = await screen.findByRole('dialog', { name: 'Edit token' });
    const quota = await within(drawer).findByLabelText(/^Limit$/);
    await user.clear(quota);
    await user.type(quota, '600000');
    await user.click(within(drawer).getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(api.made('PUT /api/token')).toHaveLength(1));
    expect(api.made('PUT /api/token')[0]?.body).toMatchObject({
      id: 1,
      remain_quota: 600_000,
      remain_quota_before: 500_000,
    });
  });

  it('acts from a row’s menu without opening the row', async () => {
    tokensApi().answer({ 'PUT /api/token': { data: null } });
    const { user, router } = renderConsole('/token', api);
    await user.click(await screen.findByRole('button', { name: 'Actions for laptop' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Disable' }));
    expect(await screen.findByText('laptop is disabled')).toBeVisible();
    expect(router.state.location.search).toBe('');
    expect(api.made('PUT /api/token')[0]?.body).toEqual({ id: 1, status: 2 });
  });

  it('steps back from a page that has become empty', async () => {
    tokensApi().answer({
      'GET /api/token': ({ query }) => (query.get('p') === '0' ? bareList([aToken()], 10) : bareList([], 10)),
    });
    const { router } = renderConsole('/token?page=2', api);
    expect(await screen.findByRole('button', { name: 'laptop' })).toBeVisible();
    expect(router.state.location.search).toBe('');
  });

  it('shows the text for copying by hand when the browser refuses', async () => {
    tokensApi();
    const { user } = renderConsole('/token', api);
    const copy = await screen.findByRole('button', { name: 'Copy the key of laptop' });
    navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed'));
    await user.click(copy);
    const dialog = await screen.findByRole('dialog', { name: /copy manually/ });
    expect(within(dialog).getByRole('textbox')).toHaveValue(`sk-${aToken().key}`);
  });
});

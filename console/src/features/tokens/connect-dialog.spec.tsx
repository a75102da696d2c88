import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import { aStatus, aToken } from '../../testing/builders';
import { bareList, FakeApi } from '../../testing/fake-api';
import { renderConsole } from '../../testing/render';

let api: FakeApi;
afterEach(() => api.stop());

const KEY = `sk-${aToken().key}`;

function connectApi(activity: unknown, token = aToken()): FakeApi {
  api = new FakeApi({
    'GET /api/status': { data: { ...aStatus(), server_address: 'https://gate.example' } },
    'GET /api/token': bareList([token]),
    'GET /api/token/1': { data: token },
    'GET /api/token/1/activity': { data: activity },
    'GET /api/user/models': { data: ['gpt-4o', 'gpt-4o-mini'] },
    'GET /api/user/self/groups': { data: { default: { desc: 'Default', ratio: 1 } } },
  });
  return api;
}
const NOTHING = { last_call: null, last_refusal: null };
const openDialog = () => screen.findByRole('dialog', { name: /Connect with laptop/ });

describe('the connect dialog', () => {
  it('opens for the token that was created, with the configuration of the first program', async () => {
    connectApi(NOTHING).answer({ 'POST /api/token': { data: aToken() } });
    const { user, router } = renderConsole('/token?edit=new', api);
    const drawer = await screen.findByRole('dialog', { name: 'Create token' });
    await user.type(within(drawer).getByLabelText(/^Name/), 'laptop');
    await user.click(within(drawer).getByRole('button', { name: 'Create' }));
    const dialog = await openDialog();
    expect(router.state.location.search).toBe('?connect=1');
    expect(await within(dialog).findByText(/Waiting for the first call/)).toBeVisible();
    expect(within(dialog).getByText('~/.claude/settings.json')).toBeVisible();
  });

  it('shows the mask of the key and copies the key itself', async () => {
    connectApi(NOTHING);
    const { user } = renderConsole('/token?connect=1', api);
    const dialog = await openDialog();
    const file = await within(dialog).findByLabelText('~/.claude/settings.json');
    expect(file.textContent).toContain('https://gate.example');
    expect(file.textContent).not.toContain(KEY);
    const written = jest.spyOn(navigator.clipboard, 'writeText');
    await user.click(within(dialog).getByRole('button', { name: 'Copy ~/.claude/settings.json' }));
    expect(written).toHaveBeenCalledWith(expect.stringContaining(KEY));
  });

  it('chooses a model that the program is made for, else the usual one', async () => {
    connectApi(NOTHING).answer({
      'GET /api/user/models': { data: ['claude-sonnet-4-5', 'gpt-4o', 'gpt-4o-mini'] },
    });
    const { user } = renderConsole('/token?connect=1', api);
    const dialog = within(await openDialog());
    expect(await dialog.findByDisplayValue('claude-sonnet-4-5')).toBeVisible();
    await user.click(dialog.getByRole('combobox', { name: 'Program' }));
    await user.click(await screen.findByRole('option', { name: 'Cursor' }));
    expect(await dialog.findByDisplayValue('gpt-4o-mini')).toBeVisible();
  });

  it('changes the configuration with the program, and names its source', async () => {
    connectApi(NOTHING);
    const { user } = renderConsole('/token?connect=1', api);
    const dialog = await openDialog();
    await user.click(await within(dialog).findByRole('combobox', { name: 'Program' }));
    await user.click(await screen.findByRole('option', { name: 'Cursor' }));
    expect(within(dialog).getByText('https://gate.example/v1')).toBeVisible();
    expect(within(dialog).getByText(/must be reachable from the internet/)).toBeVisible();
    expect(within(dialog).getByRole('link', { name: 'source' })).toHaveAttribute(
      'href',
      expect.stringMatching(/^https:/),
    );
  });

  it('turns green at the first call, which it links to', async () => {
    connectApi({
      last_call: { at: 1_700_000_000, model: 'gpt-4o', request_id: 'r-1' },
      last_refusal: null,
    });
    renderConsole('/token?connect=1', api);
    const light = within(await openDialog()).findByRole('status');
    expect(await light).toHaveTextContent('Connected: the last call, to gpt-4o, was');
    expect(within(await light).getByRole('link')).toHaveAttribute('href', '/log?request_id=r-1');
  });

  it('shows in words why a call was refused', async () => {
    connectApi({
      last_call: null,
      last_refusal: { at: 1_700_000_000, kind: 'address-refused', message: 'may not be used from there' },
    });
    renderConsole('/token?connect=1', api);
    const light = await within(await openDialog()).findByText(/IP address is not allowed/);
    expect(light).toHaveTextContent('may not be used from there');
  });

  it('shows in the list that an administrator locked a token, and offers no change of it', async () => {
    connectApi(NOTHING, aToken({ status: 2, lock: { at: 5, reason: 'leaked' } }));
    const { user } = renderConsole('/token', api);
    expect(await screen.findByText('Locked')).toBeVisible();
    expect(screen.getByText('leaked')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Actions for laptop' }));
    expect(await screen.findByRole('menuitem', { name: 'Enable' })).toHaveAttribute('aria-disabled', 'true');
    expect(screen.getByRole('menuitem', { name: 'Delete' })).not.toHaveAttribute('aria-disabled');
  });
});

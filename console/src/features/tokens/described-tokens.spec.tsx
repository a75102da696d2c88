import { afterEach, describe, expect, it, jest } from '@jest/globals';
import i18next from 'i18next';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { aStatus, aToken } from '../../testing/builders';
import { bareList, FakeApi } from '../../testing/fake-api';
import { renderConsole } from '../../testing/render';
import { NEW_TOKEN, tokenSchema } from './token.schema';

let api: FakeApi;
afterEach(() => {
  api.stop();
  jest.restoreAllMocks();
});

function tokensApi(groups: Record<string, unknown> = { default: { desc: 'Usual', ratio: 1 } }): FakeApi {
  api = new FakeApi({
    'GET /api/status': { data: aStatus() },
    'GET /api/token': bareList([aToken(), aToken({ id: 2, name: 'desk', status: 4 })]),
    'GET /api/token/search': bareList([aToken()]),
    'GET /api/user/models': { data: ['gpt-4o'] },
    'GET /api/user/self/groups': { data: groups },
    'POST /api/token': { data: null },
    'DELETE /api/token/1': { data: null },
    'POST /api/token/restore': { data: 1 },
  });
  return api;
}

async function openNew(groups?: Record<string, unknown>) {
  const { user } = renderConsole('/token?edit=new', tokensApi(groups));
  const drawer = within(await screen.findByRole('dialog', { name: 'Create token' }));
  const create = () => user.click(drawer.getByRole('button', { name: 'Create' }));
  const sent = async () => {
    await waitFor(() => expect(api.made('POST /api/token').length).toBeGreaterThan(0));
    return api.made('POST /api/token').at(-1)?.body as Record<string, unknown>;
  };
  return { user, drawer, create, sent };
}

describe('tokens as the specification has them', () => {
  it('searches them by name and by key', async () => {
    const { user } = renderConsole('/token', tokensApi());
    const [name, key] = await screen.findAllByRole('searchbox');
    await user.type(name as HTMLElement, 'lap{Enter}');
    await user.type(key as HTMLElement, 'sk-Ab{Enter}');
    await waitFor(() => {
      const query = api.made('GET /api/token/search').at(-1)?.query;
      expect([query?.get('keyword'), query?.get('token')]).toEqual(['lap', 'sk-Ab']);
    });
  });

  it('demands a name, a date that is one, and a count', async () => {
    const { user, drawer, create } = await openNew();
    const dated = { ...NEW_TOKEN, name: 'dated' };
    const faultsOf = (expires: number | undefined) =>
      tokenSchema(i18next.t)
        .safeParse({ ...dated, expires })
        .error?.issues.map(({ message }) => message);
    expect(faultsOf(undefined)).toBeUndefined();
    expect(faultsOf(1_800_000_000)).toBeUndefined();
    // Value of the field for a text that is no date.
    expect(faultsOf(Number.NaN)).toEqual(['The expiry time is not valid!']);
    await user.clear(drawer.getByLabelText(/^Number of tokens/));
    await user.type(drawer.getByLabelText(/^Number of tokens/), '0');
    await create();
    expect(await drawer.findByText('Please enter a name')).toBeVisible();
    expect(drawer.getByText('A whole number from 1 to 100')).toBeVisible();
    expect(api.made('POST /api/token')).toEqual([]);
  });

  it.each([
    ['Never', undefined],
    ['1 hour', 3_600],
    ['1 day', 86_400],
    ['1 month', 30 * 86_400],
  ])('sets a life of %s from now by one press', async (name, seconds) => {
    const { user, drawer, create, sent } = await openNew();
    await user.type(drawer.getByLabelText(/^Name/), 'timed');
    await user.click(drawer.getByRole('button', { name }));
    await create();
    const expiry = Number((await sent())['expired_time']);
    if (seconds === undefined) expect(expiry).toBe(-1);
    // To the minute, as the field shows it.
    else expect(Math.abs(expiry - Date.now() / 1_000 - seconds)).toBeLessThan(90);
  });

  it('offers the usual amounts, and several tokens at once', async () => {
    const { user, drawer } = await openNew();
    for (const amount of ['$1', '$10', '$50', '$100', '$500', '$1000'])
      expect(drawer.getByRole('button', { name: amount })).toBeVisible();
    for (const count of ['10', '20', '30', '100'])
      expect(drawer.getByRole('button', { name: count })).toBeVisible();
    await user.click(drawer.getByRole('button', { name: '$50' }));
    expect(drawer.getByLabelText(/^Limit$/)).toHaveValue('25000000');
  });

  it('sends models as a comma list and addresses line by line', async () => {
    const { user, drawer, create, sent } = await openNew();
    await user.type(drawer.getByLabelText(/^Name/), 'limited');
    await user.type(drawer.getByRole('combobox', { name: /^Models/ }), 'gpt-4o,other{Enter}');
    fireEvent.change(drawer.getByLabelText(/^Allowed IP addresses/), {
      target: { value: '192.0.2.1\n198.51.100.0/24' },
    });
    await create();
    expect(await sent()).toMatchObject({
      model_limits_enabled: true,
      model_limits: 'gpt-4o,other',
      allow_ips: '192.0.2.1\n198.51.100.0/24',
    });
  });

  it('chooses a group of those that are offered, or shows that none is', async () => {
    const { drawer } = await openNew({});
    const group = await drawer.findByRole('combobox', { name: /^Group/ });
    await waitFor(() => expect(group).toHaveTextContent('The administrator has not set selectable groups'));
    expect(group).toHaveAttribute('aria-disabled', 'true');
  });

  it('copies the chosen ones with their prefix, and deletes them one by one', async () => {
    const { user } = renderConsole('/token', tokensApi());
    const written = jest.spyOn(navigator.clipboard, 'writeText');
    await user.click(await screen.findByRole('checkbox', { name: 'Select laptop' }));
    await user.click(screen.getByRole('button', { name: 'Copy keys' }));
    await waitFor(() => expect(written).toHaveBeenCalledWith(expect.stringContaining(`sk-${aToken().key}`)));
    await user.click(screen.getByRole('button', { name: 'Actions for laptop' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Delete' }));
    const said = await screen.findByText('laptop was deleted');
    expect(said.closest('[role="status"]')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    expect(await screen.findByText('Restored')).toBeVisible();
    expect(api.made('POST /api/token/restore').map(({ body }) => body)).toEqual([{ ids: [1] }]);
  });

  it('offers copying only for chosen ones, and nothing but enabled and disabled', async () => {
    const { user } = renderConsole('/token', tokensApi());
    expect(await screen.findByRole('button', { name: 'desk' })).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Copy keys' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Actions for desk' }));
    expect(await screen.findByRole('menuitem', { name: 'Enable' })).toBeVisible();
    expect(screen.queryByRole('menuitem', { name: 'Disable' })).toBeNull();
  });
});

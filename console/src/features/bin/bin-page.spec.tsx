import { afterEach, describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { aStatus, NOON } from '../../testing/builders';
import { FakeApi, pageOf } from '../../testing/fake-api';
import { renderConsole } from '../../testing/render';
import type { BinItem } from './api';

let api: FakeApi;
afterEach(() => api.stop());

const anItem = (parts: Partial<BinItem> = {}): BinItem => ({
  id: 3,
  name: 'spare',
  owner_id: 0,
  owner_name: '',
  deleted_at: NOON - 3_600,
  deleted_by: 2,
  deleted_by_name: 'warden',
  kept_until: NOON + 86_400 * 29,
  hindrance: '',
  identities: [],
  ...parts,
});
const OLD = anItem({ id: 4, name: 'older', deleted_by: 0, deleted_by_name: '', hindrance: 'not_kept' });

function binApi(): FakeApi {
  api = new FakeApi({
    'GET /api/status': { data: aStatus() },
    'GET /api/bin/channel': pageOf([anItem(), anItem({ id: 5, name: 'second' }), OLD]),
    'GET /api/bin/token': pageOf([
      anItem({ id: 8, name: 'laptop', owner_id: 7, owner_name: 'ann', hindrance: 'owner_deregistered' }),
    ]),
    'GET /api/bin/user': pageOf([anItem({ id: 9, name: 'gone', identities: ['github'] })]),
    'GET /api/bin/redemption': pageOf([]),
    'POST /api/bin/channel/restore': { data: 1 },
    'POST /api/bin/channel/wipe': { data: 2 },
    'POST /api/user/9/purge': { data: null },
    'DELETE /api/user/9/identity/github': { data: null },
  });
  return api;
}

const bodies = (route: string) => api.made(route).map(({ body }) => body);
const rowOf = async (name: string) => within((await screen.findByText(name)).closest('tr') as HTMLElement);

describe('the bin', () => {
  it.each([1, 10])('refuses role %i', async (role) => {
    binApi();
    renderConsole('/bin', api, { role });
    expect(await screen.findByText('You don’t have access to this page')).toBeVisible();
    expect(api.made('GET /api/bin/channel')).toEqual([]);
  });

  it('restores a channel, and offers no restore where none is possible', async () => {
    binApi();
    const { user } = renderConsole('/bin', api);
    const old = await rowOf('older #4');
    expect(old.getByText('Cannot be restored')).toBeVisible();
    expect(old.getByText('Unknown')).toBeVisible();
    expect(old.queryByRole('button', { name: 'Restore' })).toBeNull();
    const row = await rowOf('spare #3');
    expect(row.getByText('warden')).toBeVisible();
    await user.click(row.getByRole('button', { name: 'Restore' }));
    expect(await screen.findByText('spare was restored')).toBeVisible();
    expect(bodies('POST /api/bin/channel/restore')).toEqual([{ ids: [3] }]);
  });

  it('shows why a restore was refused', async () => {
    binApi().answer({ 'POST /api/bin/channel/restore': { refused: 'its key is no longer kept' } });
    const { user } = renderConsole('/bin', api);
    await user.click((await rowOf('spare #3')).getByRole('button', { name: 'Restore' }));
    expect(await screen.findByText('its key is no longer kept')).toBeVisible();
  });

  it('deletes several for good after a question', async () => {
    binApi();
    const { user } = renderConsole('/bin', api);
    await user.click(await screen.findByRole('checkbox', { name: 'Select spare #3' }));
    await user.click(screen.getByRole('checkbox', { name: 'Select older #4' }));
    const bar = within(screen.getByRole('toolbar', { name: 'Actions for the selected rows' }));
    expect(bar.getByRole('button', { name: 'Restore' })).toBeDisabled();
    await user.click(bar.getByRole('button', { name: 'Delete permanently' }));
    const question = within(await screen.findByRole('alertdialog', { name: 'Permanently delete 2 items?' }));
    expect(bodies('POST /api/bin/channel/wipe')).toEqual([]);
    await user.click(question.getByRole('button', { name: 'Delete permanently' }));
    expect(await screen.findByText('2 items were permanently deleted')).toBeVisible();
    expect(bodies('POST /api/bin/channel/wipe')).toEqual([{ ids: [3, 4] }]);
  });

  it('changes the section by its tab and keeps it in the address', async () => {
    binApi();
    const { user, router } = renderConsole('/bin', api);
    await user.click(await screen.findByRole('tab', { name: 'API tokens' }));
    expect((await rowOf('laptop #8')).getByText('Account deregistered')).toBeVisible();
    expect(router.state.location.search).toBe('?section=token');
    await user.click(screen.getByRole('tab', { name: 'Redemption codes' }));
    expect(await screen.findByText('Nothing deleted here')).toBeVisible();
  });

  it('clears an account for good, and frees its identity', async () => {
    binApi();
    const { user } = renderConsole('/bin?section=user', api);
    const act = async (name: string, title: string) => {
      await user.click(await screen.findByRole('button', { name: 'Actions for gone #9' }));
      await user.click(await screen.findByRole('menuitem', { name }));
      const question = within(await screen.findByRole('alertdialog', { name: title }));
      await user.click(question.getByRole('button', { name }));
    };
    await act('Free GitHub identity', 'Remove the GitHub identity from gone?');
    await waitFor(() => expect(api.made('DELETE /api/user/9/identity/github')).toHaveLength(1));
    await act('Delete permanently', 'Permanently delete gone?');
    await waitFor(() => expect(api.made('POST /api/user/9/purge')).toHaveLength(1));
  });
});

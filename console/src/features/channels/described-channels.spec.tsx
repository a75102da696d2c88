import { afterEach, describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { aChannel, aChannelPreset, aChannelType, aStatus, NOON } from '../../testing/builders';
import { bareList, FakeApi } from '../../testing/fake-api';
import { renderConsole } from '../../testing/render';

let api: FakeApi;
afterEach(() => api.stop());

const IDLE_JOB = { running: false, done: 0, total: 0, failed: 0, started_at: 0, ended_at: 0 };
const ONE = aChannel({ id: 1, name: 'One', tag: 'north', priority: 2, weight: 4 });
const TWO = aChannel({ id: 2, name: 'Two', tag: 'north', priority: 5, weight: 4 });

function channelsApi(): FakeApi {
  api = new FakeApi({
    'GET /api/status': { data: aStatus() },
    'GET /api/channel': bareList([ONE, TWO]),
    'GET /api/channel/search': bareList([ONE]),
    'GET /api/channel/1': { data: ONE },
    'GET /api/channel/health': { data: { since: NOON, bucket_seconds: 3_600, channels: [] } },
    'GET /api/channel/job/test': { data: IDLE_JOB },
    'GET /api/channel/job/balance': { data: IDLE_JOB },
    'GET /api/group': { data: ['default', 'vip'] },
    'GET /api/channel/types': { data: [aChannelType()] },
    'GET /api/channel/presets': { data: [aChannelPreset()] },
    'GET /api/channel/models': { data: [{ id: 'gpt-4o' }] },
    'GET /api/models': { data: { 1: ['gpt-4o', 'gpt-4o-mini'] } },
    'PUT /api/channel': { data: null },
    'PUT /api/channel/tag': { data: null },
    'POST /api/channel': { data: { ids: [9] } },
    'POST /api/pricing/lookup': { data: [], members: { may_set: true } },
    'POST /api/channel/batch/tag': { data: 2 },
    'POST /api/channel/copy/1': { data: { ids: [3] } },
    'POST /api/channel/fix': { data: 7 },
    'GET /api/channel/test': { data: null },
    'GET /api/channel/update_balance': { data: null },
    'GET /api/channel/update_balance/1': { data: null, members: { balance: 12.5 } },
    'DELETE /api/channel/disabled': { data: 2, members: { ids: [5, 6] } },
    'POST /api/channel/restore': { data: 2 },
  });
  return api;
}

const open = (path = '/channel') => renderConsole(path, channelsApi());
async function openNew() {
  const { user } = open('/channel/add');
  const drawer = within(await screen.findByRole('dialog', { name: 'Add channel' }));
  await user.click(await drawer.findByRole('combobox', { name: /^Provider/ }));
  await user.click(await screen.findByRole('option', { name: /^OpenAI/ }));
  return { user, drawer };
}
const bodies = (route: string) => api.made(route).map(({ body }) => body);

describe('the page of channels as the specification has it', () => {
  it('searches by keyword, model and group', async () => {
    const { user } = open();
    const [keyword, model] = await screen.findAllByRole('searchbox');
    await user.type(keyword as HTMLElement, 'one{Enter}');
    await user.type(model as HTMLElement, 'gpt{Enter}');
    await user.click(screen.getByRole('combobox', { name: 'Group' }));
    await user.click(await screen.findByRole('option', { name: 'vip' }));
    await waitFor(() => {
      const query = api.made('GET /api/channel/search').at(-1)?.query;
      expect([query?.get('keyword'), query?.get('model'), query?.get('group')]).toEqual([
        'one',
        'gpt',
        'vip',
      ]);
    });
  });

  it('groups by tag, sorts by id and keeps the latter in the browser', async () => {
    const { user } = open();
    const lastOf = (name: string) => api.made('GET /api/channel').at(-1)?.query.get(name);
    await user.click(await screen.findByRole('switch', { name: 'Sort by id' }));
    await waitFor(() => expect(lastOf('id_sort')).toBe('true'));
    expect(localStorage.getItem('id-sort')).toBe('true');
    await user.click(screen.getByRole('switch', { name: 'Group by tag' }));
    await waitFor(() => expect(lastOf('tag_mode')).toBe('true'));
  });

  it('shows a figure of a tag only where its channels agree', async () => {
    open('/channel?tags=true');
    expect(await screen.findByRole('spinbutton', { name: 'Priority of north' })).toHaveValue(null);
    expect(screen.getByRole('spinbutton', { name: 'Weight of north' })).toHaveValue(4);
  });

  it('tests all, reads all balances, repairs, and deletes what is disabled', async () => {
    const { user } = open();
    const choose = async (name: string) => {
      await user.click(await screen.findByRole('button', { name: 'More actions' }));
      await user.click(await screen.findByRole('menuitem', { name }));
    };
    const confirm = async (title: string, name: string) => {
      const question = within(await screen.findByRole('alertdialog', { name: title }));
      await user.click(question.getByRole('button', { name }));
    };
    await choose('Test all');
    await confirm('Test all channels?', 'Test all');
    await waitFor(() => expect(api.made('GET /api/channel/test')).toHaveLength(1));
    await choose('Update all balances');
    await waitFor(() => expect(api.made('GET /api/channel/update_balance')).toHaveLength(1));
    await choose('Repair the model index');
    expect(await screen.findByText('Model index of 7 channels repaired')).toBeVisible();
    await choose('Delete disabled channels');
    expect(await screen.findByText('2 disabled channels were deleted')).toBeVisible();
    expect(api.made('DELETE /api/channel/disabled')).toHaveLength(1);
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(bodies('POST /api/channel/restore')).toEqual([{ ids: [5, 6] }]));
  });

  it('takes a priority down to -999 and a weight down to 0', async () => {
    const { user } = open();
    const priority = await screen.findByRole('spinbutton', { name: 'Priority of One' });
    expect(priority).toHaveAttribute('min', '-999');
    await user.clear(priority);
    await user.type(priority, '-1000{Enter}');
    expect(await screen.findByText('Priority of One: At least -999')).toBeVisible();
    const weight = screen.getByRole('spinbutton', { name: 'Weight of One' });
    await user.clear(weight);
    await user.type(weight, '-1{Enter}');
    expect(await screen.findByText('Weight of One: At least 0')).toBeVisible();
    expect(bodies('PUT /api/channel')).toEqual([]);
    await user.clear(priority);
    await user.type(priority, '-999{Enter}');
    await waitFor(() => expect(bodies('PUT /api/channel')).toEqual([{ id: 1, priority: -999 }]));
  });

  it('sets the tag of chosen channels, and needs one', async () => {
    const { user } = open();
    await user.click(await screen.findByRole('checkbox', { name: 'Select all rows on this page' }));
    await user.click(within(await screen.findByRole('toolbar')).getByRole('button', { name: 'Set tag' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Set the tag of 2 channels' }));
    await user.click(dialog.getByRole('button', { name: 'Set tag' }));
    expect(await dialog.findByText('The tag must not be empty!')).toBeVisible();
    await user.type(dialog.getByLabelText('Tag'), 'south');
    await user.click(dialog.getByRole('button', { name: 'Set tag' }));
    await waitFor(() =>
      expect(bodies('POST /api/channel/batch/tag')).toEqual([{ ids: [1, 2], tag: 'south' }]),
    );
  });

  it('edits a tag, where what is empty stays as it is', async () => {
    const { user } = open('/channel?tags=true');
    await user.click(await screen.findByRole('button', { name: 'Actions for north' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Edit tag' }));
    const dialog = within(await screen.findByRole('dialog', { name: /^Edit tag north/ }));
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    expect(await dialog.findByText('No changes at all!')).toBeVisible();
    await user.clear(dialog.getByLabelText(/^Tag name/));
    expect(dialog.getByText('Leave empty to remove the tag.')).toBeVisible();
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    await waitFor(() =>
      expect(bodies('PUT /api/channel/tag')).toEqual([
        { tag: 'north', new_tag: '', models: '', groups: '', model_mapping: '' },
      ]),
    );
  });

  it('copies a channel, reads its balance and chooses columns', async () => {
    const { user } = open();
    const act = async (name: string) => {
      await user.click(await screen.findByRole('button', { name: 'Actions for One' }));
      await user.click(await screen.findByRole('menuitem', { name }));
    };
    await act('Duplicate');
    expect(await screen.findByText(/^One was duplicated/)).toBeVisible();
    await act('Update balance');
    expect(await screen.findByText(/^Balance of One/)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Columns' }));
    await user.click(await screen.findByRole('checkbox', { name: 'Weight' }));
    await waitFor(() => expect(screen.queryByRole('columnheader', { name: 'Weight' })).toBeNull());
    expect(JSON.parse(localStorage.getItem('columns-channels') ?? '{}')).toMatchObject({ weight: false });
  });

  it('asks about an address that ends in /v1, and strips the slash behind one', async () => {
    const { user, drawer } = await openNew();
    await user.click(drawer.getByRole('switch', { name: 'Test on save' }));
    await user.click(drawer.getByRole('button', { name: 'Advanced' }));
    await user.type(drawer.getByLabelText(/^Base address/), 'https://vendor.example/v1');
    await user.type(drawer.getByLabelText(/^Key/, { selector: 'input' }), 'sk-a');
    await user.click(drawer.getByRole('button', { name: 'Fill in the usual models' }));
    await user.click(drawer.getByRole('button', { name: 'Add channel' }));
    const question = within(await screen.findByRole('alertdialog', { name: /\/v1/ }));
    expect(bodies('POST /api/channel')).toEqual([]);
    await user.click(question.getByRole('button', { name: 'Cancel' }));
    await user.clear(drawer.getByLabelText(/^Base address/));
    await user.type(drawer.getByLabelText(/^Base address/), 'https://vendor.example/');
    await user.click(await drawer.findByRole('button', { name: 'Add channel' }));
    await waitFor(() =>
      expect(bodies('POST /api/channel')).toMatchObject([{ base_url: 'https://vendor.example' }]),
    );
  });

  it('asks for the key before it fetches models, and marks those already present', async () => {
    const { user, drawer } = await openNew();
    await user.click(await drawer.findByRole('button', { name: 'Fetch from the provider' }));
    expect(await drawer.findByText('Please fill in the key first')).toBeVisible();
    const models = drawer.getByRole('combobox', { name: /^Models/ });
    await user.type(models, 'mine{Enter}');
    await user.type(models, 'mine{Enter}');
    expect(await screen.findByText('Some models are already there!')).toBeVisible();
  });

  it('locks its buttons while a request runs', async () => {
    const { user } = open();
    api.answer({ 'POST /api/channel/batch/tag': () => new Promise<never>(() => undefined) });
    await user.click(await screen.findByRole('checkbox', { name: 'Select all rows on this page' }));
    await user.click(within(screen.getByRole('toolbar')).getByRole('button', { name: 'Set tag' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Set the tag of 2 channels' }));
    await user.type(dialog.getByLabelText('Tag'), 'south{Enter}');
    await waitFor(() => expect(dialog.getByRole('button', { name: /Set tag/ })).toBeDisabled());
    expect(api.made('POST /api/channel/batch/tag')).toHaveLength(1);
  });
});

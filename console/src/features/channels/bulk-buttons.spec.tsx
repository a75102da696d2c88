import { afterEach, describe, expect, it } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import { aChannel, aChannelPreset, aChannelType, aStatus, NOON } from '../../testing/builders';
import { bareList, FakeApi } from '../../testing/fake-api';
import { renderConsole } from '../../testing/render';

let api: FakeApi;
afterEach(() => api.stop());

const IDLE_JOB = { running: false, done: 0, total: 0, failed: 0, started_at: 0, ended_at: 0 };

async function selectAll() {
  api = new FakeApi({
    'GET /api/status': { data: aStatus() },
    'GET /api/channel': bareList([aChannel(), aChannel({ id: 2, name: 'Backup' })]),
    'GET /api/channel/health': { data: { since: NOON, bucket_seconds: 3_600, channels: [] } },
    'GET /api/channel/job/test': { data: IDLE_JOB },
    'GET /api/channel/job/balance': { data: IDLE_JOB },
    'GET /api/group': { data: ['default'] },
    'GET /api/channel/types': { data: [aChannelType()] },
    'GET /api/channel/presets': { data: [aChannelPreset()] },
    'POST /api/channel/batch/status': { data: 2 },
    'POST /api/channel/batch/priority': { data: 2 },
    'GET /api/channel/test/1': { data: undefined, members: { answer: 'ok', time: 0.2 } },
    'GET /api/channel/test/2': { refused: 'The provider answered 401: bad key' },
  });
  const { user } = renderConsole('/channel', api);
  await user.click(await screen.findByRole('checkbox', { name: 'Select all rows on this page' }));
  const bar = within(await screen.findByRole('toolbar'));
  const press = async (name: string) => user.click(await bar.findByRole('button', { name }));
  return { user, press };
}

describe('the selection of channels', () => {
  it.each([
    ['Enable', 1, '2 channels are enabled'],
    ['Disable', 2, '2 channels are disabled'],
  ])('switches them with one request: %s', async (name, status, text) => {
    const { press } = await selectAll();
    await press(name);
    expect(await screen.findByText(text)).toBeVisible();
    expect(api.made('POST /api/channel/batch/status').map(({ body }) => body)).toEqual([
      { ids: [1, 2], status },
    ]);
  });

  it('sets one priority for all of them', async () => {
    const { user, press } = await selectAll();
    await press('Set priority');
    const dialog = await screen.findByRole('dialog', { name: 'Set the priority of 2 channels' });
    const field = within(dialog).getByRole('spinbutton');
    await user.clear(field);
    await user.type(field, '7');
    await user.click(within(dialog).getByRole('button', { name: 'Set priority' }));
    expect(await screen.findByText('The priority of 2 channels is set')).toBeVisible();
    expect(api.made('POST /api/channel/batch/priority')[0]?.body).toEqual({ ids: [1, 2], priority: 7 });
  });

  it('shows which of them is tested while a test runs', async () => {
    const { press } = await selectAll();
    api.answer({ 'GET /api/channel/test/2': () => new Promise<never>(() => undefined) });
    await press('Test');
    expect(await screen.findByRole('button', { name: 'Testing 2 of 2' })).toBeDisabled();
  });

  it('tests each of them, and shows the reason of the one that failed', async () => {
    const { press } = await selectAll();
    await press('Test');
    expect(
      await screen.findByText('1 of 2 tests failed: #2: The provider answered 401: bad key'),
    ).toBeVisible();
  });
});

import { afterEach, describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { aChannel, aChannelPreset, aChannelType, aHealthLine, aStatus, NOON } from '../../testing/builders';
import { bareList, FakeApi } from '../../testing/fake-api';
import { formatSeconds } from '../../shared/format/timestamp';
import { renderConsole } from '../../testing/render';
import { setViewport } from '../../testing/setup';

let api: FakeApi;
afterEach(() => api.stop());

const IDLE_JOB = { running: false, done: 0, total: 0, failed: 0, started_at: 0, ended_at: 0 };

function channelsApi(channels = [aChannel()]): FakeApi {
  api = new FakeApi({
    'GET /api/status': { data: aStatus() },
    'GET /api/channel': bareList(channels),
    'GET /api/channel/health': { data: { since: NOON, bucket_seconds: 3_600, channels: [] } },
    'GET /api/channel/job/test': { data: IDLE_JOB },
    'GET /api/channel/job/balance': { data: IDLE_JOB },
    'GET /api/group': { data: ['vip', 'default'] },
    'GET /api/channel/types': { data: [aChannelType()] },
    'GET /api/channel/presets': { data: [aChannelPreset()] },
    'GET /api/channel/models': { data: [{ id: 'gpt-4o' }] },
    'GET /api/models': { data: { 1: ['gpt-4o', 'gpt-4o-mini'] } },
  });
  return api;
}

describe('channels', () => {
  it('shows why loading failed, and tries again', async () => {
    channelsApi().answer({ 'GET /api/channel': { refused: 'database is away' } });
    const { user } = renderConsole('/channel', api);
    expect(await screen.findByText('database is away')).toBeVisible();
    api.answer({ 'GET /api/channel': bareList([aChannel()]) });
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByRole('link', { name: 'OpenAI main' })).toHaveAttribute('href', '/channel/1');
  });

  it('offers the next step when there are none', async () => {
    channelsApi([]);
    renderConsole('/channel', api);
    expect(await screen.findByText('No channels yet')).toBeVisible();
    expect(screen.getAllByRole('link', { name: 'Add channel' })).toHaveLength(2);
  });

  it('hides the page from people who are no administrators', async () => {
    channelsApi();
    renderConsole('/channel', api, { role: 1 });
    expect(await screen.findByText('You don’t have access to this page')).toBeVisible();
    expect(api.made('GET /api/channel')).toEqual([]);
  });

  it('shows the preset of a channel in place of its type', async () => {
    channelsApi([aChannel({ settings: '{"preset":"groq"}' }), aChannel({ id: 2, name: 'Plain' })]);
    renderConsole('/channel', api);
    expect(await screen.findByText('Groq')).toBeVisible();
    expect(screen.getByText('OpenAI')).toBeVisible();
  });

  it('shows why and when a channel was switched off', async () => {
    const other_info = JSON.stringify({ status_reason: 'key refused', status_time: NOON });
    channelsApi([aChannel({ status: 3, other_info })]);
    const { user } = renderConsole('/channel', api);
    await user.hover(await screen.findByText('Auto-disabled'));
    const tooltip = await screen.findByRole('tooltip');
    expect(tooltip).toHaveTextContent('key refused');
    expect(tooltip).toHaveTextContent(formatSeconds(NOON));
  });

  it('marks a channel whose documents would be refused today, and names the place', async () => {
    channelsApi([aChannel({ needs_look: ['setting: later', 'param_override: operations.0.match'] })]);
    const { user } = renderConsole('/channel', api);
    await user.hover(await screen.findByText('Needs attention'));
    expect(await screen.findByRole('tooltip')).toHaveTextContent(
      'setting: later; param_override: operations.0.match',
    );
  });

  it('saves a priority when the field is left, and takes it back on Escape', async () => {
    channelsApi().answer({ 'PUT /api/channel': { data: null } });
    const { user } = renderConsole('/channel', api);
    const field = await screen.findByRole('spinbutton', { name: 'Priority of OpenAI main' });
    await user.clear(field);
    await user.type(field, '7{Escape}');
    expect(field).toHaveValue(0);
    await user.clear(field);
    await user.type(field, '7{Enter}');
    await waitFor(() =>
      expect(api.made('PUT /api/channel').map((call) => call.body)).toEqual([{ id: 1, priority: 7 }]),
    );
  });

  it('deletes what is selected at once, saying how many, and restores all of it by one undo', async () => {
    channelsApi([aChannel(), aChannel({ id: 2, name: 'Backup' })]).answer({
      'POST /api/channel/batch': { data: 2 },
      'POST /api/channel/restore': { data: 2 },
    });
    const { user } = renderConsole('/channel', api);
    await user.click(await screen.findByRole('checkbox', { name: 'Select all rows on this page' }));
    await user.click(within(await screen.findByRole('toolbar')).getByRole('button', { name: 'Delete' }));
    expect(await screen.findByText('2 channels were deleted')).toBeVisible();
    expect(api.made('POST /api/channel/batch').map((call) => call.body)).toEqual([{ ids: [1, 2] }]);
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    expect(await screen.findByText('Restored')).toBeVisible();
    expect(api.made('POST /api/channel/restore').map((call) => call.body)).toEqual([{ ids: [1, 2] }]);
  });

  it('tests a model and shows the answer and the time, or the reason of a failure', async () => {
    channelsApi().answer({
      'GET /api/channel/test/1': ({ query }) =>
        query.get('model') === 'gpt-4o'
          ? { data: undefined, members: { answer: 'Hello there', first_token_ms: 120, time: 1.5 } }
          : { refused: 'upstream says no', members: { time: 0.2, answer: '' } },
    });
    const { user } = renderConsole('/channel', api);
    await user.click(await screen.findByRole('button', { name: 'Test' }));
    await user.click(await screen.findByRole('button', { name: 'Test gpt-4o' }));
    expect(await screen.findByText('Hello there')).toBeVisible();
    expect(screen.getByText('1.50 s in total')).toBeVisible();
    expect(screen.getByText('first token 120 ms')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Test gpt-4o-mini' }));
    expect(await screen.findByText('upstream says no')).toBeVisible();
  });

  it.each([
    ['Not tested', { test_time: 0, response_time: 0 }],
    ['Test failed', { test_time: NOON, response_time: 0 }],
    ['840 ms', { test_time: NOON, response_time: 840 }],
  ])('shows %s in the list of channels', async (text, channel) => {
    channelsApi([aChannel(channel)]);
    renderConsole('/channel', api);
    expect(await screen.findByRole('cell', { name: text })).toBeVisible();
  });

  it('counts a single attempt of the last day in the singular', async () => {
    channelsApi().answer({
      'GET /api/channel/health': {
        data: {
          since: NOON,
          bucket_seconds: 3_600,
          counted_since: NOON + 60,
          channels: [aHealthLine({ attempts: [1], median_ms: [84] })],
        },
      },
    });
    renderConsole('/channel', api);
    const name = `Last 24 hours: 1 attempt, 0 failed, median 84 ms · counted since ${formatSeconds(NOON + 60)}`;
    expect(await screen.findByRole('img', { name })).toBeVisible();
  });

  it('names a channel that fails behind retries, its provider’s sentence, and the time of the next try', async () => {
    channelsApi().answer({
      'GET /api/channel/health': {
        data: {
          since: NOON,
          bucket_seconds: 3_600,
          counted_since: NOON,
          channels: [
            aHealthLine({
              attempts: [294],
              failures: [88],
              last_failure: {
                at: NOON,
                model: 'gpt-4o',
                reason: 'upstream-key-refused',
                status: 401,
                message: 'Incorrect API key provided',
              },
              circuits: [{ model: '', since: NOON, retry_at: NOON + 120, keys: [], workers: 1 }],
            }),
          ],
        },
      },
    });
    renderConsole('/channel', api);
    expect(await screen.findByText('Failing 30%')).toBeVisible();
    const [since, retry] = [NOON, NOON + 120].map((seconds) => formatSeconds(seconds).slice(11, 16));
    expect(
      screen.getByText(`401 Incorrect API key provided · paused since ${since}, retried at ${retry}`),
    ).toBeVisible();
  });

  it('marks a channel whose last test failed, with the reason, although an earlier one succeeded', async () => {
    const failed = {
      test_time: NOON,
      test_failure: 'The provider answered 401: no such key',
      response_time: 840,
    };
    channelsApi([aChannel(failed)]);
    renderConsole('/channel', api);
    const reason = 'Test failed: The provider answered 401: no such key';
    expect(await screen.findByRole('cell', { name: `${reason} · ${formatSeconds(NOON)}` })).toBeVisible();
    expect(screen.getByText(reason)).toBeVisible();
  });

  it('asks before a test that draws a picture, and draws none when the person thinks again', async () => {
    channelsApi().answer({
      'GET /api/channel/test/1': ({ query }) =>
        query.get('confirm_cost') === 'true'
          ? { data: undefined, members: { time: 9, answer: '1 × image' } }
          : { refused: 'a test draws a picture', members: { code: 'channel_test_costs' } },
    });
    const { user } = renderConsole('/channel', api);
    await user.click(await screen.findByRole('button', { name: 'Test' }));
    const title = 'Generate an image to test gpt-4o?';
    for (const answer of ['Cancel', 'Generate and test']) {
      expect(screen.queryByText('1 × image')).toBeNull();
      await user.click(await screen.findByRole('button', { name: 'Test gpt-4o' }));
      const question = await screen.findByRole('alertdialog', { name: title });
      await user.click(within(question).getByRole('button', { name: answer }));
      await waitFor(() => expect(screen.queryByRole('alertdialog', { name: title })).toBeNull());
    }
    expect(await screen.findByText('1 × image')).toBeVisible();
    const asked = api.made('GET /api/channel/test/1').map(({ query }) => query.get('confirm_cost'));
    expect(asked).toEqual([null, null, 'true']);
  });

  it('refuses an incomplete channel with the sentences of the form, then sends it', async () => {
    channelsApi().answer({
      'POST /api/channel': { data: { ids: [9] } },
      'POST /api/pricing/lookup': { data: [], members: { may_set: true } },
      'GET /api/channel/test/9': { data: undefined, members: { answer: 'ok', time: 0.2 } },
    });
    const { user } = renderConsole('/channel/add', api);
    const drawer = within(await screen.findByRole('dialog', { name: 'Add channel' }));
    await user.click(drawer.getByRole('button', { name: 'Save and test' }));
    expect(await drawer.findByText('Please correct 4 fields')).toBeVisible();
    expect(drawer.getByText('Please choose at least one model!')).toBeVisible();
    expect(drawer.getByText('Please choose the provider of this key')).toBeVisible();
    expect(localStorage.getItem('channel_models')).toBeNull();
    await user.click(drawer.getByRole('combobox', { name: /^Provider/ }));
    await user.click(await screen.findByRole('option', { name: /^OpenAI/ }));
    await user.clear(drawer.getByLabelText(/^Name/));
    await user.type(drawer.getByLabelText(/^Name/), 'Local');
    await user.click(drawer.getByRole('button', { name: 'Advanced' }));
    await user.type(drawer.getByLabelText(/^Base address/), 'http://localhost:9000/');
    await user.type(drawer.getByLabelText(/^Key/, { selector: 'input' }), 'sk-upstream');
    await user.click(drawer.getByRole('button', { name: 'Fill in the usual models' }));
    await user.click(drawer.getByRole('button', { name: 'Save and test' }));
    expect(await screen.findByText('Saved: gpt-4o answered in 200 ms')).toBeVisible();
    expect(api.made('POST /api/channel')[0]?.body).toMatchObject({
      type: 1,
      name: 'Local',
      base_url: 'http://localhost:9000',
      key: 'sk-upstream',
      models: 'gpt-4o,gpt-4o-mini',
      group: 'default',
      mode: 'single',
    });
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('keeps typed values until the person agrees to lose them', async () => {
    channelsApi();
    const { user } = renderConsole('/channel/add', api);
    const drawer = await screen.findByRole('dialog', { name: 'Add channel' });
    await user.type(within(drawer).getByLabelText(/^Name/), 'Half');
    await user.click(within(drawer).getByRole('button', { name: 'Cancel' }));
    const question = await screen.findByRole('alertdialog', { name: 'Discard your changes?' });
    await user.click(within(question).getByRole('button', { name: 'Cancel' }));
    expect(within(drawer).getByLabelText(/^Name/)).toHaveValue('Half');
  });

  it('shows how far a test of all channels is', async () => {
    channelsApi().answer({
      'GET /api/channel/job/test': { data: { ...IDLE_JOB, running: true, done: 3, total: 12, failed: 1 } },
    });
    renderConsole('/channel', api);
    expect(await screen.findByText('Testing channels: 3 of 12 · 1 failed')).toBeVisible();
    expect(screen.getByRole('progressbar', { name: 'Testing channels: 3 of 12' })).toHaveAttribute(
      'aria-valuenow',
      '25',
    );
  });

  it('becomes cards on a phone', async () => {
    setViewport(390);
    channelsApi();
    renderConsole('/channel', api);
    const cards = await screen.findByRole('list', { name: 'Channels' });
    expect(within(cards).getByRole('link', { name: 'OpenAI main' })).toBeVisible();
    expect(screen.queryByRole('table')).toBeNull();
  });
});

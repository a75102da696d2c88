import { afterEach, describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { aChannel, aChannelPreset, aChannelType, aModelPrice, aStatus, NOON } from '../../testing/builders';
import { bareList, FakeApi, type RouteAnswer } from '../../testing/fake-api';
import { renderConsole } from '../../testing/render';

let api: FakeApi;
afterEach(() => api.stop());

const IDLE_JOB = { running: false, done: 0, total: 0, failed: 0, started_at: 0, ended_at: 0 };
const ADDED: RouteAnswer = { data: { ids: [9] } };

async function openDialog(status = {}) {
  api = new FakeApi({
    'GET /api/status': { data: aStatus({ self_use_mode_enabled: true, ...status }) },
    'GET /api/channel': bareList([aChannel({ name: 'xAI' })]),
    'GET /api/channel/health': { data: { since: NOON, bucket_seconds: 3_600, channels: [] } },
    'GET /api/channel/job/test': { data: IDLE_JOB },
    'GET /api/channel/job/balance': { data: IDLE_JOB },
    'GET /api/group': { data: ['default'] },
    'GET /api/channel/types': {
      data: [
        aChannelType(),
        aChannelType({ code: 48, name: 'xAI', base_url: 'https://api.x.ai', key_prefixes: ['xai-'] }),
      ],
    },
    'GET /api/channel/presets': { data: [aChannelPreset()] },
    'GET /api/models': { data: { 1: ['gpt-4o'], 48: ['grok-4'] } },
    'POST /api/channel': ADDED,
  });
  const { user, client } = renderConsole('/channel', api);
  await user.click(await screen.findByRole('button', { name: 'Add many' }));
  const dialog = within(await screen.findByRole('dialog', { name: /^Add many channels/ }));
  const box = await dialog.findByLabelText('Rows or JSON');
  const paste = async (text: string) => {
    await user.click(box);
    await user.paste(text);
  };
  const rows = async () =>
    within(await dialog.findByRole('list', { name: 'Preview' })).getAllByRole('listitem');
  const press = async (name: string | RegExp) => user.click(await dialog.findByRole('button', { name }));
  return { user, client, dialog, box, paste, rows, press };
}
const bodies = () => api.made('POST /api/channel').map(({ body }) => body);

describe('adding many channels', () => {
  it('adds the pasted rows by one press, with numbered names, and keeps no key', async () => {
    const { client, paste, rows, press } = await openDialog();
    await paste('xai-first-secret-key\nxai-second-secret-key\nopenai\tsk-third-secret-key\tgpt-4o\tMain');
    expect(await rows()).toHaveLength(3);
    expect(bodies()).toEqual([]);
    await press('Add 3 channels');
    expect(await screen.findByText('3 channels were added')).toBeVisible();
    expect(bodies()).toMatchObject([
      { type: 48, name: 'xAI 1', key: 'xai-first-secret-key', models: 'grok-4', mode: 'single' },
      { type: 48, name: 'xAI 2', key: 'xai-second-secret-key', models: 'grok-4' },
      { type: 1, name: 'Main', key: 'sk-third-secret-key', models: 'gpt-4o' },
    ]);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    const kept = [client.getQueryCache(), client.getMutationCache()].flatMap((cache) =>
      cache.getAll().map(({ state }) => JSON.stringify(state)),
    );
    expect(kept.join()).not.toContain('secret-key');
  });

  it('shows rows that cannot be saved first, with the reason, before anything is saved, and the end of each key only', async () => {
    const { dialog, paste, rows } = await openDialog();
    await paste('xai-second-secret-key\nsk-of-nobody-in-particular');
    const [first, second] = await rows();
    expect(first).toHaveTextContent('Name the provider: this key has no prefix that only one provider uses.');
    expect(second).toHaveTextContent('xAI · api.x.ai · key …-key · 1 usual model: grok-4');
    expect(dialog.getByText('1 of 2 rows can be added')).toBeVisible();
    expect(dialog.getByRole('button', { name: 'Add 1 channel' })).toBeEnabled();
    expect(api.calls.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  it('keeps refused rows in the box with their reason, and adds them again when they are corrected', async () => {
    const { user, dialog, box, paste, rows, press } = await openDialog();
    api.answer({
      'POST /api/channel': ({ body }) =>
        (body as { name: string }).name === 'Two' ? { refused: 'The address is private' } : ADDED,
    });
    await paste('provider,key,name\nxai,k-one,One\nxai,k-two,Two\nxai,k-three,Three');
    await press('Add 3 channels');
    expect(await dialog.findByText('2 channels were added')).toBeVisible();
    expect(dialog.getByText('One, Three')).toBeVisible();
    expect(dialog.getByText('1 row is left: correct it and add it again.')).toBeVisible();
    expect(box).toHaveValue('provider,key,name\nxai,k-two,Two');
    expect((await rows())[0]).toHaveTextContent('The address is private');
    expect(dialog.queryByText('Added')).toBeNull();
    await user.clear(box);
    await paste('xai,k-two,,Again');
    await press('Add 1 channel');
    expect(await screen.findByText('1 channel was added')).toBeVisible();
    expect(bodies()).toHaveLength(4);
  });

  it('stops at a failure that every row would meet, and leaves the rest in the box', async () => {
    const { dialog, box, paste, press } = await openDialog();
    api.answer({ 'POST /api/channel': { refused: 'Too many requests', status: 429 } });
    await paste('xai-one\nxai-two');
    await press('Add 2 channels');
    expect(await dialog.findByText(/2 rows are left/)).toBeVisible();
    expect(box).toHaveValue('xai-one\nxai-two');
    expect(bodies()).toHaveLength(1);
  });

  it('shows how far it is, and sends no further row after Stop', async () => {
    const { dialog, box, paste, press } = await openDialog();
    let finish: (answer: RouteAnswer) => void = () => undefined;
    api.answer({
      'POST /api/channel': () => new Promise<RouteAnswer>((resolve) => (finish = resolve)),
    });
    await paste('xai-one\nxai-two');
    await press('Add 2 channels');
    expect(await dialog.findByRole('progressbar', { name: 'Adding channels: 0 of 2' })).toBeVisible();
    await press('Stop');
    finish(ADDED);
    expect(await dialog.findByText(/1 row is left/)).toBeVisible();
    expect(box).toHaveValue('xai-two');
    expect(bodies()).toHaveLength(1);
  });

  it('prices models in place before their channels are added', async () => {
    const { user, dialog, paste, press } = await openDialog({ self_use_mode_enabled: false });
    api.answer({
      'POST /api/pricing/lookup': {
        data: [aModelPrice({ model: 'grok-4', is_priced: false, input: null, output: null })],
        members: { may_set: true },
      },
      'POST /api/pricing/sync/apply': { data: { version: 2 } },
    });
    await paste('xai-one\nxai-two');
    await press('Price them here');
    await user.type(dialog.getByLabelText(/^Input price of grok-4/), '3');
    await user.type(dialog.getByLabelText(/^Output price of grok-4/), '15');
    await press('Add 2 channels');
    expect(await screen.findByText('2 channels were added')).toBeVisible();
    expect(api.made('POST /api/pricing/sync/apply')).toHaveLength(1);
  });

  it('asks before pasted rows are lost, and forgets them when it closes', async () => {
    const { user, paste, press } = await openDialog();
    await paste('xai-one');
    await press('Cancel');
    const question = within(await screen.findByRole('alertdialog', { name: 'Discard your changes?' }));
    await user.click(question.getByRole('button', { name: 'Discard' }));
    await user.click(await screen.findByRole('button', { name: 'Add many' }));
    expect(await screen.findByLabelText('Rows or JSON')).toHaveValue('');
  });
});

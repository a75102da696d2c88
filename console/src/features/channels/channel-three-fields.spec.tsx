import { afterEach, describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { aChannel, aChannelPreset, aChannelType, aModelPrice, aStatus, NOON } from '../../testing/builders';
import { bareList, FakeApi } from '../../testing/fake-api';
import { renderConsole } from '../../testing/render';

let api: FakeApi;
afterEach(() => api.stop());

const IDLE_JOB = { running: false, done: 0, total: 0, failed: 0, started_at: 0, ended_at: 0 };
const UNPRICED = { is_priced: false, input: null, output: null };

async function openNew(status = {}) {
  api = new FakeApi({
    'GET /api/status': { data: aStatus(status) },
    'GET /api/channel': bareList([aChannel({ name: 'xAI' })]),
    'GET /api/channel/health': { data: { since: NOON, bucket_seconds: 3_600, channels: [] } },
    'GET /api/channel/job/test': { data: IDLE_JOB },
    'GET /api/channel/job/balance': { data: IDLE_JOB },
    'GET /api/group': { data: ['default'] },
    'GET /api/channel/models': { data: [] },
    'GET /api/channel/types': {
      data: [
        aChannelType(),
        aChannelType({ code: 48, name: 'xAI', base_url: 'https://api.x.ai', key_prefixes: ['xai-'] }),
      ],
    },
    'GET /api/channel/presets': { data: [aChannelPreset()] },
    'GET /api/models': { data: { 1: ['gpt-4o'], 48: ['grok-4', 'grok-new'] } },
    'POST /api/pricing/lookup': {
      data: [
        aModelPrice({ model: 'grok-4' }),
        aModelPrice({ model: 'grok-new', ...UNPRICED, list_input: 3, list_output: 15 }),
      ],
      members: { may_set: true },
    },
    'POST /api/pricing/sync/apply': { data: { version: 2 } },
    'POST /api/channel': { data: { ids: [9] } },
    'PUT /api/channel': { data: null },
    'GET /api/channel/test/9': { data: undefined, members: { answer: 'ok', time: 0.4 } },
  });
  const { user } = renderConsole('/channel/add', api);
  const drawer = within(await screen.findByRole('dialog', { name: 'Add channel' }));
  const key = drawer.getByLabelText(/^Key/, { selector: 'input' });
  const provider = await drawer.findByRole('combobox', { name: /^Provider/ });
  await waitFor(() => expect(api.made('GET /api/channel/types')).toHaveLength(1));
  const press = async (name: string) => user.click(await drawer.findByRole('button', { name }));
  const paste = async (text: string) => {
    await user.click(key);
    await user.clear(key);
    await user.paste(text);
  };
  return { user, drawer, provider, press, paste };
}

describe('the three fields of a channel', () => {
  it('recognises the provider of a key, fills in a free name, and sends nothing before a press', async () => {
    const { drawer, provider, press, paste } = await openNew();
    await paste('xai-secret');
    await waitFor(() => expect(provider).toHaveValue('xAI'));
    await waitFor(() => expect(drawer.getByLabelText(/^Name/)).toHaveValue('xAI 2'));
    expect(drawer.getByText('The key is sent to api.x.ai.')).toBeVisible();
    expect(api.calls.filter(({ method }) => method === 'POST')).toEqual([]);
    await press('Fill in the usual models');
    await press('Use 1 list price');
    await press('Save and test');
    expect(await screen.findByText('Saved: grok-4 answered in 400 ms')).toBeVisible();
    expect(api.made('POST /api/channel')[0]?.body).toMatchObject({ type: 48, name: 'xAI 2', base_url: '' });
    expect(api.made('POST /api/pricing/sync/apply')[0]?.body).toMatchObject({
      items: [
        {
          model: 'grok-new',
          entries: [
            { key: 'ModelRatio', listed: 1.5 },
            { key: 'CompletionRatio', listed: 5 },
          ],
        },
      ],
    });
    const saved = api.calls.filter(({ method, path }) => method === 'POST' && !path.endsWith('/lookup'));
    expect(saved.map(({ path }) => path)).toEqual(['/api/pricing/sync/apply', '/api/channel']);
  });

  it('leaves a provider that was chosen by hand, whatever key follows', async () => {
    const { user, provider, paste } = await openNew();
    await user.click(provider);
    await user.click(await screen.findByRole('option', { name: /^OpenAI/ }));
    await paste('xai-secret');
    expect(provider).toHaveValue('OpenAI');
  });

  it('takes a typed price in place of the list price', async () => {
    const { user, drawer, press, paste } = await openNew();
    await paste('xai-secret');
    await press('Fill in the usual models');
    await press('Price them here');
    await user.type(drawer.getByLabelText(/^Input price of grok-new/), '2');
    await user.type(drawer.getByLabelText(/^Output price of grok-new/), '2');
    await press('Save and test');
    await waitFor(() => expect(api.made('POST /api/pricing/sync/apply')).toHaveLength(1));
    expect(JSON.stringify(api.made('POST /api/pricing/sync/apply')[0]?.body)).toContain('"listed":1');
  });

  it('asks for no price in self-use mode', async () => {
    const { press, paste } = await openNew({ self_use_mode_enabled: true });
    await paste('xai-secret');
    await press('Fill in the usual models');
    await press('Save and test');
    expect(await screen.findByText(/answered in 400 ms/)).toBeVisible();
    expect(api.calls.filter(({ path }) => path.startsWith('/api/pricing'))).toEqual([]);
  });

  it('keeps the channel whose test fails, and corrects it with the next press', async () => {
    const { drawer, press, paste } = await openNew({ self_use_mode_enabled: true });
    api.answer({ 'GET /api/channel/test/9': { refused: 'The provider answered 401: no such key' } });
    await paste('xai-wrong');
    await press('Fill in the usual models');
    await press('Save and test');
    expect(await drawer.findByText('The provider answered 401: no such key')).toBeVisible();
    api.answer({ 'GET /api/channel/test/9': { data: undefined, members: { answer: 'ok', time: 0.4 } } });
    await paste('xai-right');
    await press('Save and test');
    expect(await screen.findByText('Saved: grok-4 answered in 400 ms')).toBeVisible();
    expect(api.made('POST /api/channel')).toHaveLength(1);
    expect(api.made('PUT /api/channel').map(({ body }) => body)).toMatchObject([{ id: 9, key: 'xai-right' }]);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('switches a channel off whose test fails', async () => {
    const { press, paste } = await openNew({ self_use_mode_enabled: true });
    api.answer({ 'GET /api/channel/test/9': { refused: 'The provider answered 401: no such key' } });
    await paste('xai-wrong');
    await press('Fill in the usual models');
    await press('Save and test');
    await press('Turn off');
    expect(await screen.findByText('The channel is turned off')).toBeVisible();
    expect(api.made('PUT /api/channel').map(({ body }) => body)).toEqual([{ id: 9, status: 2 }]);
  });

  it('opens the folded part where something in it is wrong', async () => {
    const { user, drawer, press, paste } = await openNew();
    await paste('xai-secret');
    await press('Fill in the usual models');
    await press('Advanced');
    await user.type(await drawer.findByLabelText(/^Proxy/), 'nowhere');
    await press('Advanced');
    await waitFor(() => expect(drawer.queryByLabelText(/^Proxy/)).toBeNull());
    await press('Save and test');
    expect(await drawer.findByLabelText(/^Proxy/)).toBeInvalid();
    expect(api.made('POST /api/channel')).toEqual([]);
  });
});

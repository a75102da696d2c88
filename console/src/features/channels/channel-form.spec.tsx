import { afterEach, describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { aChannel, aChannelPreset, aChannelType, aStatus, NOON } from '../../testing/builders';
import { bareList, FakeApi } from '../../testing/fake-api';
import { renderConsole } from '../../testing/render';
import type { Channel, ChannelKeyList } from './api';

let api: FakeApi;
afterEach(() => api.stop());

const IDLE_JOB = { running: false, done: 0, total: 0, failed: 0, started_at: 0, ended_at: 0 };
const TYPES = [
  aChannelType({ switches: [{ name: 'disable_store', choices: [] }] }),
  aChannelType({
    code: 41,
    name: 'Vertex AI',
    base_url: '',
    key_format: 'json',
    key_example: '{"type": "service_account"}',
    other: 'region',
    other_example: 'us-central1',
    needs_other: true,
    switches: [{ name: 'vertex_key_type', choices: ['json', 'api_key'] }],
    lists_models: false,
  }),
  aChannelType({
    code: 14,
    name: 'Anthropic',
    switches: [{ name: 'claude_cache_marks', choices: [] }],
  }),
  aChannelType({
    code: 18,
    name: 'Spark',
    key_format: 'three_parts',
    key_example: 'APPID|APISecret|APIKey',
  }),
  aChannelType({
    code: 8,
    name: 'Custom',
    base_url: '',
    needs_base_url: true,
    base_url_example: 'https://api.example.com/v1/chat/completions',
  }),
  aChannelType({ code: 6, name: 'Reseller', is_offered: false }),
];

const PRESETS = [
  aChannelPreset({ paths: { responses_path: '/v1/responses' } }),
  aChannelPreset({
    id: 'vllm',
    name: 'vLLM',
    mark: 'vL',
    base_url: '',
    base_url_example: 'http://localhost:8000',
    models: [],
    read_on: '2026-11-29',
  }),
];

function formApi(channel?: Channel): FakeApi {
  api = new FakeApi({
    'GET /api/status': { data: aStatus() },
    'GET /api/channel': bareList(channel === undefined ? [] : [channel]),
    'GET /api/channel/health': { data: { since: NOON, bucket_seconds: 3_600, channels: [] } },
    'GET /api/channel/job/test': { data: IDLE_JOB },
    'GET /api/channel/job/balance': { data: IDLE_JOB },
    'GET /api/group': { data: ['default'] },
    'GET /api/channel/models': { data: [] },
    'GET /api/channel/types': { data: TYPES },
    'GET /api/channel/presets': { data: PRESETS },
    'GET /api/models': { data: { 1: ['gpt-4o'], 41: ['gemini-2.5-pro'], 18: ['SparkDesk'] } },
    'POST /api/channel': { data: { ids: [9] } },
    'PUT /api/channel': { data: null },
    'POST /api/pricing/lookup': { data: [], members: { may_set: true } },
    'GET /api/channel/test/9': { data: undefined, members: { answer: 'ok', time: 0.2 } },
  });
  if (channel !== undefined) api.answer({ [`GET /api/channel/${channel.id}`]: { data: channel } });
  return api;
}

async function openNew() {
  const { user } = renderConsole('/channel/add', formApi());
  const drawer = within(await screen.findByRole('dialog', { name: 'Add channel' }));
  await waitFor(() => expect(api.made('GET /api/channel/types')).toHaveLength(1));
  const choose = async (label: string, option: string) => {
    await user.click(await drawer.findByRole('combobox', { name: new RegExp(`^${label}`) }));
    await user.click(await screen.findByRole('option', { name: new RegExp(`^${option}`) }));
  };
  const unfold = () => user.click(drawer.getByRole('button', { name: 'Advanced' }));
  const submit = () => user.click(drawer.getByRole('button', { name: /^(Save and test|Add channel)$/ }));
  const sent = async () => {
    await waitFor(() => expect(api.made('POST /api/channel')).toHaveLength(1));
    return api.made('POST /api/channel')[0]?.body;
  };
  return { user, drawer, choose, unfold, submit, sent };
}

describe('the channel form', () => {
  it('asks a type for its own key format and its extra field', async () => {
    const { user, drawer, choose, submit, sent } = await openNew();
    expect(drawer.queryByLabelText(/^Region/)).toBeNull();
    await choose('Provider', 'Vertex AI');
    expect(drawer.getByText(/The JSON file of a service account/)).toBeVisible();
    expect(drawer.getByRole('combobox', { name: /^Kind of key/ })).toBeVisible();
    expect(drawer.queryByRole('button', { name: 'Fetch from the provider' })).toBeNull();
    expect(drawer.getByText(/offers no list of models/)).toBeVisible();
    expect(drawer.getByLabelText(/^Name/)).toHaveValue('Vertex AI');
    await user.click(drawer.getByLabelText(/^Key/));
    await user.paste('not json');
    await user.click(drawer.getByRole('button', { name: 'Fill in the usual models' }));
    await submit();
    expect(await drawer.findByText('The key must look like {"type": "service_account"}')).toBeVisible();
    expect(drawer.getByText('This type needs this field')).toBeVisible();
    await user.clear(drawer.getByLabelText(/^Key/));
    await user.click(drawer.getByLabelText(/^Key/));
    await user.paste('{"type": "service_account"}');
    await user.type(drawer.getByLabelText(/^Region/), 'us-central1');
    await submit();
    expect(await sent()).toMatchObject({
      type: 41,
      key: '{"type": "service_account"}',
      other: 'us-central1',
      mode: 'single',
      models: 'gemini-2.5-pro',
    });
  });

  it('offers no resellers for new channels, and shows what an address looks like', async () => {
    const { user, drawer, choose } = await openNew();
    await user.click(drawer.getByRole('combobox', { name: /^Provider/ }));
    expect(await screen.findByRole('option', { name: /^Vertex AI/ })).toBeVisible();
    expect(screen.queryByRole('option', { name: /^Reseller/ })).toBeNull();
    await user.keyboard('{Escape}');
    await choose('Provider', 'Custom');
    expect(drawer.getByText(/for example https:\/\/api\.example\.com\/v1\/chat\/completions/)).toBeVisible();
  });

  it('keeps the type of a reseller that is edited', async () => {
    renderConsole('/channel/edit/1', formApi(aChannel({ type: 6 })));
    const drawer = within(await screen.findByRole('dialog', { name: 'Edit channel' }));
    const chosen = await drawer.findByRole('combobox', { name: /^Provider/ });
    await waitFor(() => expect(chosen).toHaveValue('Reseller'));
  });

  it('marks a type that is not served, and sends its provider no request', async () => {
    renderConsole('/channel/edit/1', formApi(aChannel({ type: 11 })));
    const drawer = within(await screen.findByRole('dialog', { name: 'Edit channel' }));
    const chosen = await drawer.findByRole('combobox', { name: /^Provider/ });
    expect(chosen).toHaveValue('Type 11 (not served by this version)');
    expect(drawer.queryByRole('button', { name: 'Fetch from the provider' })).toBeNull();
    expect(await screen.findAllByText('Type 11 (not served by this version)')).not.toHaveLength(0);
  });

  it('puts several keys into one channel, each checked', async () => {
    const { user, drawer, choose, unfold, submit, sent } = await openNew();
    await choose('Provider', 'Spark');
    await unfold();
    await choose('How to use the keys', 'Several keys in this channel');
    await user.click(drawer.getByLabelText(/^Keys/));
    await user.paste('1|a|b\n2|c');
    await user.click(drawer.getByRole('button', { name: 'Fill in the usual models' }));
    await submit();
    expect(await drawer.findByText('The key must look like APPID|APISecret|APIKey')).toBeVisible();
    await user.click(drawer.getByLabelText(/^Keys/));
    await user.paste('|d');
    await choose('Order of the keys', 'Random');
    await submit();
    expect(await sent()).toMatchObject({
      key: '1|a|b\n2|c|d',
      mode: 'multi_to_single',
      multi_key_mode: 'random',
    });
  });

  it('keeps what the documents hold and has no field, and writes the fields into them', async () => {
    const channel = aChannel({
      setting: '{"proxy":"socks5://p:1","force_format":true,"http_protocol":"http1"}',
      settings: '{"disable_store":true,"upstream_model_update":5}',
      header_override: '{"X-Team":"blue"}',
    });
    const { user } = renderConsole('/channel/edit/1', formApi(channel));
    const drawer = within(await screen.findByRole('dialog', { name: 'Edit channel' }));
    expect(await drawer.findByLabelText(/^Proxy/)).toHaveValue('socks5://p:1');
    expect(drawer.getByRole('switch', { name: 'Force the OpenAI format' })).toBeChecked();
    await user.click(await drawer.findByRole('switch', { name: 'Remove store' }));
    await user.click(drawer.getByRole('switch', { name: 'Reasoning in the answer' }));
    await user.clear(drawer.getByLabelText(/^Proxy/));
    await user.click(drawer.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(api.made('PUT /api/channel')).toHaveLength(1));
    const body = api.made('PUT /api/channel')[0]?.body as Record<string, string>;
    expect(JSON.parse(body['setting'] ?? '')).toEqual({
      force_format: true,
      thinking_to_content: true,
      http_protocol: 'http1',
    });
    expect(JSON.parse(body['settings'] ?? '')).toEqual({ upstream_model_update: 5 });
    expect(body['header_override']).toBe('{"X-Team":"blue"}');
    expect(body).not.toHaveProperty('key');
    expect(body).not.toHaveProperty('multi_key_mode');
  });

  it('has the cache marks of Claude in the advanced part, with the price of a write', async () => {
    const channel = aChannel({ type: 14, settings: '{"claude_cache_marks":true}' });
    const { user } = renderConsole('/channel/edit/1', formApi(channel));
    const drawer = within(await screen.findByRole('dialog', { name: 'Edit channel' }));
    const marks = await drawer.findByRole('switch', { name: 'Set cache marks' });
    expect(marks).toBeChecked();
    expect(marks.closest('.MuiAccordionDetails-root')).toHaveTextContent(
      'A write costs 1.25 × input, a read 0.1 ×',
    );
    await user.click(marks);
    await user.click(drawer.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(api.made('PUT /api/channel')).toHaveLength(1));
    const body = api.made('PUT /api/channel')[0]?.body as Record<string, string>;
    expect(body['settings'] ?? '').not.toContain('true');
  });

  it('removes the stored key when that is asked for', async () => {
    const { user } = renderConsole('/channel/edit/1', formApi(aChannel()));
    const drawer = within(await screen.findByRole('dialog', { name: 'Edit channel' }));
    await user.click(await drawer.findByRole('button', { name: 'Advanced' }));
    await user.click(await drawer.findByRole('switch', { name: 'Remove the stored key' }));
    await user.click(drawer.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(api.made('PUT /api/channel')).toHaveLength(1));
    expect(api.made('PUT /api/channel')[0]?.body).toMatchObject({ key: null });
  });

  it('enables an auto-disabled channel whose new key answers', async () => {
    formApi(aChannel({ status: 3 })).answer({ 'GET /api/channel/test/1': { refused: 'still refused' } });
    const { user } = renderConsole('/channel/edit/1', api);
    const drawer = within(await screen.findByRole('dialog', { name: 'Edit channel' }));
    await user.type(await drawer.findByLabelText(/^Key/, { selector: 'input' }), 'sk-wrong');
    await user.click(drawer.getByRole('button', { name: 'Save and test' }));
    expect(await drawer.findByText(/The channel is disabled and takes no calls/)).toBeVisible();
    expect(drawer.queryByRole('button', { name: 'Turn off' })).toBeNull();
    api.answer({ 'GET /api/channel/test/1': { data: undefined, members: { answer: 'ok', time: 0.4 } } });
    await user.click(drawer.getByRole('button', { name: 'Test again' }));
    expect(await screen.findByText(/^Saved and enabled again: .* answered in 400 ms$/)).toBeVisible();
    expect(api.made('PUT /api/channel').at(-1)?.body).toEqual({ id: 1, status: 1 });
  });

  it('adds keys to a channel that has several', async () => {
    const ring = {
      is_multi_key: true,
      multi_key_size: 2,
      multi_key_mode: 'random',
      multi_key_off: 0,
    } as const;
    const { user } = renderConsole('/channel/edit/1', formApi(aChannel({ channel_info: ring })));
    const drawer = within(await screen.findByRole('dialog', { name: 'Edit channel' }));
    await user.type(await drawer.findByLabelText(/^Keys/), 'sk-third');
    await user.click(drawer.getByRole('switch', { name: 'Test on save' }));
    await user.click(drawer.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(api.made('PUT /api/channel')).toHaveLength(1));
    expect(api.made('PUT /api/channel')[0]?.body).toMatchObject({
      key: 'sk-third',
      key_mode: 'append',
      multi_key_mode: 'random',
    });
  });
});

const KEYS: ChannelKeyList = {
  keys: [
    { index: 0, status: 1, reason: '', time: 0, hint: '…aaaa' },
    { index: 1, status: 3, reason: 'status 401: invalid key', time: NOON, hint: '…bbbb' },
  ],
  total: 2,
  page: 1,
  page_size: 1_000,
  enabled_count: 1,
  manual_disabled_count: 0,
  auto_disabled_count: 1,
  changed: 1,
};

describe('the keys of a channel', () => {
  const channel = aChannel({
    channel_info: { is_multi_key: true, multi_key_size: 2, multi_key_mode: 'polling', multi_key_off: 1 },
  });

  async function openKeys() {
    formApi(channel).answer({ 'POST /api/channel/multi_key/manage': { data: KEYS } });
    const { user } = renderConsole('/channel', api);
    expect(await screen.findByText('2 keys, 1 disabled')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Actions for OpenAI main' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Keys' }));
    const dialog = within(await screen.findByRole('dialog', { name: /^Keys of OpenAI main/ }));
    return { user, dialog };
  }
  const wishes = () =>
    api
      .made('POST /api/channel/multi_key/manage')
      .map((call) => call.body as { action: string; key_index?: number })
      .filter(({ action }) => action !== 'get_key_status')
      .map(({ action, key_index: index }) => [action, index]);

  it('shows which are off, why and since when, and switches them one by one', async () => {
    const { user, dialog } = await openKeys();
    expect(await dialog.findByText('1 enabled, 0 disabled manually, 1 disabled automatically')).toBeVisible();
    expect(dialog.getByText(/status 401: invalid key · /)).toBeVisible();
    await user.click(dialog.getByRole('button', { name: 'Enable Key 2' }));
    expect(await screen.findByText('1 key was changed')).toBeVisible();
    await user.click(dialog.getByRole('button', { name: 'Disable Key 1' }));
    await waitFor(() =>
      expect(wishes()).toEqual([
        ['enable_key', 1],
        ['disable_key', 0],
      ]),
    );
  });

  it('asks before it deletes one', async () => {
    const { user, dialog } = await openKeys();
    await user.click(await dialog.findByRole('button', { name: 'Delete Key 2' }));
    const question = await screen.findByRole('alertdialog', { name: 'Delete this key?' });
    expect(wishes()).toEqual([]);
    await user.click(within(question).getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(wishes()).toEqual([['delete_key', 1]]));
  });
});

describe('testing a channel', () => {
  it('asks through the endpoint that was chosen', async () => {
    formApi(aChannel({ models: 'gpt-4o' })).answer({
      'GET /api/channel/test/1': {
        data: undefined,
        members: { answer: 'hi', first_token_ms: 80, time: 0.5 },
      },
    });
    const { user } = renderConsole('/channel', api);
    await user.click(await screen.findByRole('button', { name: 'Test' }));
    await user.click(await screen.findByRole('combobox', { name: 'Endpoint' }));
    await user.click(await screen.findByRole('option', { name: 'Responses' }));
    await user.click(screen.getByRole('switch', { name: 'Streamed' }));
    await user.click(screen.getByRole('button', { name: 'Test gpt-4o' }));
    expect(await screen.findByText('first token 80 ms')).toBeVisible();
    const query = api.made('GET /api/channel/test/1')[0]?.query;
    expect([query?.get('endpoint_type'), query?.get('stream')]).toEqual(['responses', 'true']);
  });
});

describe('presets in the channel form', () => {
  it('fills in name, address, paths and models, and stores the type with the preset', async () => {
    const { user, drawer, submit, sent } = await openNew();
    const provider = await drawer.findByRole('combobox', { name: /^Provider/ });
    await user.type(provider, 'high speed');
    await user.click(await screen.findByRole('option', { name: /^Groq/ }));
    expect(await drawer.findByText(/Open models at high speed. Source: .*, not read yet\./)).toBeVisible();
    await user.type(drawer.getByLabelText(/^Key/, { selector: 'input' }), 'gsk_secret');
    await submit();
    expect(await sent()).toMatchObject({
      type: 1,
      name: 'Groq',
      base_url: 'https://api.groq.com/openai',
      models: 'llama-3.3-70b-versatile',
      settings: JSON.stringify({ responses_path: '/v1/responses', preset: 'groq' }),
    });
  });

  it('takes the values of a preset away with it, and leaves typed ones', async () => {
    const { user, drawer, choose, unfold, submit, sent } = await openNew();
    await choose('Provider', 'Groq');
    await unfold();
    await user.clear(drawer.getByLabelText(/^Name/));
    await user.type(drawer.getByLabelText(/^Name/), 'Mine');
    await choose('Provider', 'OpenAI');
    expect(drawer.getByLabelText(/^Base address/)).toHaveValue('');
    await user.type(drawer.getByLabelText(/^Models/), 'gpt-4o{Enter}');
    await user.type(drawer.getByLabelText(/^Key/, { selector: 'input' }), 'sk-secret');
    await submit();
    expect(await sent()).toMatchObject({
      type: 1,
      name: 'Mine',
      base_url: '',
      models: 'gpt-4o',
      settings: '',
    });
  });

  it('asks for an address where the preset has none', async () => {
    const { user, drawer, choose, submit } = await openNew();
    await choose('Provider', 'vLLM');
    await user.type(drawer.getByLabelText(/^Models/), 'm{Enter}');
    await user.type(drawer.getByLabelText(/^Key/, { selector: 'input' }), 'none');
    await submit();
    expect(await drawer.findByText(/read on 2026-11-29/)).toBeVisible();
    expect(drawer.getByLabelText(/^Base address/)).toBeInvalid();
    expect(api.made('POST /api/channel')).toHaveLength(0);
  });

  it.each([
    ['groq', 'Groq'],
    ['gone', 'OpenAI'],
  ])('shows the preset of a stored channel, and its type where there is none: %s', async (preset, name) => {
    renderConsole('/channel/edit/5', formApi(aChannel({ id: 5, settings: JSON.stringify({ preset }) })));
    const provider = await screen.findByRole('combobox', { name: /^Provider/ });
    await waitFor(() => expect(provider).toHaveValue(name));
  });
});

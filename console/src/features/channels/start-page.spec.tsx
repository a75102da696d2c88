import { afterEach, describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { aChannelPreset, aChannelType, aModelPrice, aStatus, aToken } from '../../testing/builders';
import { bareList, FakeApi } from '../../testing/fake-api';
import { renderConsole } from '../../testing/render';

let api: FakeApi;
afterEach(() => api.stop());

const CHUNK = (content: string) => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`;
const HOUSE = aModelPrice({ model: 'house', is_priced: false, input: null, output: null });
const KEY = 'sk-ant-api03-abc';

function startApi({ selfUse = false, maySet = true } = {}): FakeApi {
  api = new FakeApi({
    'GET /api/status': { data: aStatus({ self_use_mode_enabled: selfUse }) },
    'GET /api/channel/types': {
      data: [
        aChannelType(),
        aChannelType({
          code: 14,
          name: 'Anthropic',
          base_url: 'https://api.anthropic.com',
          key_prefixes: ['sk-ant-'],
        }),
      ],
    },
    'GET /api/channel/presets': { data: [aChannelPreset()] },
    'GET /api/models': { data: { 1: ['gpt-4o'], 14: ['claude-usual'] } },
    'POST /api/channel/fetch_models': { data: ['dear', 'house'] },
    'POST /api/pricing/lookup': {
      data: [aModelPrice({ model: 'dear', input: 15, output: 75 }), HOUSE],
      members: { may_set: maySet },
    },
    'POST /api/pricing/sync/apply': { data: ['ModelRatio', 'CompletionRatio'] },
    'GET /api/channel': bareList([{ name: 'Anthropic' }]),
    'POST /api/channel': { data: { ids: [7] } },
    'PUT /api/channel': { data: null },
    'GET /api/channel/test/7': { data: undefined, members: { answer: 'ok', time: 0.2 } },
    'GET /api/token': bareList([]),
    'POST /api/token': { data: aToken({ name: 'first', key: 'abcdefghijklmnop' }) },
    'POST /pg/chat/completions': () => ({
      response: new Response(`${CHUNK('Good ')}${CHUNK('morning')}data: [DONE]\n\n`, {
        headers: { 'content-type': 'text/event-stream', 'x-request-id': 'req-1' },
      }),
    }),
  });
  return api;
}

async function pasteKey(key = KEY) {
  const view = renderConsole('/start', api);
  await screen.findByLabelText(/^Key/);
  await waitFor(() => expect(api.made('GET /api/channel/types')).toHaveLength(1));
  await view.user.click(screen.getByLabelText(/^Key/));
  await view.user.paste(key);
  return view;
}

async function findModels() {
  const view = await pasteKey();
  await view.user.click(await screen.findByRole('button', { name: 'Get the models from api.anthropic.com' }));
  await screen.findByRole('list', { name: 'Models' });
  return view;
}

const go = () => screen.getByRole('button', { name: 'Add, test and ask' });

describe('the start page', () => {
  it('recognises the provider of a key, and sends the key nowhere before the press', async () => {
    startApi();
    await pasteKey();
    await waitFor(() => expect(screen.getByRole('combobox', { name: /^Provider/ })).toHaveValue('Anthropic'));
    expect(screen.getByLabelText(/^Base address/)).toHaveValue('https://api.anthropic.com');
    expect(api.calls.filter(({ body }) => JSON.stringify(body ?? '').includes(KEY))).toEqual([]);
  });

  it('takes no key before it can recognise the vendor', async () => {
    const slow = Promise.withResolvers<{ data: unknown }>();
    startApi().answer({ 'GET /api/channel/presets': () => slow.promise });
    renderConsole('/start', api);
    await waitFor(() => expect(api.made('GET /api/channel/presets')).toHaveLength(1));
    expect(screen.queryByLabelText(/^Key/)).toBeNull();
    slow.resolve({ data: [] });
    expect(await screen.findByLabelText(/^Key/)).toHaveFocus();
  });

  it('leaves the choice to the person for a key that several vendors may have issued', async () => {
    startApi();
    const { user } = await pasteKey('sk-plain');
    const provider = screen.getByRole('combobox', { name: /^Provider/ });
    expect(provider).toHaveValue('');
    expect(screen.getByRole('button', { name: 'Show the models' })).toBeDisabled();
    await user.type(provider, 'openai{Enter}');
    expect(await screen.findByRole('button', { name: 'Get the models from api.openai.com' })).toBeEnabled();
  });

  it('saves prices, adds and tests the channel, creates a token, and streams the answer with its receipt', async () => {
    startApi();
    const { user } = await findModels();
    expect(screen.getByText('$15.00 in · $75.00 out')).toBeVisible();
    expect(screen.getByLabelText('Input price of house, dollars per 1M tokens')).toHaveFocus();
    await user.keyboard('2{Tab}4');
    expect(screen.getByText('2 of 2 models will be offered. Prices per 1M tokens.')).toBeVisible();
    await user.click(go());
    expect(await screen.findByRole('group', { name: 'The answer' })).toHaveTextContent('Good morning');
    expect(await screen.findByRole('link', { name: 'See the cost' })).toHaveAttribute(
      'href',
      '/log?open=req-1',
    );
    expect(api.made('POST /api/pricing/sync/apply')[0]?.body).toMatchObject({
      items: [
        {
          model: 'house',
          entries: [
            { key: 'ModelRatio', listed: 1 },
            { key: 'CompletionRatio', listed: 2 },
          ],
        },
      ],
    });
    expect(api.made('POST /api/channel')[0]?.body).toMatchObject({
      type: 14,
      name: 'Anthropic 2',
      base_url: '',
      key: KEY,
      models: 'dear,house',
    });
    // The page chooses the least expensive model.
    expect(api.made('GET /api/channel/test/7')[0]?.query.get('model')).toBe('house');
    expect(api.made('POST /pg/chat/completions')[0]?.body).toMatchObject({ model: 'house', stream: true });
    expect(api.made('POST /api/token')[0]?.body).toEqual({ name: 'first', unlimited_quota: true });
  });

  it('stores a vendor without a type of its own with its address and preset', async () => {
    startApi();
    const { user } = await pasteKey('gsk_abc');
    await user.click(await screen.findByRole('button', { name: 'Get the models from api.groq.com' }));
    await screen.findByRole('list', { name: 'Models' });
    await user.click(go());
    await screen.findByRole('link', { name: 'See the cost' });
    const [made] = api.made('POST /api/channel').map(({ body }) => body as { settings: string });
    expect(made).toMatchObject({ type: 1, name: 'Groq', base_url: 'https://api.groq.com/openai' });
    expect(JSON.parse(made?.settings ?? '')).toMatchObject({ preset: 'groq' });
  });

  it('offers no model without a price, and marks prices that are no numbers', async () => {
    startApi();
    const { user } = await findModels();
    await user.keyboard('two');
    expect(screen.getByText('Enter dollars from 0 to 2,000,000')).toBeVisible();
    await user.click(go());
    await screen.findByRole('link', { name: 'See the cost' });
    expect(api.made('POST /api/pricing/sync/apply')).toEqual([]);
    expect(api.made('POST /api/channel')[0]?.body).toMatchObject({ models: 'dear' });
  });

  it('takes the list prices with one press', async () => {
    startApi().answer({
      'POST /api/pricing/lookup': {
        data: [{ ...HOUSE, list_input: 3, list_output: 15 }],
        members: { may_set: true },
      },
    });
    const { user } = await findModels();
    await user.click(screen.getByRole('button', { name: 'Use 1 list price' }));
    expect(screen.getByLabelText('Output price of house, dollars per 1M tokens')).toHaveValue('15');
  });

  it('asks for no price in self-use mode', async () => {
    startApi({ selfUse: true });
    const { user } = await findModels();
    expect(screen.queryByLabelText(/^Input price/)).toBeNull();
    await user.click(go());
    await screen.findByRole('link', { name: 'See the cost' });
    expect(api.made('POST /api/channel')[0]?.body).toMatchObject({ models: 'dear,house' });
    expect(api.made('POST /api/pricing/sync/apply')).toEqual([]);
  });

  it('leaves prices to root where the administrator may not set them', async () => {
    startApi({ maySet: false });
    await findModels();
    expect(screen.getByText('1 model has no price and is not offered. Ask root to set it.')).toBeVisible();
    expect(screen.queryByLabelText(/^Input price/)).toBeNull();
  });

  it('shows why a test failed, and goes on with the same channel after a correction', async () => {
    startApi().answer({ 'GET /api/channel/test/7': { refused: 'The upstream answered 401: bad key' } });
    const { user } = await findModels();
    await user.click(go());
    expect(await screen.findByText('The upstream answered 401: bad key')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Open the channel' })).toHaveAttribute('href', '/channel/edit/7');
    expect(api.made('POST /api/token')).toEqual([]);
    api.answer({ 'GET /api/channel/test/7': { data: undefined, members: { answer: 'ok', time: 0.2 } } });
    await user.click(go());
    await screen.findByRole('link', { name: 'See the cost' });
    expect(api.made('POST /api/channel')).toHaveLength(1);
    expect(api.made('PUT /api/channel')[0]?.body).toMatchObject({ id: 7, key: KEY });
  });

  it('forgets the models when the key changes, so that they belong to the key that is shown', async () => {
    startApi();
    const { user } = await findModels();
    await user.type(screen.getByLabelText(/^Key/), 'x');
    expect(screen.queryByRole('list', { name: 'Models' })).toBeNull();
  });

  it('shows the refusal of the provider, and offers the usual models instead', async () => {
    startApi().answer({ 'POST /api/channel/fetch_models': { refused: 'Incorrect API key' } });
    const { user } = await pasteKey();
    await user.click(await screen.findByRole('button', { name: /^Get the models/ }));
    expect(await screen.findByText('Incorrect API key')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Fill in the usual models' }));
    const list = await screen.findByRole('list', { name: 'Models' });
    expect(within(list).getAllByRole('listitem')).toHaveLength(2);
    expect(api.made('POST /api/pricing/lookup')[0]?.body).toEqual({ models: ['claude-usual'] });
  });
});

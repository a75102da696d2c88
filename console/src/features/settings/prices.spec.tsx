import { afterEach, describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { aStatus, NOON } from '../../testing/builders';
import { FakeApi, type Routes } from '../../testing/fake-api';
import { renderElement } from '../../testing/render';
import type { OptionTexts } from './api';
import { PriceSection } from './price-section';

let api: FakeApi;
afterEach(() => api.stop());

const stored: Record<string, string> = {
  ModelRatio: '{"gpt-4o":1.25,"gpt-4o-mini":0.075}',
  CompletionRatio: '{"gpt-4o":4}',
  ModelPrice: '{"dall-e-3":0.04}',
  CacheRatio: '{"gpt-4o":0.5}',
  GroupRatio: '{"vip":0.8,"default":1}',
  UserUsableGroups: '{"default":"Default group"}',
  'tool_price_setting.prices': '{"web_search":10}',
};

const preview = {
  days: 7,
  calls: 12,
  charged: 900_000,
  before: 1_000_000,
  after: 1_250_000,
  written_off: 0,
  repriced_calls: 8,
  refused: { calls: 0, models: [] },
  not_repriced: { no_price: 1, unknown_size: 0, unreadable: 0 },
  is_complete: true,
  models: [
    { model: 'gpt-4o', group: 'default', calls: 8, charged: 900_000, before: 1_000_000, after: 1_250_000 },
  ],
  users: [{ user_id: 2, username: 'ada', calls: 8, charged: 900_000, before: 1_000_000, after: 1_250_000 }],
};

function pricesApi(routes: Routes = {}): FakeApi {
  api = new FakeApi({
    'GET /api/status': { data: aStatus() },
    'GET /api/channel/models_enabled': { data: ['gpt-4o', 'new-model', 'other-model'] },
    'POST /api/pricing/preview': { data: preview },
    'PUT /api/option': { data: null },
    ...routes,
  });
  return api;
}

/** The section alone: the page around it has a hundred more fields. */
function renderPrices(path: string, texts: OptionTexts = stored) {
  api.start();
  return renderElement(<PriceSection texts={texts} />, path);
}

/** The switch beside the prices, as it is remembered for the account. */
const showRatios = () => localStorage.setItem('show-ratios-0', 'true');

const saved = () =>
  api.made('PUT /api/option').map((call) => (call.body as { readonly changes: unknown }).changes);

describe('prices', () => {
  it('shows four decimals of a ratio, and the exact one on hover', async () => {
    showRatios();
    pricesApi();
    const { user } = renderPrices('/setting', { ModelRatio: '{"gpt-4o":3.33333333333}' });
    await user.hover(await screen.findByText('3.3333'));
    expect(await screen.findByRole('tooltip', { name: '3.33333333333' })).toBeVisible();
  });

  it('has prices in money with the decimals of their column, and no ratio until it is wanted', async () => {
    pricesApi();
    const { user } = renderPrices('/setting');
    expect(await screen.findByRole('cell', { name: '$2.50' })).toBeVisible();
    expect(screen.getByRole('cell', { name: '$0.15' })).toBeVisible();
    expect(screen.getByRole('cell', { name: '$10.00' })).toBeVisible();
    expect(screen.queryByRole('columnheader', { name: 'Ratio' })).toBeNull();
    await user.click(screen.getByRole('switch', { name: 'Show ratios and quota' }));
    expect(screen.getByRole('columnheader', { name: 'Ratio' })).toBeVisible();
  });

  it('has the models that channels serve first', async () => {
    pricesApi({ 'GET /api/channel/models_enabled': { data: ['zeta'] } });
    renderPrices('/prices', { ModelRatio: '{"alpha":1,"zeta":2}' });
    await waitFor(() =>
      expect(
        screen.getAllByRole('checkbox', { name: /^Select (?!all)/ }).map((box) => box.ariaLabel),
      ).toEqual(['Select zeta', 'Select alpha']),
    );
  });

  it('turns dollars into ratios, shows what it would have meant, and stores all of it at once', async () => {
    pricesApi();
    const { user } = renderPrices('/setting?prices=unset_models');
    await user.click((await screen.findAllByRole('button', { name: 'Set price' }))[0] as HTMLElement);
    const dialog = await screen.findByRole('dialog', { name: /^Price of (?!a model)/ });
    await user.type(within(dialog).getByLabelText(/^Input/), '3');
    await user.type(within(dialog).getByLabelText(/^Output/), '15');
    expect(within(dialog).queryByText(/^Ratio/)).toBeNull();
    await user.click(within(dialog).getByRole('button', { name: 'Apply' }));
    expect(saved()).toEqual([]);
    expect(await screen.findByText('Not saved yet: Model ratio, Completion ratio')).toBeVisible();
    await user.click(await screen.findByRole('button', { name: 'Preview and save' }));
    const review = await screen.findByRole('dialog', { name: /^Review new prices/ });
    await user.type(within(review).getByLabelText(/^Reason/), 'list of May');
    expect(await within(review).findByText('(+25.0%)')).toBeVisible();
    expect(within(review).getByText('8 of 12')).toBeVisible();
    expect(
      within(review).getByText('1 call to a model without a price is counted as unchanged.'),
    ).toBeVisible();
    expect(within(review).getByRole('cell', { name: 'ada' })).toBeVisible();
    const output = within(review).getByRole('table', { name: 'Output, $ per 1M tokens' });
    expect(within(output).getByRole('cell', { name: '$15.00' })).toBeVisible();
    await user.click(within(review).getByRole('switch', { name: 'Show ratios and quota' }));
    expect(within(review).getByRole('table', { name: 'Completion ratio' })).toBeVisible();
    const changes = [
      { key: 'ModelRatio', value: '{"gpt-4o":1.25,"gpt-4o-mini":0.075,"new-model":1.5}' },
      { key: 'CompletionRatio', value: '{"gpt-4o":4,"new-model":5}' },
    ];
    expect(api.made('POST /api/pricing/preview').map((call) => call.body)).toEqual([{ changes, days: 7 }]);
    await user.click(within(review).getByRole('button', { name: 'Save prices' }));
    expect(await screen.findByText('Prices saved')).toBeVisible();
    expect(saved()).toEqual([changes]);
    expect(api.made('PUT /api/option')[0]?.body).toMatchObject({ note: 'list of May' });
    expect(screen.queryByRole('region', { name: 'Changed prices' })).toBeNull();
  });

  it('shows what the built-in ratios would mean before they are put back', async () => {
    pricesApi({ 'POST /api/option/rest_model_ratio': { data: null } });
    const { user } = renderPrices('/setting?prices=model');
    await user.click(await screen.findByRole('button', { name: 'Reset model ratios' }));
    const review = await screen.findByRole('dialog', { name: /^Reset the model ratios/ });
    expect(within(review).getByText(/your own entries in it are lost/)).toBeVisible();
    expect(await within(review).findByText('(+25.0%)')).toBeVisible();
    expect(api.made('POST /api/pricing/preview')[0]?.body).toEqual({ reset: true, days: 7 });
    expect(api.made('POST /api/option/rest_model_ratio')).toEqual([]);
    await user.click(within(review).getByRole('button', { name: 'Save prices' }));
    await waitFor(() => expect(api.made('POST /api/option/rest_model_ratio')).toHaveLength(1));
  });

  it('names the models that lose their price, and does not call that no change', async () => {
    const gone = { calls: 8, charged: 900_000, before: 1_000_000, after: 0 };
    pricesApi({
      'POST /api/pricing/preview': {
        data: {
          ...preview,
          ...gone,
          calls: 12,
          repriced_calls: 0,
          refused: { calls: 8, models: [{ model: 'gpt-4o', calls: 8, before: 1_000_000 }] },
          models: [{ model: 'gpt-4o', group: 'default', ...gone }],
          users: [{ user_id: 2, username: 'ada', ...gone }],
        },
      },
    });
    const { user } = renderPrices('/setting?prices=tools');
    await user.click(await screen.findByRole('button', { name: 'Remove Web search' }));
    await user.click(await screen.findByRole('button', { name: 'Preview and save' }));
    const review = await screen.findByRole('dialog', { name: /^Review new prices/ });
    const warning = await within(review).findByRole('alert');
    expect(warning).toHaveTextContent('8 calls would be refused');
    expect(within(warning).getByText('gpt-4o: 8 calls')).toBeVisible();
    expect(within(review).getByText('(−100.0%)')).toBeVisible();
    expect(within(review).getByRole('cell', { name: 'ada' })).toBeVisible();
    expect(within(review).queryByText(/^No call in this period/)).toBeNull();
  });

  it('looks at as many days as are chosen', async () => {
    pricesApi();
    const { user } = renderPrices('/setting?prices=tools');
    await user.click(await screen.findByRole('button', { name: 'Remove Web search' }));
    await user.click(await screen.findByRole('button', { name: 'Preview and save' }));
    await user.click(await screen.findByRole('combobox', { name: 'Period' }));
    await user.click(await screen.findByRole('option', { name: 'Last 30 days' }));
    await waitFor(() =>
      expect(api.made('POST /api/pricing/preview').at(-1)?.body).toEqual({
        changes: [{ key: 'tool_price_setting.prices', value: '{}' }],
        days: 30,
      }),
    );
  });

  it('saves although the effect could not be worked out, and shows why a change was refused', async () => {
    pricesApi({
      'POST /api/pricing/preview': { refused: 'Another preview is running' },
      'PUT /api/option': { refused: 'Group vip is in use' },
    });
    const { user } = renderPrices('/setting?prices=groups');
    await user.click(await screen.findByRole('button', { name: 'Remove group vip' }));
    await user.click(await screen.findByRole('button', { name: 'Preview and save' }));
    const review = await screen.findByRole('dialog', { name: /^Review new prices/ });
    expect(await within(review).findByText(/Another preview is running/)).toBeVisible();
    await user.click(within(review).getByRole('button', { name: 'Save prices' }));
    expect(await within(review).findByText('Group vip is in use')).toBeVisible();
    expect(screen.getByText('Not saved yet: Group ratio', { exact: false })).toBeVisible();
  });

  it('prices many models at once and keeps factors that were not typed', async () => {
    showRatios();
    pricesApi();
    const { user } = renderPrices('/setting');
    await screen.findByRole('checkbox', { name: 'Select gpt-4o' });
    expect(screen.queryByRole('button', { name: 'Set prices' })).toBeNull();
    await user.click(screen.getByRole('checkbox', { name: 'Select gpt-4o' }));
    await user.click(screen.getByRole('checkbox', { name: 'Select gpt-4o-mini' }));
    await user.click(screen.getByRole('button', { name: 'Set prices' }));
    const dialog = await screen.findByRole('dialog', { name: 'Price of 2 models' });
    await user.click(within(dialog).getByRole('button', { name: 'Ratios' }));
    await user.type(within(dialog).getByLabelText('Ratio'), '2');
    await user.click(within(dialog).getByRole('button', { name: 'Apply' }));
    expect(
      await within(dialog).findByText('Please enter both the input and the output figure'),
    ).toBeVisible();
    await user.type(within(dialog).getByLabelText('Output factor'), '3');
    await user.click(within(dialog).getByRole('button', { name: 'Apply' }));
    await user.click(await screen.findByRole('button', { name: 'Preview and save' }));
    await user.click(await screen.findByRole('button', { name: 'Save prices' }));
    await waitFor(() => expect(saved()).toHaveLength(1));
    expect(saved()[0]).toEqual([
      { key: 'ModelRatio', value: '{"gpt-4o":2,"gpt-4o-mini":2}' },
      { key: 'CompletionRatio', value: '{"gpt-4o":3,"gpt-4o-mini":3}' },
    ]);
  });

  it('converts between dollars and ratios, and refuses a name that has a price', async () => {
    showRatios();
    pricesApi();
    const { user } = renderPrices('/setting');
    await user.click(await screen.findByRole('button', { name: 'Edit price of gpt-4o' }));
    const dialog = await screen.findByRole('dialog', { name: 'Price of gpt-4o' });
    expect(within(dialog).queryByLabelText('Model')).toBeNull();
    expect(within(dialog).getByLabelText(/^Input/)).toHaveValue(2.5);
    await user.click(within(dialog).getByRole('button', { name: 'Ratios' }));
    expect(within(dialog).getByLabelText('Ratio')).toHaveValue(1.25);
    await user.clear(within(dialog).getByLabelText('Ratio'));
    await user.type(within(dialog).getByLabelText('Ratio'), '5');
    await user.click(within(dialog).getByRole('button', { name: '$ per 1M' }));
    expect(within(dialog).getByLabelText(/^Input/)).toHaveValue(10);
    expect(within(dialog).getByLabelText(/^Output/)).toHaveValue(40);
    await user.click(within(dialog).getByRole('button', { name: 'Per call' }));
    expect(within(dialog).getByLabelText('$ per call')).toBeVisible();
    await user.click(within(dialog).getByRole('button', { name: 'Cancel' }));
    await user.click(await screen.findByRole('button', { name: 'Add a model' }));
    const empty = await screen.findByRole('dialog', { name: 'Price of a model' });
    await user.type(within(empty).getByLabelText('Model'), 'gpt-4o');
    await user.click(within(empty).getByRole('button', { name: 'Apply' }));
    expect(await within(empty).findByText('This model already has a price')).toBeVisible();
    expect(within(empty).getByText('Please enter a number of at least 0')).toBeVisible();
  });

  it('writes groups: default first, offered ones with a description', async () => {
    pricesApi();
    const { user } = renderPrices('/setting?prices=groups');
    await user.click(await screen.findByRole('switch', { name: 'Offer vip to users' }));
    const ratio = screen.getByRole('spinbutton', { name: 'Ratio of vip' });
    await user.clear(ratio);
    await user.type(ratio, '0.7');
    await user.type(screen.getByRole('textbox', { name: 'Group name' }), 'default');
    expect(screen.getByText('This name already exists')).toBeVisible();
    await user.click(await screen.findByRole('button', { name: 'Preview and save' }));
    await user.click(await screen.findByRole('button', { name: 'Save prices' }));
    await waitFor(() => expect(saved()).toHaveLength(1));
    expect(saved()[0]).toEqual([
      { key: 'GroupRatio', value: '{"vip":0.7,"default":1}' },
      { key: 'UserUsableGroups', value: '{"default":"Default group","vip":"vip"}' },
    ]);
  });

  it('shows what a version changed and rolls it back after a preview', async () => {
    const version = {
      id: 4,
      created_at: NOON,
      actor_id: 1,
      actor: 'root',
      source: 'edit',
      note: '',
      keys: ['ModelRatio'],
    };
    pricesApi({
      'GET /api/pricing/versions': {
        data: [version, { ...version, id: 3, source: 'sync', note: 'list of May' }],
      },
      'GET /api/pricing/versions/4': {
        data: {
          ...version,
          changes: [
            {
              key: 'ModelRatio',
              old_value: null,
              new_value: '{}',
              entries: [{ name: 'gpt-4o', old_value: '1.25', new_value: '5' }],
            },
          ],
        },
      },
      'POST /api/pricing/versions/4/rollback': { data: ['ModelRatio'] },
    });
    const { user } = renderPrices('/setting?prices=versions');
    const list = await screen.findByRole('list', { name: 'Price versions' });
    expect(within(list).getByText('list of May')).toBeVisible();
    await user.click((await screen.findAllByRole('button', { name: 'Show changes' }))[0] as HTMLElement);
    expect(await screen.findByRole('cell', { name: '$2.50' })).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Undo this change' }));
    const review = await screen.findByRole('dialog', { name: /^Undo version 4/ });
    await user.type(within(review).getByLabelText(/^Reason/), 'typo');
    await user.click(within(review).getByRole('button', { name: 'Roll back' }));
    await waitFor(() => expect(api.made('POST /api/pricing/versions/4/rollback')).toHaveLength(1));
    expect(api.made('POST /api/pricing/preview')[0]?.body).toEqual({ version_id: 4, to: 'before', days: 7 });
    expect(api.made('POST /api/pricing/versions/4/rollback')[0]?.body).toEqual({
      to: 'before',
      note: 'typo',
    });
  });

  it('takes over what was picked of a published list', async () => {
    pricesApi({
      'POST /api/pricing/sync/diff': {
        data: {
          format: 'litellm',
          counts: { added: 1, changed: 1, same: 0, unsupported: 0 },
          providers: ['openai'],
          items: [
            {
              model: 'gpt-4o',
              provider: 'openai',
              state: 'changed',
              reason: '',
              entries: [{ key: 'ModelRatio', current: 1.25, listed: 1 }],
            },
            {
              model: 'gpt-9',
              provider: 'openai',
              state: 'added',
              reason: '',
              entries: [{ key: 'ModelRatio', current: null, listed: 3 }],
            },
          ],
        },
      },
      'POST /api/pricing/sync/apply': { data: ['ModelRatio'] },
    });
    const { user } = renderPrices('/setting?prices=sync');
    await user.upload(
      await screen.findByLabelText('Choose a file', { selector: 'input' }),
      // The browser of these tests reads no files; the browser tests use a real one.
      Object.assign(new File([], 'prices.json', { type: 'application/json' }), {
        text: () => Promise.resolve('{"gpt-4o":{}}'),
      }),
    );
    await waitFor(() => expect(api.made('POST /api/pricing/sync/diff')).toHaveLength(1));
    expect(api.made('POST /api/pricing/sync/diff')[0]?.body).toEqual({
      document: '{"gpt-4o":{}}',
      url: '',
      providers: [],
    });
    await user.click(await screen.findByRole('button', { name: 'Use the address of models.dev' }));
    await user.click(screen.getByRole('button', { name: 'Compare' }));
    await waitFor(() => expect(api.made('POST /api/pricing/sync/diff')).toHaveLength(2));
    expect(api.made('POST /api/pricing/sync/diff')[1]?.body).toEqual({
      document: '',
      url: 'https://models.dev/api.json',
      providers: [],
    });
    expect(await screen.findByText(/litellm: 1 changed, 1 new/)).toBeVisible();
    await user.click(await screen.findByRole('checkbox', { name: 'Select gpt-4o' }));
    await user.click(await screen.findByRole('button', { name: 'Preview and save' }));
    const review = await screen.findByRole('dialog', { name: /^Use the price of 1 model/ });
    await user.click(within(review).getByRole('button', { name: 'Save prices' }));
    await waitFor(() => expect(api.made('POST /api/pricing/sync/apply')).toHaveLength(1));
    expect(api.made('POST /api/pricing/preview')[0]?.body).toEqual({
      changes: [{ key: 'ModelRatio', value: '{"gpt-4o":1,"gpt-4o-mini":0.075}' }],
      days: 7,
    });
    expect(api.made('POST /api/pricing/sync/apply')[0]?.body).toEqual({
      items: [{ model: 'gpt-4o', entries: [{ key: 'ModelRatio', listed: 1 }] }],
      note: '',
    });
  });

  it('edits what accounts of a group pay for single models', async () => {
    pricesApi();
    const { user } = renderPrices('/setting?prices=groups', {
      ...stored,
      GroupModelRatio: '{"vip":{"gpt-4*":0.5}}',
    });
    const part = await screen.findByRole('region', { name: 'Factors by account group and model' });
    expect(within(part).getByLabelText('Factor of gpt-4* for vip')).toHaveValue(0.5);
    await user.type(within(part).getByRole('textbox', { name: 'Model or pattern' }), 'o3');
    await user.click(within(part).getByRole('button', { name: 'Add a factor' }));
    const added = await within(part).findByLabelText('Factor of o3 for default');
    await user.clear(added);
    await user.type(added, '0.75');
    await user.click(within(part).getByRole('button', { name: 'Remove the factor of gpt-4* for vip' }));
    await user.type(within(part).getByRole('textbox', { name: 'Model or pattern' }), 'o3');
    expect(within(part).getByText('This name already exists')).toBeVisible();
    await user.click(await screen.findByRole('button', { name: 'Preview and save' }));
    const review = await screen.findByRole('dialog', { name: /^Review new prices/ });
    await user.click(within(review).getByRole('button', { name: 'Save prices' }));
    await waitFor(() =>
      expect(saved()).toEqual([[{ key: 'GroupModelRatio', value: '{"default":{"o3":0.75}}' }]]),
    );
  });
});

import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { aStatus } from '../../testing/builders';
import { FakeApi } from '../../testing/fake-api';
import { renderConsole } from '../../testing/render';
import type { PriceEntry } from './api';
import { formatPrice, matching, priceIn, shownGroup } from './prices';

let api: FakeApi;
afterEach(() => api.stop());

function anEntry(parts: Partial<PriceEntry> = {}): PriceEntry {
  return {
    model_name: 'gpt-4o',
    quota_type: 0,
    model_ratio: 1.25,
    model_price: 0,
    owner_by: '',
    completion_ratio: 4,
    cache_ratio: 0.5,
    create_cache_ratio: 1,
    reasoning_ratio: 4,
    image_ratio: 1,
    image_completion_ratio: 4,
    audio_ratio: 1,
    audio_completion_ratio: 4,
    long_context: [],
    tool_prices: {},
    is_price_unset: false,
    enable_groups: ['default', 'vip'],
    supported_endpoint_types: ['openai'],
    vendor: 'OpenAI',
    ...parts,
  };
}

const PICTURE = anEntry({
  model_name: 'picture-1',
  quota_type: 1,
  model_ratio: 0,
  model_price: 0.04,
  completion_ratio: 0,
  enable_groups: ['vip'],
  vendor: 'Studio',
});

/** Priced by the fallback ratio: 37.5 × $2 = $75 per million tokens. */
const UNSET = anEntry({
  model_name: 'small-model',
  model_ratio: 37.5,
  completion_ratio: 1,
  is_price_unset: true,
  vendor: '',
  enable_groups: ['default'],
});

function pricingApi(
  entries: readonly PriceEntry[] = [anEntry(), PICTURE],
  ratios = { default: 1, vip: 0.8 },
): FakeApi {
  api = new FakeApi({
    'GET /api/status': { data: aStatus() },
    'GET /api/pricing': {
      data: entries,
      members: { group_ratio: ratios, usable_group: { default: 'Everybody', vip: 'VIP' }, revision: 1 },
    },
  });
  return api;
}

const rowOf = async (model: string) => within((await screen.findByText(model)).closest('tr') as HTMLElement);

describe('the price page', () => {
  it('shows guests the default group, and says so', async () => {
    pricingApi();
    renderConsole('/pricing', api, null);
    expect(
      await screen.findByText(/You are not logged in: prices are those of the default group, ratio 1/),
    ).toBeVisible();
    const row = await rowOf('gpt-4o');
    for (const text of ['OpenAI', 'By use', '$2.50', '$10.00', 'Available'])
      expect(row.getByText(text)).toBeVisible();
    const picture = await rowOf('picture-1');
    expect(picture.getByText('$0.04 per call')).toBeVisible();
    expect(picture.getByText('Not available')).toBeVisible();
  });

  it('shows members their own group, and others by a click on a group', async () => {
    pricingApi();
    const { user } = renderConsole('/pricing', api, { role: 1, group: 'vip' });
    expect(await screen.findByText(/Your group is vip, group ratio 0.8/)).toBeVisible();
    const row = await rowOf('gpt-4o');
    expect(row.getByText('$2.00')).toBeVisible();
    await user.click(row.getByRole('button', { name: 'Show prices for default' }));
    expect((await rowOf('gpt-4o')).getByText('$2.50')).toBeVisible();
    expect(screen.getByText(/These are the prices of the group default/)).toBeVisible();
  });

  it('shows ratios on demand', async () => {
    pricingApi();
    const { user } = renderConsole('/pricing', api, null);
    await rowOf('gpt-4o');
    expect(screen.queryByRole('columnheader', { name: 'Model ratio' })).toBeNull();
    await user.click(screen.getByRole('switch', { name: 'Show ratios' }));
    expect(await screen.findByRole('columnheader', { name: 'Model ratio' })).toBeVisible();
    expect((await rowOf('gpt-4o')).getByText('1.25')).toBeVisible();
  });

  it('finds models by any part of the name and narrows by vendor', async () => {
    pricingApi();
    const { user } = renderConsole('/pricing', api, null);
    await user.type(await screen.findByRole('searchbox'), 'PICT{Enter}');
    await waitFor(() => expect(screen.queryByText('gpt-4o')).toBeNull());
    expect(screen.getByText('picture-1')).toBeVisible();
    await user.click(screen.getByRole('button', { name: /Clear filter/ }));
    expect(await screen.findByText('gpt-4o')).toBeVisible();
  });

  it('does not search for a word that is still being composed', async () => {
    pricingApi();
    const { user, router } = renderConsole('/pricing', api, null);
    const search = await screen.findByRole('searchbox');
    fireEvent.compositionStart(search);
    await user.type(search, 'pict{Enter}');
    expect(router.state.location.search).toBe('');
    fireEvent.compositionEnd(search);
    await waitFor(() => expect(router.state.location.search).toBe('?keyword=pict'));
  });

  it('copies the names of the chosen models', async () => {
    pricingApi();
    const { user } = renderConsole('/pricing', api, null);
    const written = jest.spyOn(navigator.clipboard, 'writeText');
    await user.click(await screen.findByRole('checkbox', { name: 'Select gpt-4o' }));
    await user.click(screen.getByRole('checkbox', { name: 'Select picture-1' }));
    await user.click(screen.getByRole('button', { name: 'Copy selected models' }));
    await waitFor(() => expect(written).toHaveBeenCalledWith('gpt-4o,picture-1'));
  });

  it('shows one model in full: every group, long inputs, tools', async () => {
    pricingApi([
      anEntry({
        long_context: [{ above: 200_000, input: 2, output: 1.5 }],
        tool_prices: { web_search: 10, house_tool: 1 },
        service_tiers: { priority: 1.75 },
        picture_factors: [{ name: 'hd 1024x1792', ratio: 3 }],
      }),
    ]);
    const { user } = renderConsole('/pricing', api, null);
    await user.click(await screen.findByRole('button', { name: 'Details: gpt-4o' }));
    const drawer = within(await screen.findByRole('dialog', { name: 'gpt-4o' }));
    expect(drawer.getByRole('row', { name: 'Input $2.50 $2.00' })).toBeVisible();
    expect(drawer.getByRole('row', { name: 'Cached input $1.25 $1.00' })).toBeVisible();
    expect(drawer.getByText('Above 200,000 input tokens')).toBeVisible();
    expect(
      within(drawer.getByRole('region', { name: 'Classes of service' })).getByText('×1.75'),
    ).toBeVisible();
    const factors = within(drawer.getByRole('region', { name: 'Size and quality of pictures' }));
    expect(factors.getByText('hd 1024x1792')).toBeVisible();
    expect(factors.getByText('×3')).toBeVisible();
    expect(drawer.getByText('Web search')).toBeVisible();
    expect(drawer.getByText('house_tool')).toBeVisible();
  });

  it('marks models nobody set a price for', async () => {
    pricingApi([UNSET, anEntry()]);
    const { user, router } = renderConsole('/pricing', api, null);
    const row = await rowOf('small-model');
    expect(row.getByText('No price')).toBeVisible();
    expect(row.queryByText('Available')).toBeNull();
    expect(row.queryByText(/\$/)).toBeNull();
    await user.click(row.getByRole('button', { name: 'Details: small-model' }));
    const drawer = within(await screen.findByRole('dialog', { name: 'small-model' }));
    expect(drawer.getByText(/Nobody has set a price/)).toBeVisible();
    expect(drawer.getByText('$75.00 per 1M tokens')).toBeVisible();
    await act(() => router.navigate('/pricing?type=unset'));
    await waitFor(() => expect(screen.queryByText('gpt-4o')).toBeNull());
    expect(await screen.findByRole('button', { name: 'Clear filter Charged: No price' })).toBeVisible();
  });

  it('explains an empty list, and offers another try after a failure', async () => {
    pricingApi([]);
    renderConsole('/pricing', api, null);
    expect(await screen.findByText('No models yet')).toBeVisible();
    api.stop();
    pricingApi().answer({ 'GET /api/pricing': { refused: 'away', status: 500 } });
    renderConsole('/pricing', api, null);
    expect(await screen.findByText('The prices could not be loaded')).toBeVisible();
  });
});

describe('prices', () => {
  it('computes a price as ratio × 2 × group ratio, and output as that × completion ratio', () => {
    expect(priceIn(anEntry(), 0.8)).toEqual({ input: 2, output: 8, cacheRead: 1, cacheWrite: 2 });
    expect(priceIn(anEntry({ reasoning_ratio: 6 }), 1).reasoning).toBe(15);
    expect(priceIn(anEntry(), 1).reasoning).toBeUndefined();
    expect(priceIn(anEntry({ image_ratio: 2, image_completion_ratio: 8 }), 1)).toMatchObject({
      imageInput: 5,
      imageOutput: 20,
    });
    expect(priceIn(PICTURE, 0.5)).toEqual({ call: 0.02 });
    // What is agreed for the reader's own group replaces the factor of whatever group is shown.
    expect(priceIn({ ...PICTURE, account_group_ratio: 0 }, 0.5)).toEqual({ call: 0 });
    expect(priceIn(anEntry({ account_group_ratio: 0.4 }), 7)).toMatchObject({ input: 1, output: 4 });
    expect(priceIn(anEntry({ account_group_ratio: null }), 2)).toMatchObject({ input: 5 });
    expect(priceIn(anEntry({ audio_ratio: 8, audio_completion_ratio: 2 }), 1)).toMatchObject({
      audioInput: 20,
      audioOutput: 40,
    });
  });

  it('shows at most three decimals, and never a price that looks free', () => {
    expect([0, 2.5, 0.075, 1.23456, 1234, 0.0001234].map(formatPrice)).toEqual([
      '$0.00',
      '$2.50',
      '$0.075',
      '$1.235',
      '$1,234.00',
      '$0.00012',
    ]);
  });

  it('shows prices for the chosen group, else one’s own, else default', () => {
    expect(shownGroup(['default', 'vip'], 'vip', 'default')).toBe('vip');
    expect(shownGroup(['default', 'vip'], 'gone', 'vip')).toBe('vip');
    expect(shownGroup(['default', 'vip'], '', undefined)).toBe('default');
    expect(shownGroup(['team'], '', undefined)).toBe('team');
    expect(shownGroup([], '', undefined)).toBe('');
  });

  it('finds models by name, vendor and kind together', () => {
    const find = (filters: object) =>
      matching([anEntry(), PICTURE], { keyword: '', vendor: '', type: '', ...filters }).map(
        ({ model_name: name }) => name,
      );
    expect(find({ keyword: ' 4O ' })).toEqual(['gpt-4o']);
    expect(find({ vendor: 'Studio' })).toEqual(['picture-1']);
    expect(find({ type: 'call', vendor: 'OpenAI' })).toEqual([]);
  });

  it('knows the prices of the models that come first, and finds models by their lack', () => {
    const names = (type: string) =>
      matching([UNSET, anEntry()], { keyword: '', vendor: '', type }).map(({ model_name: name }) => name);
    expect(names('')).toEqual(['gpt-4o', 'small-model']);
    expect(names('unset')).toEqual(['small-model']);
    expect(names('use')).toEqual(['gpt-4o']);
    expect(priceIn(UNSET, 1)).toEqual({});
  });
});

import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { aStatus } from '../../testing/builders';
import { FakeApi } from '../../testing/fake-api';
import { renderConsole } from '../../testing/render';
import { aPriceEntry, PICTURE_PRICE, UNSET_PRICE } from '../../testing/price-entries';
import type { PriceEntry } from './api';

let api: FakeApi;
afterEach(() => api.stop());

function pricingApi(
  entries: readonly PriceEntry[] = [aPriceEntry(), PICTURE_PRICE],
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
  it('shows guests the default group, and names it', async () => {
    pricingApi();
    renderConsole('/pricing', api, null);
    expect(
      await screen.findByText(/You are not logged in: prices are those of the default group, ratio 1/),
    ).toBeVisible();
    const row = await rowOf('gpt-4o');
    for (const text of ['OpenAI', 'Pay as you go', '$2.50', '$10.00', 'Available'])
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
    expect(screen.getByText(/These are the prices of group default/)).toBeVisible();
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
      aPriceEntry({
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
    expect(within(drawer.getByRole('region', { name: 'Service tiers' })).getByText('×1.75')).toBeVisible();
    const factors = within(drawer.getByRole('region', { name: 'Image size and quality' }));
    expect(factors.getByText('hd 1024x1792')).toBeVisible();
    expect(factors.getByText('×3')).toBeVisible();
    expect(drawer.getByText('Web search')).toBeVisible();
    expect(drawer.getByText('house_tool')).toBeVisible();
  });

  it('marks models without a price', async () => {
    pricingApi([UNSET_PRICE, aPriceEntry()]);
    const { user, router } = renderConsole('/pricing', api, null);
    const row = await rowOf('small-model');
    expect(row.getByText('No price')).toBeVisible();
    expect(row.queryByText('Available')).toBeNull();
    expect(row.queryByText(/\$/)).toBeNull();
    await user.click(row.getByRole('button', { name: 'Details: small-model' }));
    const drawer = within(await screen.findByRole('dialog', { name: 'small-model' }));
    expect(drawer.getByText(/This model has no price yet/)).toBeVisible();
    expect(drawer.getByText('$75.00 per 1M tokens')).toBeVisible();
    await act(() => router.navigate('/pricing?type=unset'));
    await waitFor(() => expect(screen.queryByText('gpt-4o')).toBeNull());
    expect(await screen.findByRole('button', { name: 'Clear filter Billing: No price' })).toBeVisible();
  });

  it('explains an empty list, and offers another try after a failure', async () => {
    pricingApi([]);
    renderConsole('/pricing', api, null);
    expect(await screen.findByText('No models yet')).toBeVisible();
    api.stop();
    pricingApi().answer({ 'GET /api/pricing': { refused: 'away', status: 500 } });
    renderConsole('/pricing', api, null);
    expect(await screen.findByText('Could not load the prices')).toBeVisible();
  });
});

import { afterEach, describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { aStatus } from '../../testing/builders';
import { FakeApi } from '../../testing/fake-api';
import { renderElement } from '../../testing/render';
import { PriceSection } from './price-section';

let api: FakeApi;
afterEach(() => api.stop());

const stored = {
  ModelRatio: '{"gpt-4o":1.25}',
  CompletionRatio: '{"gpt-4o":4}',
  CacheRatio: '{"gpt-4o":0.5}',
};

function renderPrices(path: string) {
  api = new FakeApi({
    'GET /api/status': { data: aStatus() },
    'GET /api/channel/models_enabled': { data: ['gpt-4o'] },
    'POST /api/pricing/preview': { refused: 'Another preview is running' },
    'PUT /api/option': { data: null },
  });
  api.start();
  return renderElement(<PriceSection texts={stored} />, path);
}

const saved = () =>
  api.made('PUT /api/option').map((call) => (call.body as { readonly changes: unknown }).changes);

describe('the dialog of a price', () => {
  it('takes the prices of cached tokens and sound in dollars, and stores their factors', async () => {
    const { user } = renderPrices('/prices');
    await user.click(await screen.findByRole('button', { name: 'Edit price of gpt-4o' }));
    const dialog = await screen.findByRole('dialog', { name: 'Price of gpt-4o' });
    const read = within(dialog).getByLabelText('Cache read');
    expect(read).toHaveValue(1.25);
    await user.clear(read);
    await user.type(read, '0.25');
    await user.type(within(dialog).getByLabelText('Audio input'), '40');
    await user.type(within(dialog).getByLabelText('Audio output'), '80');
    await user.clear(within(dialog).getByLabelText(/^Input, /));
    await user.type(within(dialog).getByLabelText(/^Input, /), '0');
    await user.clear(within(dialog).getByLabelText(/^Output, /));
    await user.click(within(dialog).getByRole('button', { name: 'Apply' }));
    expect(
      await within(dialog).findAllByText('The input price must be above 0 when other prices are set'),
    ).toHaveLength(3);
    await user.clear(within(dialog).getByLabelText(/^Input, /));
    await user.type(within(dialog).getByLabelText(/^Input, /), '2.5');
    await user.type(within(dialog).getByLabelText(/^Output, /), '10');
    await user.click(within(dialog).getByRole('button', { name: 'Apply' }));
    await user.click(await screen.findByRole('button', { name: 'Preview and save' }));
    await user.click(await screen.findByRole('button', { name: 'Save prices' }));
    await waitFor(() => expect(saved()).toHaveLength(1));
    expect(saved()[0]).toEqual([
      { key: 'CacheRatio', value: '{"gpt-4o":0.1}' },
      { key: 'AudioRatio', value: '{"gpt-4o":16}' },
      { key: 'AudioCompletionRatio', value: '{"gpt-4o":2}' },
    ]);
  });
});

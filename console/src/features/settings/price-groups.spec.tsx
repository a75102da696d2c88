import { afterEach, describe, expect, it } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import { aStatus } from '../../testing/builders';
import { FakeApi } from '../../testing/fake-api';
import { renderElement } from '../../testing/render';
import { PriceSection } from './price-section';

let api: FakeApi;
afterEach(() => api.stop());

describe('groups on the page of prices', () => {
  it('opens the limits of a saved group: of its accounts, and of the calls in it', async () => {
    api = new FakeApi({
      'GET /api/status': { data: aStatus() },
      'GET /api/channel/models_enabled': { data: [] },
      'GET /api/limits': { data: { items: [], total: 0, page: 1, page_size: 100 } },
      'GET /api/limits/rights': {
        data: { scopes: ['group', 'call_group'], time_zone: 'UTC', binding: true },
      },
    });
    api.start();
    const texts = { GroupRatio: '{"vip":0.8,"default":1}', UserUsableGroups: '{}' };
    const { user } = renderElement(<PriceSection texts={texts} />, '/setting?prices=groups');
    await user.type(await screen.findByRole('textbox', { name: 'Group name' }), 'new');
    await user.click(screen.getByRole('button', { name: 'Add a group' }));
    expect(await screen.findByRole('button', { name: 'Limits of group new' })).toBeDisabled();
    await user.click(screen.getByRole('button', { name: 'Limits of group vip' }));
    const drawer = within(await screen.findByRole('dialog', { name: 'Limits of group vip' }));
    expect(await drawer.findByRole('region', { name: 'Group vip' })).toBeVisible();
    const calls = within(await drawer.findByRole('region', { name: 'Calls in group vip' }));
    await user.click(calls.getByRole('button', { name: 'Add limit' }));
    const form = within(await screen.findByRole('dialog', { name: 'Add limit' }));
    expect(form.queryByRole('combobox', { name: 'Applies to' })).toBeNull();
    const asked = api
      .made('GET /api/limits')
      .map(({ query }) => `${query.get('scope')} ${query.get('subject')}`);
    expect(new Set(asked)).toEqual(new Set(['group vip', 'call_group vip']));
  });
});

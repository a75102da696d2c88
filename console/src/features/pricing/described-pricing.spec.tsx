import { afterEach, expect, it, jest } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import { aStatus } from '../../testing/builders';
import { FakeApi } from '../../testing/fake-api';
import { renderConsole } from '../../testing/render';

let api: FakeApi;
afterEach(() => {
  api.stop();
  jest.restoreAllMocks();
});

it('copies the name of a model by a click', async () => {
  const entry = {
    model_name: 'gpt-4o',
    quota_type: 0,
    model_ratio: 1.25,
    model_price: 0,
    completion_ratio: 4,
    long_context: [],
    tool_prices: {},
    enable_groups: ['default'],
    supported_endpoint_types: ['openai'],
    vendor: 'OpenAI',
  };
  api = new FakeApi({
    'GET /api/status': { data: aStatus() },
    'GET /api/pricing': {
      data: [entry],
      members: { group_ratio: { default: 1 }, usable_group: { default: 'Everybody' }, revision: 1 },
    },
  });
  const { user } = renderConsole('/pricing', api, null);
  const name = await screen.findByRole('button', { name: 'Copy gpt-4o' });
  const written = jest.spyOn(navigator.clipboard, 'writeText');
  await user.click(name);
  await waitFor(() => expect(written).toHaveBeenCalledWith('gpt-4o'));
});

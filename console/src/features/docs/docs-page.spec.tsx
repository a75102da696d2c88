import { afterEach, describe, expect, it } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import { aStatus, aToken } from '../../testing/builders';
import { FakeApi } from '../../testing/fake-api';
import { renderConsole } from '../../testing/render';

const GUIDE =
  '# First call\n\nSend:\n\n```sh\ncurl -H "Bearer YOUR_API_KEY" -d YOUR_MODEL\n```\n\n| A | B |\n|---|---|\n| 1 | 2 |';

let api: FakeApi;
afterEach(() => api.stop());

function docsApi(tokens: readonly unknown[] = []): FakeApi {
  api = new FakeApi({
    'GET /api/status': { data: aStatus() },
    'GET /api/notice': { data: '' },
    'GET /api/pricing': { data: [] },
    'GET /api/user/models': { data: ['model-x'] },
    'GET /api/token': { data: tokens },
    'GET /docs/start.md': () => ({ response: new Response(GUIDE) }),
  });
  return api;
}

const code = async (): Promise<string> =>
  within(await screen.findByRole('article')).getByText(/^curl/).textContent;

describe('guides', () => {
  it('show guests the placeholders, and no switch for a key', async () => {
    renderConsole('/docs', docsApi(), null);
    expect(await code()).toBe('curl -H "Bearer YOUR_API_KEY" -d YOUR_MODEL');
    expect(screen.queryByRole('button', { name: 'Show with my key' })).not.toBeInTheDocument();
    expect(api.made('GET /docs/start.md')[0]?.query.get('lang')).toBe('en');
    expect(api.made('GET /api/token')).toEqual([]);
  });

  it('fill in the key of the newest token that works, when the reader wants it', async () => {
    const tokens = [
      aToken({ id: 1, key: 'disabled', status: 2 }),
      aToken({ id: 2, key: 'works', status: 1 }),
    ];
    const { user } = renderConsole('/docs', docsApi(tokens));
    expect(await code()).toContain('YOUR_API_KEY');
    expect(api.made('GET /api/token')).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Show with my key' }));
    expect(await screen.findByText(/Bearer sk-works/)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Hide my key' }));
    expect(await code()).toContain('YOUR_API_KEY');
  });

  it('lead to a new token when the account has none', async () => {
    const { user } = renderConsole('/docs', docsApi());
    await user.click(await screen.findByRole('button', { name: 'Show with my key' }));
    expect(await screen.findByRole('link', { name: 'Create a token' })).toHaveAttribute(
      'href',
      '/token?edit=new',
    );
  });
});

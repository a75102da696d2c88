import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import { aStatus } from '../../testing/builders';
import { FakeApi } from '../../testing/fake-api';
import { renderConsole } from '../../testing/render';
import { FakeTurnstile } from '../../testing/turnstile';

let api: FakeApi;
afterEach(() => {
  api.stop();
  jest.restoreAllMocks();
});

function openReset() {
  api = new FakeApi({
    'GET /api/status': { data: aStatus({ turnstile_check: true, turnstile_site_key: 'site' }) },
    'GET /api/reset_password': { data: null },
  });
  return renderConsole('/reset', api, null);
}

describe('human check', () => {
  it('reports that the service cannot be reached, and tries again when asked to', async () => {
    const asked: string[] = [];
    jest.spyOn(document.head, 'append').mockImplementation((script) => {
      if (!(script instanceof HTMLScriptElement)) return;
      asked.push(script.src);
      queueMicrotask(() => script.onerror?.(new Event('error')));
    });
    const { user } = openReset();
    expect(await screen.findByText(/Could not load the human check/)).toBeVisible();
    expect(asked).toEqual(['https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit']);
    const check = new FakeTurnstile();
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    await waitFor(() => expect(check.rendered).toHaveLength(1));
    check.remove();
  });

  it('forgets a proof that ran out (it is worth nothing to the server)', async () => {
    const check = new FakeTurnstile();
    const { user } = openReset();
    await user.type(await screen.findByLabelText('Email'), 'ada@mail.example');
    await waitFor(() => expect(check.rendered).toHaveLength(1));
    check.solve('proof');
    check.expire();
    await user.click(screen.getByRole('button', { name: 'Send the link' }));
    expect(await screen.findByText(/checking the environment/)).toBeVisible();
    expect(api.made('GET /api/reset_password')).toEqual([]);
    check.remove();
  });
});

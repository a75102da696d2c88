import { afterEach, describe, expect, it } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import { aSelf, aStatus } from '../../testing/builders';
import { FakeApi } from '../../testing/fake-api';
import { renderConsole } from '../../testing/render';

let api: FakeApi;
afterEach(() => api.stop());

const OFF = { enabled: false, available: true, address: 'ada@example.test', next_at: null };

function personalApi(email: object): void {
  api = new FakeApi({
    'GET /api/status': { data: aStatus() },
    'GET /api/user/self': { data: aSelf() },
    'GET /api/user/self/weekly_email': { data: email },
    'PUT /api/user/self/weekly_email': { data: { ...OFF, enabled: true, next_at: 1_700_000_000 } },
    'PUT /api/user/setting': { data: null },
  });
}
const theSwitch = () => screen.findByRole('switch', { name: 'Send a weekly summary' });

describe('the switch of the weekly e-mail', () => {
  it('switches it on in the language of the reader', async () => {
    personalApi(OFF);
    const { user } = renderConsole('/personal?tab=notifications', api);
    expect(await screen.findByText('It is sent to ada@example.test.')).toBeVisible();
    await user.click(await theSwitch());
    expect(await screen.findByText('Weekly email turned on')).toBeVisible();
    expect(api.made('PUT /api/user/setting')[0]?.body).toEqual({ language: 'en' });
    expect(api.made('PUT /api/user/self/weekly_email')[0]?.body).toEqual({ enabled: true });
  });

  it.each([
    [{ ...OFF, available: false }, /Not available/],
    [{ ...OFF, address: '' }, /Bind an email address/],
  ])('says why it cannot be switched on', async (email, reason) => {
    personalApi(email);
    renderConsole('/personal?tab=notifications', api);
    expect(await screen.findByText(reason)).toBeVisible();
    await waitFor(async () => expect(await theSwitch()).toBeDisabled());
  });
});

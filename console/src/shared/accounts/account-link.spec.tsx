import { afterEach, describe, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { aStatus, aUser } from '../../testing/builders';
import { FakeApi, pageOf } from '../../testing/fake-api';
import { renderConsole } from '../../testing/render';

let api: FakeApi;
afterEach(() => api.stop());

const CODES = [
  { id: 5, user_id: 1, used_user_id: 7 },
  { id: 6, user_id: 1, used_user_id: 3 },
].map((code) => ({
  ...code,
  name: `code ${code.id}`,
  key: '',
  status: 3,
  quota: 1,
  created_time: 1,
  redeemed_time: 2,
  expired_time: 0,
  count: 0,
  DeletedAt: null,
}));

/** Account 3 is an administrator, 7 an ordinary one. */
function listOfCodes(role: number): void {
  api = new FakeApi({
    'GET /api/status': { data: aStatus() },
    'GET /api/redemption/search': pageOf(CODES),
    'GET /api/user/search': pageOf([aUser({ id: 3, role: 10 })]),
  });
  renderConsole('/redemption', api, { role });
}

describe('the name of an account', () => {
  it('leads administrators to accounts they may open, and is plain text for others', async () => {
    listOfCodes(10);
    expect(await screen.findByRole('link', { name: '#7' })).toHaveAttribute('href', '/user/7');
    expect(screen.getByText('#3')).toBeVisible();
    expect(screen.queryByRole('link', { name: '#3' })).toBeNull();
  });

  it('leads root to every account, without a list of administrators', async () => {
    listOfCodes(100);
    expect(await screen.findByRole('link', { name: '#3' })).toHaveAttribute('href', '/user/3');
    expect(api.made('GET /api/user/search')).toEqual([]);
  });
});

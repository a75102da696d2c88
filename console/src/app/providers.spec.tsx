import { afterEach, describe, expect, it } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import { changeLanguage } from '../i18n';
import { aStatus, aUser } from '../testing/builders';
import { FakeApi, pageOf } from '../testing/fake-api';
import { renderConsole } from '../testing/render';

let api: FakeApi;
afterEach(async () => {
  api.stop();
  await changeLanguage('en');
});

function usersApi(): void {
  api = new FakeApi({
    'GET /api/status': { data: aStatus() },
    'GET /api/group': { data: ['default'] },
    'GET /api/user/search': pageOf([aUser()]),
    'GET /api/user/2': { data: aUser() },
  });
}

describe('a change of language', () => {
  it('reads lists anew, as the server writes in the reader’s language', async () => {
    usersApi();
    renderConsole('/user', api);
    await screen.findByText('Ada');
    const before = api.made('GET /api/user/search').length;
    await changeLanguage('zh');
    await waitFor(() => expect(api.made('GET /api/user/search').length).toBeGreaterThan(before));
  });

  it('leaves what a form was opened with', async () => {
    usersApi();
    renderConsole('/user/edit/2', api);
    await screen.findByDisplayValue('Ada');
    const asked = () => api.made('GET /api/user/2').length;
    const before = asked();
    const lists = api.made('GET /api/user/search').length;
    await changeLanguage('zh');
    await waitFor(() => expect(api.made('GET /api/user/search').length).toBeGreaterThan(lists));
    expect(asked()).toBe(before);
  });
});

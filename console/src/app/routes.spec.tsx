import { afterEach, describe, expect, it } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import { matchRoutes } from 'react-router';
import { ROLE } from '../api/current-user';
import { aStatus } from '../testing/builders';
import { FakeApi } from '../testing/fake-api';
import { renderConsole } from '../testing/render';
import { SetupDone } from './guards/setup-done';
import { SignedIn } from './guards/signed-in';
import { NotFoundPage } from './not-found-page';
import { makeRoutes } from './router';
import { signedInRoutes } from './signed-in-routes';

const routes = makeRoutes(signedInRoutes);

let api: FakeApi;
afterEach(() => api?.stop());

/** Users an address is for, by the guards in front of it. */
function audienceOf(path: string): string {
  const branch = (matchRoutes(routes, path) ?? []).map(({ route }) => route);
  expect(branch[0]?.Component).toBe(SetupDone);
  if (branch.at(-1)?.Component === NotFoundPage) return 'nobody';
  const roles = branch.flatMap(({ element }) => {
    const { atLeast } = ((element as { props?: { atLeast?: number } } | undefined)?.props ?? {}) as {
      atLeast?: number;
    };
    return atLeast === undefined ? [] : [atLeast];
  });
  if (!branch.some(({ Component }) => Component === SignedIn)) return 'everybody';
  if (roles.includes(ROLE.root)) return 'root';
  return roles.includes(ROLE.administrator) ? 'administrators' : 'members';
}

describe('the addresses of the console', () => {
  it.each([
    ['/', 'everybody'],
    ['/setup', 'everybody'],
    ['/login', 'everybody'],
    ['/register', 'everybody'],
    ['/reset', 'everybody'],
    ['/user/reset', 'everybody'],
    ['/oauth/github', 'everybody'],
    ['/oauth/oidc', 'everybody'],
    ['/oauth/linuxdo', 'everybody'],
    ['/pricing', 'everybody'],
    ['/about', 'everybody'],
    ['/docs', 'everybody'],
    ['/docs/errors', 'everybody'],
    ['/token', 'members'],
    ['/playground', 'members'],
    ['/personal', 'members'],
    ['/topup', 'members'],
    ['/log', 'members'],
    ['/detail', 'members'],
    ['/midjourney', 'members'],
    ['/task', 'members'],
    ['/chat', 'members'],
    ['/chat/3', 'members'],
    ['/chat2link', 'members'],
    ['/user/edit', 'members'],
    ['/limit', 'administrators'],
    ['/start', 'administrators'],
    ['/channel', 'administrators'],
    ['/channel/add', 'administrators'],
    ['/channel/edit/5', 'administrators'],
    ['/user/7', 'administrators'],
    ['/user/7/calls', 'administrators'],
    ['/user/7/tokens', 'administrators'],
    ['/user/7/money', 'administrators'],
    ['/user/7/security', 'administrators'],
    ['/user/tokens', 'administrators'],
    ['/channel/5', 'administrators'],
    ['/latency', 'administrators'],
    ['/redemption', 'administrators'],
    ['/user', 'administrators'],
    ['/user/edit/5', 'administrators'],
    ['/setting', 'administrators'],
    ['/prices', 'administrators'],
    ['/order', 'administrators'],
    ['/status', 'administrators'],
    ['/job', 'administrators'],
    ['/audit', 'root'],
    ['/bin', 'root'],
    ['/setting/import', 'root'],
    ['/nowhere', 'nobody'],
  ])('%s is for %s', (path, audience) => {
    expect(audienceOf(path)).toBe(audience);
  });

  it.each(['/login', '/register'])('keeps the invite code of %s until an account is made', async (path) => {
    api = new FakeApi({ 'GET /api/status': { data: aStatus() } });
    renderConsole(`${path}?aff=XY12`, api, null);
    await waitFor(() => expect(localStorage.getItem('aff')).toBe('XY12'));
  });

  it('leads from the form of the own account to the personal settings', async () => {
    api = new FakeApi({ 'GET /api/status': { data: aStatus() } });
    const { router } = renderConsole('/user/edit', api);
    await waitFor(() => expect(router.state.location.pathname).toBe('/personal'));
  });

  it('shows that a page does not exist, and to check the address', async () => {
    api = new FakeApi({ 'GET /api/status': { data: aStatus() } });
    renderConsole('/nowhere/at/all', api, null);
    expect(await screen.findByText('This page does not exist')).toBeVisible();
    expect(screen.getByText(/check the address in your browser/)).toBeVisible();
  });

  it.each([
    '/token',
    '/playground',
    '/personal',
    '/topup',
    '/log',
    '/detail',
    '/midjourney',
    '/task',
    '/chat/0',
    '/channel',
    '/latency',
    '/redemption',
    '/user',
    '/setting',
    '/prices',
    '/order',
    '/status',
    '/job',
    '/audit',
  ])('sends a guest from %s to the login page', async (path) => {
    api = new FakeApi({ 'GET /api/status': { data: aStatus() } });
    const { router } = renderConsole(path, api, null);
    await waitFor(() => expect(router.state.location.pathname).toBe('/login'));
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { UserEntity } from '../../../server/base/users/user.entity.js';
import { ApiClient } from '../../support/api-client.ts';
import { setUpRoot, signUp, startTestApp, type TestApp } from '../../support/build-test-app.ts';

let app: TestApp;
let root: ApiClient;
let ann: ApiClient;

beforeAll(async () => {
  app = await startTestApp();
  root = await setUpRoot(app);
  ann = await signUp(root, { username: 'ann.example' });
  await app.dataSource
    .getRepository(UserEntity)
    .update({ id: ann.userId }, { displayName: 'Shown Name', email: 'a.person@mail.example' });
});
afterAll(() => app?.close());

describe('accounts as the specification has them', () => {
  it('finds accounts by id, username, display name and email', async () => {
    for (const keyword of [String(ann.userId), 'ann.ex', 'hown Na', 'person@mail']) {
      const { items } = await root.expectSuccess<{ items: { id: number }[] }>(
        'GET',
        `/api/user/search?keyword=${encodeURIComponent(keyword)}&group=&p=1&page_size=10`,
      );
      expect([keyword, items.map(({ id }) => id)]).toEqual([keyword, [ann.userId]]);
    }
  });

  it('sends people to GitHub with a state, for their mail addresses', async () => {
    const options = {
      ServerAddress: 'https://gate.example',
      GitHubClientId: 'client-of-a-test',
      GitHubClientSecret: 'secret-of-a-test',
      GitHubOAuthEnabled: 'true',
    };
    for (const [key, value] of Object.entries(options))
      await root.expectSuccess('PUT', '/api/option/', { key, value });
    const start = { provider: 'github', intent: 'login' };
    const { url } = await new ApiClient(app.url).expectSuccess<{ url: string }>(
      'POST',
      '/api/oauth/start',
      start,
    );
    const address = new URL(url);
    expect(address.origin + address.pathname).toBe('https://github.com/login/oauth/authorize');
    expect(Object.fromEntries(address.searchParams)).toMatchObject({
      client_id: 'client-of-a-test',
      scope: 'user:email',
      state: expect.stringMatching(/./),
    });
  });

  it('promotes and demotes, disables and enables, and answers role and status', async () => {
    const manage = (action: string) =>
      root.expectSuccess('POST', '/api/user/manage', { id: ann.userId, action });
    expect(await manage('promote')).toMatchObject({ role: 10, status: 1 });
    expect(await manage('demote')).toMatchObject({ role: 1, status: 1 });
    expect(await manage('disable')).toMatchObject({ role: 1, status: 2 });
    expect(await manage('enable')).toMatchObject({ role: 1, status: 1 });
  });
});

import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ApiClient } from '../../../support/api-client.ts';
import { setUpRoot, signUp, startTestApp, type TestApp } from '../../../support/build-test-app.ts';
import { createTestDatabase } from '../../../support/database.ts';
import { testRedisUrl } from '../../../support/redis.ts';
import { Browser } from './browser.ts';
import { callbackOf, CONSOLE } from './identity.fixture.ts';
import { CLIENT, GITHUB_SCRIPT, ScriptedOAuth } from './scripted-oauth.ts';

const SECOND_MS = 1_000;

let one: TestApp;
let two: TestApp;
let root: ApiClient;
let github: ScriptedOAuth;
let dropDatabase: () => Promise<void>;

beforeAll(async () => {
  const database = await createTestDatabase('mariadb');
  dropDatabase = () => database.drop();
  github = await new ScriptedOAuth(GITHUB_SCRIPT).start();
  const env = {
    DATABASE_URL: database.url,
    REDIS_URL: testRedisUrl(),
    WORKERS: '1',
    SERVER_ADDRESS: CONSOLE,
    ALLOWED_PRIVATE_HOSTS: '127.0.0.1',
    DRAIN_DELAY_SECONDS: '0',
  };
  one = await startTestApp({ env });
  two = await startTestApp({ env });
  root = await setUpRoot(one);
  await root.expectSuccess('PUT', '/api/option/', [
    { key: 'GitHubServerAddress', value: github.address },
    { key: 'GitHubApiAddress', value: `${github.address}/api/v3` },
    { key: 'GitHubClientId', value: CLIENT.id },
    { key: 'GitHubClientSecret', value: CLIENT.secret },
    { key: 'GitHubOAuthEnabled', value: true },
  ]);
});
afterAll(async () => {
  await one.close();
  await two.close();
  await github.stop();
  await dropDatabase();
});

/** Asks until it is so. @returns after how many milliseconds; fails after three seconds */
async function waitFor(isSo: () => Promise<boolean>): Promise<number> {
  const startedAt = performance.now();
  for (;;) {
    if (await isSo()) return performance.now() - startedAt;
    if (performance.now() - startedAt > 3 * SECOND_MS) throw new Error('it did not become so');
  }
}

const callWith = async (app: TestApp, key: string): Promise<number> =>
  (await fetch(`${app.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } })).status;

interface Person {
  readonly id: number;
  /** A login and a system access token at either instance, and an API key. */
  readonly clients: readonly ApiClient[];
  readonly key: string;
}

async function aPerson(username: string, role?: 'admin'): Promise<Person> {
  const client = await signUp(root, role === undefined ? { username } : { username, role });
  await client.expectSuccess('POST', '/api/token/', {
    name: 'key',
    remain_quota: 0,
    unlimited_quota: true,
    expired_time: -1,
  });
  const list = await client.expectSuccess<{ id: number }[] | { items: { id: number }[] }>(
    'GET',
    '/api/token/?p=0&size=10',
  );
  const [token] = Array.isArray(list) ? list : list.items;
  const { key } = await client.expectSuccess<{ key: string }>('POST', `/api/token/${token?.id}/key`, {});
  const accessToken = await client.expectSuccess<string>('POST', '/api/user/token');
  const clients = [one, two].flatMap((app) => {
    const bySession = new ApiClient(app.url);
    Object.assign(bySession.headers, client.headers);
    const byToken = new ApiClient(app.url);
    Object.assign(byToken.headers, { authorization: accessToken, 'New-Api-User': String(client.userId) });
    return [bySession, byToken];
  });
  return { id: client.userId, clients, key: key.startsWith('sk-') ? key : `sk-${key}` };
}

const isIn = async (client: ApiClient): Promise<boolean> =>
  (await client.get('/api/user/self')).body.success === true;
const manage = (id: number, action: string) => root.expectSuccess('POST', '/api/user/manage', { id, action });

it('begins a sign-in at one instance and ends it at the other, once', async () => {
  const begun = new Browser(one.url);
  await waitFor(
    async () =>
      (await new Browser(two.url).post('/api/oauth/start', { provider: 'github' })).body.success === true,
  );
  const { url } = await begun.expectSuccess<{ url: string }>('POST', '/api/oauth/start', {
    provider: 'github',
  });
  const granted = github.agree(url, { id: 31, login: 'traveller' });
  const [first, second] = await Promise.all([
    begun.copyTo(two.url).get(callbackOf('github', granted)),
    begun.copy().get(callbackOf('github', granted)),
  ]);
  expect([first, second].map(({ body }) => body.success).toSorted()).toEqual([false, true]);
});

it.each(['disable', 'delete'])(
  '%s ends logins, access tokens and keys on every instance within a second [AUTH-04]',
  async (action) => {
    const person = await aPerson(`ends.${action}`);
    for (const client of person.clients) expect(await isIn(client)).toBe(true);
    expect([await callWith(one, person.key), await callWith(two, person.key)]).toEqual([200, 200]);
    await manage(person.id, action);
    const tookMs = await waitFor(async () => {
      const answers = await Promise.all(person.clients.map(isIn));
      const statuses = await Promise.all([callWith(one, person.key), callWith(two, person.key)]);
      return (
        answers.every((isStillIn) => !isStillIn) &&
        statuses.every((status) => status === 401 || status === 403)
      );
    });
    expect(tookMs).toBeLessThan(SECOND_MS);
    if (action === 'delete') return;
    await manage(person.id, 'enable');
    // The key works again; logins do not come back.
    const backMs = await waitFor(
      async () => (await callWith(one, person.key)) === 200 && (await callWith(two, person.key)) === 200,
    );
    expect(backMs).toBeLessThan(SECOND_MS);
    expect(await Promise.all(person.clients.map(isIn))).toEqual([false, false, false, false]);
    expect(await isIn(await ApiClient.signIn(two.url, `ends.${action}`, 'password-of-a-test'))).toBe(true);
  },
);

it('a demotion ends the power at once, a new password every login but no key [AUTH-04]', async () => {
  const warden = await aPerson('demoted.1', 'admin');
  const lists = async (client: ApiClient): Promise<boolean> =>
    (await client.get('/api/user/')).body.success === true;
  for (const client of warden.clients) expect(await lists(client)).toBe(true);
  await manage(warden.id, 'demote');
  const tookMs = await waitFor(async () =>
    (await Promise.all(warden.clients.map(lists))).every((may) => !may),
  );
  expect(tookMs).toBeLessThan(SECOND_MS);

  const person = await aPerson('newpassword');
  await root.expectSuccess('PUT', '/api/user/', { id: person.id, password: 'set-by-root-now' });
  const endedMs = await waitFor(async () =>
    (await Promise.all(person.clients.map(isIn))).every((isStillIn) => !isStillIn),
  );
  expect(endedMs).toBeLessThan(SECOND_MS);
  expect([await callWith(one, person.key), await callWith(two, person.key)]).toEqual([200, 200]);
});

it('binds one identity once when two accounts request it at two instances at the same moment', async () => {
  const browsers = await Promise.all(
    [one, two].map(async (app, index) => {
      await signUp(root, { username: `both.${index}` });
      return new Browser(app.url).signIn(`both.${index}`);
    }),
  );
  const replies = await Promise.all(
    browsers.map(async (browser) => {
      const { url } = await browser.expectSuccess<{ url: string }>('POST', '/api/oauth/start', {
        provider: 'github',
        intent: 'bind',
      });
      return browser.get(callbackOf('github', github.agree(url, { id: 77, login: 'one' })));
    }),
  );
  expect(replies.map(({ body }) => body.message === 'bind').toSorted()).toEqual([false, true]);
  expect(replies.map(({ body }) => body.code ?? '').toSorted()).toEqual(['', 'identity_taken']);
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiClient } from '../../../support/api-client.js';
import { createTestDatabase, type TestDatabase } from '../../../support/database.js';
import { FakeUpstream } from '../../../support/fake-upstream.js';
import { answer } from '../../../support/fake-upstream-behaviours.js';
import { GatewayConsole } from '../../../support/gateway-console.js';
import { GatewayProcess } from '../../../support/gateway-process.js';
import { startRedis, type TestRedis } from '../../../support/redis.js';
import { RelayClient } from '../../../support/relay-client.js';
import { until } from '../../../support/until.js';

const MODEL = 'fx-two';
const ROOT = 'correct horse battery';
const PASSWORD = 'password-of-a-test';
/** Password the console's helper gives to accounts. */
const PASSWORD_OF_CONSOLE = 'a long enough password';

/** Two instances of one database and one Redis: what one of them ends, the other does not go on with. */
describe.each(['mariadb', 'postgres'] as const)('sessions and bans on two instances over %s', (kind) => {
  let database: TestDatabase;
  let redis: TestRedis;
  let upstream: FakeUpstream;
  let gateways: GatewayProcess[] = [];
  let root: ApiClient;
  let admin: GatewayConsole;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    redis = await startRedis();
    upstream = await FakeUpstream.start();
    upstream.on(MODEL, answer({ tokens: 5, gapMs: 0 }));
    const settings = {
      databaseUrl: database.url,
      redisUrl: redis.url,
      env: { WORKERS: '1', INITIAL_ROOT_USERNAME: 'root', INITIAL_ROOT_PASSWORD: ROOT },
    };
    // One after the other: the first makes the schema and the root account.
    gateways = [await GatewayProcess.start(settings)];
    gateways.push(await GatewayProcess.start(settings));
    root = await ApiClient.signIn(urlOf(0), 'root', ROOT);
    admin = new GatewayConsole(urlOf(0));
    await admin.signIn();
    await admin.setOptions({ ModelRatio: { [MODEL]: 1 }, CompletionRatio: { [MODEL]: 1 } });
    await admin.addChannel({ base_url: upstream.url, models: [MODEL] });
  }, 120_000);
  afterAll(async () => {
    for (const gateway of gateways) await gateway.stop();
    await upstream.close();
    await redis.stop();
    await database.drop();
  }, 60_000);

  const urlOf = (index: number): string => gateways[index]?.url ?? '';
  /** The same login, at the other instance. */
  function atOther(client: ApiClient): ApiClient {
    const other = new ApiClient(urlOf(client.baseUrl === urlOf(0) ? 1 : 0));
    Object.assign(other.headers, client.headers);
    other.userId = client.userId;
    return other;
  }
  const statusOf = async (client: ApiClient): Promise<number> => (await client.get('/api/user/self')).status;
  async function person(username: string): Promise<ApiClient> {
    await root.expectSuccess('POST', '/api/user/', { username, password: PASSWORD });
    return ApiClient.signIn(urlOf(0), username, PASSWORD);
  }

  it('a login made at one holds at the other, and a sign-out at the other ends it at both', async () => {
    const here = await person('ann');
    const there = atOther(here);
    expect([await statusOf(here), await statusOf(there)]).toEqual([200, 200]);
    await there.expectSuccess('POST', '/api/user/logout');
    expect([await statusOf(there), await statusOf(here)]).toEqual([401, 401]);
  });

  it('a password changed at one ends the logins at the other', async () => {
    const here = await person('bea');
    const elsewhere = await ApiClient.signIn(urlOf(1), 'bea', PASSWORD);
    expect(await statusOf(elsewhere)).toBe(200);
    await here.expectSuccess('PUT', '/api/user/self', {
      username: 'bea',
      original_password: PASSWORD,
      password: 'another-password-of-a-test',
    });
    expect(await statusOf(elsewhere)).toBe(401);
    await expect(ApiClient.signIn(urlOf(1), 'bea', PASSWORD)).rejects.toThrow('refused');
  });

  it.each([
    ['with Redis', false, 2_000],
    ['with Redis away', true, 6_000],
  ])(
    'an account banned at one is out at the other, %s: logins at once, keys soon',
    async (_how, isAway, withinMs) => {
      const name = isAway ? 'cid' : 'dan';
      const own = await admin.addUser(name, 1_000_000_000);
      const { key } = await own.addToken();
      const client = await ApiClient.signIn(urlOf(1), name, PASSWORD_OF_CONSOLE);
      const relay = new RelayClient(urlOf(1), key);
      const call = async (): Promise<number> => (await relay.chat(MODEL, { max_tokens: 5 })).status;
      await until(async () => (await call()) === 200);
      if (isAway) redis.pause();
      try {
        await root.expectSuccess('POST', '/api/user/manage', { id: client.userId, action: 'disable' });
        const bannedAt = performance.now();
        expect(await statusOf(client)).not.toBe(200);
        await expect(ApiClient.signIn(urlOf(1), name, PASSWORD_OF_CONSOLE)).rejects.toThrow('refused');
        await until(async () => [401, 403].includes(await call()));
        expect(performance.now() - bannedAt).toBeLessThan(withinMs);
      } finally {
        redis.resume();
      }
      await root.expectSuccess('POST', '/api/user/manage', { id: client.userId, action: 'enable' });
      await until(async () => (await call()) === 200);
      // A ban ends logins for good: who is let in again signs in again.
      expect(await statusOf(client)).toBe(401);
    },
    60_000,
  );
});

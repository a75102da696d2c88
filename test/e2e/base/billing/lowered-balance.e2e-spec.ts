import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { checkMoney } from '../../../../server/base/billing/checks/check-money.js';
import { startTestApp, type TestApp } from '../../../support/build-test-app.ts';
import { createTestDatabase, DATABASE_KINDS, type TestDatabase } from '../../../support/database.ts';
import { FakeUpstream } from '../../../support/fake-upstream.js';
import { FX_PRICES, GatewayConsole } from '../../../support/gateway-console.js';
import { startRedis, type TestRedis } from '../../../support/redis.js';
import { RelayClient } from '../../../support/relay-client.js';

const SET_UPS = DATABASE_KINDS.flatMap((kind) => [false, true].map((hasRedis) => ({ kind, hasRedis })));
const GIVEN = 10_000_000;

describe.each(SET_UPS)('a balance lowered on $kind, with Redis: $hasRedis', ({ kind, hasRedis }) => {
  let database: TestDatabase;
  let redis: TestRedis | undefined;
  let app: TestApp;
  let root: GatewayConsole;
  let upstream: FakeUpstream;
  let count = 0;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    redis = hasRedis ? await startRedis() : undefined;
    upstream = await FakeUpstream.start();
    app = await startTestApp({
      env: {
        DATABASE_URL: database.url,
        ALLOWED_PRIVATE_HOSTS: '127.0.0.1',
        ...(redis === undefined ? {} : { REDIS_URL: redis.url }),
      },
    });
    root = new GatewayConsole(app.url);
    await root.setUp();
    await root.setOptions(FX_PRICES(['fx-json']));
    await root.addChannel({ name: 'only', base_url: upstream.url, models: ['fx-json'] });
  });
  afterAll(async () => {
    await app.close();
    await Promise.all([upstream.close(), database.drop(), redis?.stop()]);
  });

  const caller = async () => {
    const owner = await root.addUser(`spender${(count += 1)}`, GIVEN);
    const client = new RelayClient(app.url, (await owner.addToken()).key);
    const { id } = await owner.send<{ id: number }>('GET', '/api/user/self');
    const manage = (mode: string, value: number) =>
      root.sendRaw<{ code?: string }>('POST', '/api/user/manage', { id, action: 'add_quota', mode, value });
    return { owner, client, manage };
  };
  const used = async (owner: GatewayConsole): Promise<number> =>
    root.waitFor(
      async () => GIVEN - (await owner.balance()),
      (spent) => spent > 0,
    );

  it('gives up all that no running call holds, pools included', async () => {
    const { owner, client, manage } = await caller();
    expect((await client.chat('fx-json')).status).toBe(200);
    await used(owner);
    expect(await manage('override', 0)).toMatchObject({ success: true });
    expect(await owner.balance()).toBe(0);
    expect((await client.chat('fx-json')).status).toBe(403);
    client.close();
  });

  it('keeps the holds of running calls, and reports them', async () => {
    const { owner, client, manage } = await caller();
    await client.chat('fx-json');
    await used(owner);
    const release = upstream.holdAnswers();
    const running = client.chat('fx-json');
    await upstream.waitUntil(({ journal }) => journal.at(-1)?.ending === 'open');
    const balance = await owner.balance();
    expect(await manage('subtract', balance)).toMatchObject({ success: false, code: 'balance_in_use' });
    // Nothing was lost by trying.
    expect(await owner.balance()).toBe(balance);
    expect(await manage('subtract', balance + 1)).toMatchObject({ code: 'balance_too_low' });
    expect(await manage('override', 100_000)).toMatchObject({ success: true });
    release();
    expect((await running).status).toBe(200);
    client.close();
  });

  it('lowers it under a busy account, and the books stay right', async () => {
    const { owner, client, manage } = await caller();
    let isOver = false;
    const callers = Array.from({ length: 12 }, async () => {
      while (!isOver) await client.chat('fx-json');
    });
    try {
      for (const left of [5_000_000, 2_000_000, 1_000_000]) {
        const reply = await manage('override', left);
        expect(reply).toMatchObject({ success: true });
        expect(await owner.balance()).toBeLessThanOrEqual(left);
      }
    } finally {
      isOver = true;
      await Promise.all(callers);
      client.close();
    }
    expect(await owner.balance()).toBeGreaterThanOrEqual(0);
    expect(await checkMoney(app.dataSource, { isQuiet: false })).toEqual([]);
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, type TestDatabase } from '../../../support/database.js';
import { FakeUpstream } from '../../../support/fake-upstream.js';
import { FX_PRICES, GatewayConsole } from '../../../support/gateway-console.js';
import { GatewayProcess } from '../../../support/gateway-process.js';
import { startRedis } from '../../../support/redis.js';
import { errorOf, type OpenStream, RelayClient } from '../../../support/relay-client.js';

/**
 * Money under crowds and crashes, black box: the built product, real processes, real stores. With `max_tokens: 50` the hold
 * of a fixture equals its charge of 110.
 */
const CHARGE = 110;
const CAP = { max_tokens: 50 };

interface Setup {
  readonly name: string;
  /** True when the store is flushed in the middle; an in-process store dies with its process: the kill is its flush. */
  readonly crashes: readonly boolean[];
  prepare(): Promise<{
    settings: Parameters<typeof GatewayProcess.start>[0];
    flush?: () => Promise<void>;
    clear(): Promise<void>;
  }>;
}

const SETUPS: readonly Setup[] = [
  {
    name: 'SQLite alone',
    crashes: [false],
    prepare: async () => ({ settings: {}, clear: async () => undefined }),
  },
  {
    name: 'Redis and MariaDB',
    crashes: [false, true],
    prepare: async () => {
      const database: TestDatabase = await createTestDatabase('mariadb');
      const redis = await startRedis();
      return {
        settings: { databaseUrl: database.url, redisUrl: redis.url },
        flush: () => redis.flush(),
        clear: async () => {
          await redis.stop();
          await database.drop();
        },
      };
    },
  },
];

describe.each(SETUPS)('money on $name', ({ prepare, crashes }) => {
  let world: Awaited<ReturnType<Setup['prepare']>>;
  let dataDir: string;
  let gateway: GatewayProcess;
  let upstream: FakeUpstream;
  let admin: GatewayConsole;

  beforeAll(async () => {
    world = await prepare();
    dataDir = mkdtempSync(join(tmpdir(), 'tollgate-money-'));
    upstream = await FakeUpstream.start();
    await startGateway();
    admin = new GatewayConsole(gateway.url);
    await admin.setUp();
    const models = ['fx-std', 'fx-quick', 'fx-json', 'fx-long', 'fx-nousage'];
    await admin.setOptions(FX_PRICES(models));
    await admin.addChannel({ base_url: upstream.url, models });
  });

  afterAll(async () => {
    await gateway?.stop();
    gateway?.removeData();
    await upstream?.close();
    await world?.clear();
  });

  async function startGateway(): Promise<void> {
    gateway = await GatewayProcess.start({ ...world.settings, dataDir });
    if (admin !== undefined) {
      admin = new GatewayConsole(gateway.url);
      await admin.signIn();
    }
  }

  /** A user with exactly so much quota, and a client with an unlimited token of theirs. */
  async function spender(
    username: string,
    quota: number,
  ): Promise<{ console: GatewayConsole; client: RelayClient }> {
    const own = await admin.addUser(username, quota);
    const { key } = await own.addToken();
    return { console: own, client: new RelayClient(gateway.url, key) };
  }

  const expectCleanBooks = async (): Promise<void> => {
    const check = await admin.waitFor(
      () => gateway.checkMoney(),
      ({ exitCode }) => exitCode === 0,
      60_000,
    );
    expect(check.output).toContain('right');
  };

  it('serves exactly 20 of 500 parallel calls on a balance for 20, and leaves balance 0 [F-10]', async () => {
    const { console: own, client } = await spender('crowd', 20 * CHARGE);
    const release = upstream.holdAnswers();
    const count = upstream.entriesOf('fx-quick').length;
    const calls = Array.from({ length: 500 }, (_, index) =>
      client.chat('fx-quick', { ...CAP, stream: index % 2 === 0 }),
    );
    const refused = new Set<number>();
    calls.forEach((call, index) => void call.then((answer) => answer.status === 403 && refused.add(index)));
    await admin.waitFor(
      async () => refused.size,
      (size) => size + (upstream.entriesOf('fx-quick').length - count) >= 500,
      30_000,
    );
    release();
    const answers = await Promise.all(calls);
    const served = answers.filter((answer) => answer.status === 200);
    const refusals = answers.filter((answer) => answer.status !== 200);
    expect(served).toHaveLength(20);
    expect(
      refusals.every((answer) => answer.status === 403 && errorOf(answer).code === 'insufficient_user_quota'),
    ).toBe(true);
    expect(upstream.entriesOf('fx-quick').length - count).toBe(20);
    await own.waitFor(
      () => own.balance(),
      (balance) => balance === 0,
    );
    await expectCleanBooks();
  });

  it('a limited token stops at its own allowance, and its owner pays for exactly that [F-11]', async () => {
    const { console: own } = await spender('limits', 100_000);
    const { key } = await own.addToken({ unlimited_quota: false, remain_quota: 5 * CHARGE });
    const client = new RelayClient(gateway.url, key);
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => client.chat('fx-std', { ...CAP, stream: true })),
    );
    const served = answers.filter((answer) => answer.status === 200);
    expect(served).toHaveLength(5);
    expect(
      answers
        .filter((answer) => answer.status !== 200)
        .every((answer) => errorOf(answer).code === 'pre_consume_token_quota_failed'),
    ).toBe(true);
    await own.waitFor(
      () => own.balance(),
      (balance) => balance === 100_000 - 5 * CHARGE,
    );
  });

  it.each(crashes)(
    'kill -9 during 200 mixed calls (store flushed in the middle: %s): every answered call is charged once, the books are right [F-15]',
    async (isFlushed) => {
      const { console: own, client } = await spender(isFlushed ? 'flushed' : 'killed', 5_000_000);
      const before = await own.balance();
      const models = ['fx-std', 'fx-quick', 'fx-long', 'fx-nousage'];
      const finished = new Set<string>();
      const opened: Promise<void>[] = [];
      for (let index = 0; index < 200; index += 1) {
        opened.push(
          client
            .openStream(models[index % models.length] ?? 'fx-std', index % 3 === 0 ? CAP : {})
            .then(async (stream: OpenStream) => {
              const answer = await stream.readAll();
              const id = String(answer.headers['x-request-id']);
              if (answer.text.includes('data: [DONE]')) finished.add(id);
            })
            // Calls that were cut before their head arrived are what a kill does.
            .catch(() => undefined),
        );
      }
      await admin.waitFor(
        async () => finished.size,
        (size) => size >= 60,
        30_000,
      );
      if (isFlushed) await world.flush?.();
      await admin.waitFor(
        async () => finished.size,
        (size) => size >= 80,
        30_000,
      );
      await gateway.kill();
      await Promise.all(opened);
      expect(finished.size).toBeGreaterThanOrEqual(80);
      await startGateway();
      await expectCleanBooks();

      const settled = new Map<string, number>();
      for (let page = 1; page <= 3; page += 1) {
        const { items } = await admin.send<{
          items: { request_id: string; quota: number; username: string }[];
        }>('GET', `/api/log/?p=${page}&page_size=100&type=2&username=${isFlushed ? 'flushed' : 'killed'}`);
        for (const line of items) {
          expect(settled.has(line.request_id)).toBe(false);
          settled.set(line.request_id, line.quota);
        }
      }
      for (const id of finished) expect(settled.has(id)).toBe(true);
      const again = new GatewayConsole(gateway.url);
      await again.signIn(isFlushed ? 'flushed' : 'killed', 'a long enough password');
      const total = [...settled.values()].reduce((sum, quota) => sum + quota, 0);
      await again.waitFor(
        () => again.balance(),
        (balance) => before - balance === total,
      );
    },
  );

  it('a SIGTERM lets running calls finish and ends with code 0', async () => {
    const { client } = await spender('drained', 1_000_000);
    const stream = await client.openStream('fx-std', CAP);
    await stream.readEvents(3);
    const [answer, exitCode] = await Promise.all([stream.readAll(), gateway.stop()]);
    expect(answer.text).toContain('data: [DONE]');
    expect(exitCode).toBe(0);
    await startGateway();
    await expectCleanBooks();
  });
});

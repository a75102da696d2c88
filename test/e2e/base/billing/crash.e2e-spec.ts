import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { SharedStore } from '../../../../server/infra/shared-store/shared-store.js';
import { DATABASE_KINDS } from '../../../support/database.js';
import { startRedis, type TestRedis } from '../../../support/redis.js';
import { Books, openMemory, openRedis, Worker } from '../../../support/fixtures/money.fixture.js';

interface Report {
  readonly ended: string[];
  readonly released: string[];
  readonly dispatched: string[];
  /** Calls that had their holds from slices. */
  sliced: number;
}

const combinations = [
  ...DATABASE_KINDS.map((kind) => ({ kind, redis: false, hasThread: true })),
  { kind: 'sqlite' as const, redis: false, hasThread: false },
  { kind: 'mariadb' as const, redis: true, hasThread: true },
  { kind: 'postgres' as const, redis: true, hasThread: false },
];

describe.each(combinations)('kill −9 on $kind, Redis: $redis, booking thread: $hasThread', (combination) => {
  const { kind, redis: withRedis, hasThread } = combination;
  let books: Books;
  let redis: TestRedis | undefined;
  let store: SharedStore;
  let child: ChildProcess | undefined;

  beforeEach(async () => {
    books = await Books.open(kind);
    redis = withRedis ? await startRedis() : undefined;
  });
  afterEach(async () => {
    child?.kill('SIGKILL');
    await store.close();
    await redis?.stop();
    await books.close();
  });

  const openStore = async (): Promise<SharedStore> =>
    redis === undefined ? openMemory() : openRedis(redis.url);

  /** Runs a worker process until it has ended `count` calls, then kills it between two of its lines. */
  async function runAndKill(
    accounts: object[],
    count: number,
    before?: () => Promise<void>,
  ): Promise<Report> {
    const task = join(books.dataDir, 'task.json');
    writeFileSync(
      task,
      JSON.stringify({
        database: books.database.url,
        dataDir: books.dataDir,
        redis: redis?.url ?? null,
        hasThread,
        hotCalls: 2,
        accounts,
      }),
    );
    const root = join(import.meta.dirname, '../../../..');
    const words = [
      '--import',
      join(root, 'test/support/register-typescript.mjs'),
      join(root, 'test/e2e/base/billing/money-child.ts'),
      task,
    ];
    const worker = spawn(process.execPath, words, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
    child = worker;
    const gone = once(worker, 'exit');
    const report: Report = { ended: [], released: [], dispatched: [], sliced: 0 };
    let isKilled = false;
    for await (const line of createInterface({ input: worker.stdout })) {
      const said = JSON.parse(line) as {
        ended?: string;
        released?: string;
        dispatched?: string;
        sliced?: number;
      };
      report.sliced = said.sliced ?? report.sliced;
      if (said.ended !== undefined) report.ended.push(said.ended);
      if (said.released !== undefined) report.released.push(said.released);
      if (said.dispatched !== undefined) report.dispatched.push(said.dispatched);
      if (!isKilled && report.ended.length >= count) {
        isKilled = true;
        await before?.();
        worker.kill('SIGKILL');
      }
    }
    await gone;
    return report;
  }

  async function accountsOf(quota: number): Promise<{ userId: number; tokenId: number; limited: boolean }[]> {
    const accounts = [];
    for (const limited of [true, false, true, false]) {
      const userId = await books.addUser(quota);
      accounts.push({ userId, tokenId: await books.addToken(userId, limited ? quota : null), limited });
    }
    return accounts;
  }

  async function expectEverythingBooked(report: Report): Promise<void> {
    store = await openStore();
    const next = new Worker(books, store);
    await next.engine.start();
    await next.engine.stop();
    expect(next.faults).toEqual([]);
    expect(await books.check()).toEqual([]);
    const rows = (await books.dataSource.getRepository('settlements').find()) as {
      requestId: string;
      charged: number;
      outcome: string;
      evidence: string;
    }[];
    const settled = new Map(rows.map((row) => [row.requestId, row]));
    // Every call that ended was charged once, in full; a call without a result was not.
    for (const callId of report.ended)
      expect(settled.get(callId)).toMatchObject({ charged: 110, outcome: 'ok' });
    for (const callId of report.released) expect(settled.has(callId)).toBe(false);
    // Dispatched and never ended: 10 for the prompt, or 10 + 2 × 20 by its checkpoint.
    const over = new Set([...report.ended, ...report.released]);
    const open = report.dispatched
      .filter((callId) => !over.has(callId))
      .flatMap((callId) => settled.get(callId) ?? []);
    expect(open.length).toBeGreaterThan(5);
    for (const row of open) {
      if (row.outcome === 'ok') continue;
      expect(row.outcome).toBe('recovered');
      expect(row.charged).toBe(row.evidence === 'counted' ? 50 : 10);
    }
    expect(await books.dataSource.getRepository('reservations').countBy({ state: 'open' })).toBe(
      await books.dataSource.getRepository('reservations').countBy({ state: 'open', amount: 0 }),
    );
  }

  it('books every call once at the next start and returns all money that was set aside [F-15, F-17]', async () => {
    const accounts = await accountsOf(1_000_000);
    const report = await runAndKill(accounts, 300);
    await expectEverythingBooked(report);
    // No other worker is alive: every pool is empty, and its slices with it.
    for (const { userId } of accounts) {
      const user = await books.user(userId);
      expect(user.quota + user.usedQuota).toBe(1_000_000);
    }
    if (withRedis) expect(report.sliced).toBeGreaterThan(20);
  });

  it('strands and loses nothing near the floor across a crash [F-10]', async () => {
    const accounts = await accountsOf(11_000);
    const report = await runAndKill(accounts, 150);
    await expectEverythingBooked(report);
    for (const { userId } of accounts) {
      const user = await books.user(userId);
      expect(user.quota + user.usedQuota).toBe(11_000);
    }
  });

  if (withRedis) {
    it('does the same with Redis flushed in the same second [F-16]', async () => {
      const accounts = await accountsOf(1_000_000);
      const report = await runAndKill(accounts, 200, async () => redis?.flush());
      await expectEverythingBooked(report);
    });
  }
});

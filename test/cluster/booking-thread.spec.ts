import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Worker as NodeWorker } from 'node:worker_threads';
import { writeLockOf } from '../../server/infra/database/gated-sqlite-runner.js';
import type { SharedStore } from '../../server/infra/shared-store/shared-store.js';
import { ThreadFlusher, type BookingPlace } from '../../server/modules/billing/thread-flusher.js';
import { DATABASE_KINDS } from '../support/database.js';
import { Books, isStarted, openMemory, Worker, type StartedCall } from './money-rig.js';

const REGISTER = pathToFileURL(join(import.meta.dirname, '../support/register-typescript.mjs')).href;

describe.each(DATABASE_KINDS)('the booking thread on %s', (kind) => {
  let books: Books;
  const stores: SharedStore[] = [];
  const workers: Worker[] = [];
  beforeAll(async () => {
    books = await Books.open(kind);
  });
  afterEach(async () => {
    for (const worker of workers.splice(0)) await worker.engine.stop();
    for (const store of stores.splice(0)) await store.close();
  });
  afterAll(() => books.close());

  const placeOf = (databaseUrl: string): BookingPlace => ({
    databaseUrl,
    logDatabaseUrl: undefined,
    lock: writeLockOf(books.dataSource),
    logLock: writeLockOf(books.dataSource),
    execArgv: ['--import', REGISTER],
  });

  async function startWorker(
    changes: { readonly logConsumption?: () => boolean; readonly dataDir?: string } = {},
  ): Promise<Worker> {
    const store = openMemory();
    stores.push(store);
    const worker = new Worker(books, store, {
      dataDir: changes.dataDir ?? mkdtempSync(join(books.dataDir, 'worker-')),
      booking: placeOf(books.database.url),
      ...(changes.logConsumption === undefined ? {} : { logConsumption: changes.logConsumption }),
    });
    workers.push(worker);
    await worker.engine.start();
    return worker;
  }

  async function start(worker: Worker, userId: number, tokenId: number | null = null): Promise<StartedCall> {
    const call = await worker.begin(worker.caller(userId, tokenId, tokenId !== null));
    if (!isStarted(call)) throw new Error(call);
    return call;
  }

  it('books what the spool says, and the books are right', async () => {
    const userId = await books.addUser(1_000_000);
    const tokenId = await books.addToken(userId, 500_000);
    const worker = await startWorker();
    expect(worker.engine.flusher).toBeInstanceOf(ThreadFlusher);
    for (let index = 0; index < 250; index += 1) {
      const call = await start(worker, userId, index % 2 === 0 ? tokenId : null);
      if (index % 10 === 9) worker.engine.desk.release(call.hold);
      else worker.end(call);
    }
    expect(await worker.engine.flusher.drain(20_000)).toBe(true);
    expect(worker.engine.flusher.backlog).toBe(0);
    await worker.engine.stop();
    expect(worker.faults).toEqual([]);
    expect(await books.user(userId)).toMatchObject({ usedQuota: 225 * 110, requestCount: 225 });
    expect(await books.check()).toEqual([]);
    const folders = readdirSync(join(books.dataDir, workerFolder(worker), 'spool'));
    expect(folders.every((name) => name.endsWith('.done') || name.startsWith('reserve'))).toBe(true);
  });

  it('writes log rows only while the operator wants them', async () => {
    const userId = await books.addUser(10_000);
    let isWanted = false;
    const worker = await startWorker({ logConsumption: () => isWanted });
    const [silent, spoken] = [await start(worker, userId), await start(worker, userId)];
    worker.end(silent);
    expect(await worker.engine.flusher.drain(20_000)).toBe(true);
    isWanted = true;
    worker.end(spoken);
    expect(await worker.engine.flusher.drain(20_000)).toBe(true);
    const logs = books.dataSource.getRepository('logs');
    expect(await logs.countBy({ requestId: silent.callId })).toBe(0);
    expect(await logs.countBy({ requestId: spoken.callId })).toBe(1);
  });

  it('a record nobody can book is set aside, and the others are booked', async () => {
    const userId = await books.addUser(10_000);
    const worker = await startWorker();
    const [bad, good] = [await start(worker, userId), await start(worker, userId)];
    worker.end(bad, undefined, { caller: { ...bad.caller, userId: 987_654_321 } });
    worker.end(good);
    expect(await worker.engine.flusher.drain(20_000)).toBe(true);
    await worker.engine.stop();
    expect(worker.faults.join('\n')).toContain(`call ${bad.callId} cannot be booked`);
    const settlements = books.dataSource.getRepository('settlements');
    expect(await settlements.countBy({ requestId: good.callId })).toBe(1);
    expect(await settlements.countBy({ requestId: bad.callId })).toBe(0);
  });

  it('F-15: a thread that dies is started again where it was, and everything is booked once', async () => {
    const userId = await books.addUser(1_000_000);
    const worker = await startWorker();
    const calls: StartedCall[] = [];
    for (let index = 0; index < 60; index += 1) calls.push(await start(worker, userId));
    for (const call of calls.slice(0, 30)) worker.end(call);
    expect(await worker.engine.flusher.drain(20_000)).toBe(true);
    const thread = Reflect.get(worker.engine.flusher, 'thread') as NodeWorker;
    const gone = once(thread, 'exit');
    await thread.terminate();
    await gone;
    for (const call of calls.slice(30)) worker.end(call);
    expect(await worker.engine.flusher.drain(20_000)).toBe(true);
    await worker.engine.stop();
    expect(await books.user(userId)).toMatchObject({ usedQuota: 60 * 110, requestCount: 60 });
    expect(await books.check(false)).toEqual([]);
  });

  it('F-17: books what a dead worker left', async () => {
    const userId = await books.addUser(10_000);
    const dataDir = mkdtempSync(join(books.dataDir, 'shared-'));
    const dying = await startWorker({ dataDir });
    const call = await start(dying, userId);
    // Its thread is gone and is not started again: the settlement is on the spool and nowhere else.
    await dying.engine.flusher.stop();
    dying.end(call);
    dying.engine.upkeep.stop();
    workers.splice(0);
    unlinkSync(join(dying.engine.spool.folder, 'owner.json'));
    const next = await startWorker({ dataDir });
    expect(await books.user(userId)).toMatchObject({ usedQuota: 110, requestCount: 1 });
    expect(next.faults).toEqual([]);
  });
});

const workerFolder = (worker: Worker): string => worker.engine.spool.folder.split('/').at(-3) ?? '';

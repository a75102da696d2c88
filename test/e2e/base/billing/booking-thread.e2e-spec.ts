import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Worker as NodeWorker } from 'node:worker_threads';
import { ThreadFlusher } from '../../../../server/base/billing/booking/thread-flusher.js';
import { DATABASE_KINDS } from '../../../support/database.js';
import {
  Crew,
  type WorkerChanges,
  Books,
  Worker,
  type StartedCall,
} from '../../../support/fixtures/money.fixture.js';

describe.each(DATABASE_KINDS)('the booking thread on %s', (kind) => {
  let books: Books;
  const crew = new Crew(() => books);
  beforeAll(async () => {
    books = await Books.open(kind);
  });
  afterEach(() => crew.leave());
  afterAll(() => books.close());

  const startWorker = (changes: WorkerChanges = {}): Promise<Worker> =>
    crew.start({ booking: books.bookingPlace(), ...changes });

  it('books the records of the spool, and the books are right', async () => {
    const userId = await books.addUser(1_000_000);
    const tokenId = await books.addToken(userId, 500_000);
    const worker = await startWorker();
    expect(worker.engine.flusher).toBeInstanceOf(ThreadFlusher);
    for (let index = 0; index < 250; index += 1) {
      const call = await worker.start(userId, index % 2 === 0 ? tokenId : null);
      if (index % 10 === 9) worker.engine.holds.release(call.hold);
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
    const [silent, spoken] = [await worker.start(userId), await worker.start(userId)];
    worker.end(silent);
    expect(await worker.engine.flusher.drain(20_000)).toBe(true);
    isWanted = true;
    worker.end(spoken);
    expect(await worker.engine.flusher.drain(20_000)).toBe(true);
    const logs = books.dataSource.getRepository('logs');
    expect(await logs.countBy({ requestId: silent.callId })).toBe(0);
    expect(await logs.countBy({ requestId: spoken.callId })).toBe(1);
  });

  it('quarantines a record that cannot be booked, and books the others', async () => {
    const userId = await books.addUser(10_000);
    const worker = await startWorker();
    const [bad, good] = [await worker.start(userId), await worker.start(userId)];
    worker.end(bad, undefined, { caller: { ...bad.caller, userId: 987_654_321 } });
    worker.end(good);
    expect(await worker.engine.flusher.drain(20_000)).toBe(true);
    await worker.engine.stop();
    expect(worker.faults.join('\n')).toContain(`call ${bad.callId} cannot be booked`);
    const settlements = books.dataSource.getRepository('settlements');
    expect(await settlements.countBy({ requestId: good.callId })).toBe(1);
    expect(await settlements.countBy({ requestId: bad.callId })).toBe(0);
  });

  it('continues after a dead thread, and books everything once [F-15]', async () => {
    const userId = await books.addUser(1_000_000);
    const worker = await startWorker();
    const calls: StartedCall[] = [];
    for (let index = 0; index < 60; index += 1) calls.push(await worker.start(userId));
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

  it('books what a dead worker left [F-17]', async () => {
    const userId = await books.addUser(10_000);
    const dataDir = mkdtempSync(join(books.dataDir, 'shared-'));
    const dying = await startWorker({ dataDir });
    const call = await dying.start(userId);
    // Its thread is gone and is not started again: the settlement is on the spool and nowhere else.
    await dying.engine.flusher.stop();
    dying.end(call);
    dying.engine.maintenance.stop();
    crew.forget(dying);
    unlinkSync(join(dying.engine.spool.folder, 'owner.json'));
    const next = await startWorker({ dataDir });
    expect(await books.user(userId)).toMatchObject({ usedQuota: 110, requestCount: 1 });
    expect(next.faults).toEqual([]);
  });
});

const workerFolder = (worker: Worker): string => worker.engine.spool.folder.split('/').at(-3) ?? '';

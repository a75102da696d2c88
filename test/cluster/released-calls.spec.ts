import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import type { SharedStore } from '../../server/infra/shared-store/shared-store.js';
import { Books, isStarted, openMemory, Worker } from './money-rig.js';

/** Calls that went upstream, came to nothing, and are not charged. */
describe('released calls', () => {
  let books: Books;
  let store: SharedStore;
  const workers: Worker[] = [];
  beforeAll(async () => {
    books = await Books.open('sqlite');
  });
  afterEach(async () => {
    for (const worker of workers.splice(0)) await worker.engine.stop();
    await store.close();
  });
  afterAll(() => books.close());

  async function startWorker(bootId: string): Promise<Worker> {
    store = openMemory();
    const dataDir = mkdtempSync(join(books.dataDir, 'worker-'));
    const worker = new Worker(books, store, { dataDir, bootId });
    workers.push(worker);
    await worker.engine.start();
    return worker;
  }
  async function holdsOf(bootId: string): Promise<string[]> {
    const calls: string[] = [];
    for await (const { callId } of store.pools.holdsOf(bootId)) calls.push(callId);
    return calls;
  }

  it('F-15: the pool gets the hold back when the record of the release is written, and not before', async () => {
    const bootId = randomUUID();
    const userId = await books.addUser(110);
    const worker = await startWorker(bootId);
    const { spool, desk, returns } = worker.engine;
    const call = await worker.begin(worker.caller(userId, null));
    if (!isStarted(call)) throw new Error(call);
    const append = spool.append.bind(spool);
    const written: (() => void)[] = [];
    // A disk that takes its time: the record is on its way, and nobody knows yet whether it arrives.
    spool.append = (type, callId, payload, onWritten) =>
      append(type, callId, payload, () => written.push(onWritten ?? (() => undefined)));
    desk.release(call.hold);
    spool.flush();
    await returns.flush();
    // A worker that died now, before the record: recovery charges the call, so its hold must still be there.
    expect(await holdsOf(bootId)).toEqual([call.callId]);
    spool.append = append;
    for (const tell of written) tell();
    await returns.flush();
    expect(await holdsOf(bootId)).toEqual([]);
    expect(isStarted(await worker.begin(worker.caller(userId, null)))).toBe(true);
  });
});

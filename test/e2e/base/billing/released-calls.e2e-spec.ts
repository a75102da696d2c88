import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { SharedStore } from '../../../../server/infra/shared-store/shared-store.js';
import { Crew, Books, isStarted, openMemory, Worker } from '../../../support/fixtures/money.fixture.js';

/** Calls that went upstream, came to nothing, and are not charged. */
describe('released calls', () => {
  let books: Books;
  let store: SharedStore;
  const crew = new Crew(() => books);
  beforeAll(async () => {
    books = await Books.open('sqlite');
  });
  afterEach(() => crew.leave());
  afterAll(() => books.close());

  function startWorker(bootId: string): Promise<Worker> {
    store = crew.keep(openMemory());
    return crew.start({ bootId }, store);
  }
  async function holdsOf(bootId: string): Promise<string[]> {
    const calls: string[] = [];
    for await (const { callId } of store.pools.holdsOf(bootId)) calls.push(callId);
    return calls;
  }

  it('gives the hold back to its pool when the record of the release is written, and not before [F-15]', async () => {
    const bootId = randomUUID();
    const userId = await books.addUser(110);
    const worker = await startWorker(bootId);
    const { spool, holds, returns } = worker.engine;
    const call = await worker.start(userId);
    const append = spool.append.bind(spool);
    const written: (() => void)[] = [];
    // A slow disk: the record is on its way, and its arrival is uncertain.
    spool.append = (type, callId, payload, onWritten) =>
      append(type, callId, payload, () => written.push(onWritten ?? (() => undefined)));
    holds.release(call.hold);
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

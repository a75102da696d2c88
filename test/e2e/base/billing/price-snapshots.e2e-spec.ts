import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { migrateDatabase, revertLastMigration } from '../../../../server/infra/database/migrate-database.js';
import type { SharedStore } from '../../../../server/infra/shared-store/shared-store.js';
import { ExplainService } from '../../../../server/base/billing/checks/explain.service.js';
import { DATABASE_KINDS } from '../../../support/database.js';
import { expectStarted, Books, openMemory, Worker } from '../../../support/fixtures/money.fixture.js';

describe.each(DATABASE_KINDS)('price snapshots on %s', (kind) => {
  let books: Books;
  let store: SharedStore;
  let worker: Worker;
  beforeAll(async () => {
    books = await Books.open(kind);
    store = openMemory();
    worker = new Worker(books, store);
    await worker.engine.start();
  });
  afterEach(() => migrateDatabase(books.dataSource));
  afterAll(async () => {
    await worker.engine.stop();
    await store.close();
    await books.close();
  });

  async function settle(count: number, model = 'fx-std'): Promise<string[]> {
    const userId = await books.addUser(100_000);
    const ids: string[] = [];
    for (let index = 0; index < count; index += 1) {
      const call = expectStarted(await worker.begin(worker.caller(userId, null), { model }));
      worker.end(call);
      ids.push(call.callId);
    }
    expect(await worker.engine.flusher.drain(10_000)).toBe(true);
    return ids;
  }
  const stored = async (callId: string | undefined): Promise<string> => {
    const row = await books.dataSource.getRepository('settlements').findOneByOrFail({ requestId: callId });
    return (row as { priceSnapshot: string }).priceSnapshot;
  };
  const explain = (callId: string | undefined) => new ExplainService(books.dataSource).explain(callId ?? '');

  it('keeps one row for calls of one price, and explains each from it [I12]', async () => {
    const ids = await settle(5);
    const names = new Set(await Promise.all(ids.map(stored)));
    expect(names.size).toBe(1);
    const row = await books.dataSource
      .getRepository('price_snapshots')
      .findOneByOrFail({ id: [...names][0] });
    expect(JSON.parse((row as { document: string }).document)).toMatchObject({
      mode: 'ratio',
      model: 'fx-std',
    });
    const before = await books.dataSource.getRepository('price_snapshots').count();
    await settle(1);
    expect(await books.dataSource.getRepository('price_snapshots').count()).toBe(before);
    const [free] = await settle(1, 'fx-free');
    expect(names.has(await stored(free))).toBe(false);
    expect(await explain(ids[0])).toMatchObject({
      charged: 110,
      isConsistent: true,
      snapshot: { model: 'fx-std' },
    });
    expect(await explain(free)).toMatchObject({
      charged: 0,
      isConsistent: true,
      snapshot: { model: 'fx-free' },
    });
    expect(await books.check(false)).toEqual([]);
  });

  it('finds a settlement that names prices which were not kept', async () => {
    const [callId] = await settle(1);
    const name = await stored(callId);
    const settlements = books.dataSource.getRepository('settlements');
    await settlements.update({ requestId: callId }, { priceSnapshot: 'nowhere' });
    expect(await books.check(false)).toMatchObject([{ invariant: 'I12', subject: `call ${callId}: charge` }]);
    await settlements.update({ requestId: callId }, { priceSnapshot: name });
  });

  it('writes the prices into the settlements again on the way back, and leaves them there on the way forward', async () => {
    const [callId] = await settle(1);
    expect(await stored(callId)).not.toContain('{');
    let reverted: string | null;
    do reverted = await revertLastMigration(books.dataSource);
    while (reverted !== null && !reverted.includes('price-snapshots'));
    expect(reverted).toContain('price-snapshots');
    expect(JSON.parse(await stored(callId))).toMatchObject({ model: 'fx-std' });
    await migrateDatabase(books.dataSource);
    expect(await explain(callId)).toMatchObject({ charged: 110, isConsistent: true });
    expect(await books.check(false)).toEqual([]);
  });
});

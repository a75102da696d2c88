import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { type DataSource } from 'typeorm';
import { ExplainService } from '../../../../server/base/billing/checks/explain.service.js';
import { DATABASE_KINDS } from '../../../support/database.js';
import { Crew, Books, openMemory, Worker } from '../../../support/fixtures/money.fixture.js';
import type { PoolDebit } from '../../../../server/base/billing/booking/batch-totals.js';
import type { BookingRecord } from '../../../../server/base/billing/records/spool-documents.js';

describe.each(DATABASE_KINDS)('late settlements on %s', (kind) => {
  let books: Books;
  let dataSource: DataSource;
  const crew = new Crew(() => books);
  beforeAll(async () => {
    books = await Books.open(kind);
    dataSource = books.dataSource;
  });
  afterEach(() => crew.leave());
  afterAll(() => books.close());

  const repository = (name: string) => dataSource.getRepository(name);
  /** Records the flusher would book, caught before it does. */
  function catchRecords(worker: Worker): BookingRecord[] {
    const caught: BookingRecord[] = [];
    worker.engine.flusher.enqueue = (record) => void caught.push(record);
    return caught;
  }

  it('corrects a late settlement from the pool when the account has its money there [F-70]', async () => {
    const userId = await books.addUser(110);
    const worker = await crew.start();
    const records = catchRecords(worker);
    const call = await worker.start(userId);
    expect(await books.user(userId)).toMatchObject({ quota: 0 });
    const prompt = { input: { total: 10 }, output: { total: 0 } };
    worker.end(call, prompt, { outcome: 'recovered', evidence: 'estimated' });
    const estimate = records.splice(0);
    const document = estimate[0]?.document;
    if (document === undefined || !('priced' in document)) throw new Error('no settlement');
    const late: BookingRecord[] = [{ type: 'S', document: { ...document, priced: 110, outcome: 'ok' } }];
    await books.book(estimate);
    // The store forgets what SQL took: its pool has got the rest of the estimate's hold back.
    const told: PoolDebit[] = [];
    expect(await books.book(late, { onTold: (debits) => told.push(...debits) })).toEqual({
      debits: [],
      voided: [],
    });
    expect(told).toMatchObject([{ callId: call.callId, amount: 100 }]);
    expect(await books.book(late)).toEqual({ debits: [], voided: [] });
    expect(
      await repository('ledger').findOneByOrFail({ kind: 'correction', ref: call.callId }),
    ).toMatchObject({ amount: -100 });
    const open = await repository('reservations').sum('amount', { userId, state: 'open' });
    expect(Number(open)).toBe(0);
    expect(await books.check(false)).toEqual([]);
  });

  it('corrects a late settlement of a recovered call once, in the ledger', async () => {
    const userId = await books.addUser(10_000);
    const worker = await crew.start();
    const records = catchRecords(worker);
    const call = await worker.start(userId);
    worker.end(
      call,
      { input: { total: 10 }, output: { total: 0 } },
      { outcome: 'recovered', evidence: 'estimated' },
    );
    const estimate = records.splice(0);
    // The same call, as its owner knew it: 110 instead of 10.
    const document = estimate[0]?.document;
    if (document === undefined || !('priced' in document)) throw new Error('no settlement');
    const real = {
      ...document,
      priced: 110,
      outcome: 'ok',
      usage: JSON.stringify({ input: { total: 10 }, output: { total: 50 } }),
    };
    const late: BookingRecord[] = [{ type: 'S', document: real }];
    for (const batch of [estimate, late, late, estimate])
      expect(await books.book(batch)).toEqual({ debits: [], voided: [] });
    // Two at once see each other: one corrects.
    await Promise.all([books.book(late), books.book(late)]);
    expect(await repository('ledger').countBy({ kind: 'correction', ref: call.callId })).toBe(1);
    expect(
      await repository('ledger').findOneByOrFail({ kind: 'correction', ref: call.callId }),
    ).toMatchObject({ amount: -100, quotaAfter: await books.balance(userId, worker.store) });
    expect(await books.user(userId)).toMatchObject({ usedQuota: 10, requestCount: 1 });
    expect(await books.check(false)).toEqual([]);
    expect(await new ExplainService(dataSource).explain(call.callId)).toMatchObject({
      charged: 10,
      correction: -100,
    });
  });

  it('charges dispatched calls for their prompt when host and spool are lost, and returns the rest [F-16]', async () => {
    const userId = await books.addUser(10_000);
    const tokenId = await books.addToken(userId, 5_000);
    const store = openMemory();
    crew.keep(store);
    const lost = new Worker(books, store, {
      dataDir: mkdtempSync(join(books.dataDir, 'lost-')),
      bootId: '0190a0b0-dead-7000-8000-000000000001',
    });
    await lost.engine.start();
    lost.engine.maintenance.stop();
    const dispatched = await lost.start(userId, tokenId, true);
    const caller = lost.caller(userId, tokenId, true);
    const held = await lost.engine.holds.reserve({
      callId: crypto.randomUUID(),
      caller,
      quote: lost.quote(caller),
      windows: [],
    });
    expect(held.ok).toBe(true);
    await lost.engine.returns.flush();
    await repository('instances').update(
      { bootId: '0190a0b0-dead-7000-8000-000000000001' },
      { lastSeenMs: 1 },
    );
    const reaper = new Worker(books, store, { dataDir: mkdtempSync(join(books.dataDir, 'reaper-')) });
    await reaper.engine.start();
    await reaper.engine.recovery.reapLostWorkers();
    expect(await repository('settlements').findOneByOrFail({ requestId: dispatched.callId })).toMatchObject({
      charged: 10,
      outcome: 'recovered',
      evidence: 'estimated',
    });
    expect(reaper.faults.join()).toContain(dispatched.callId);
    await reaper.engine.stop();
    expect(await books.user(userId)).toMatchObject({ quota: 9_990, usedQuota: 10 });
    expect(await books.token(tokenId)).toMatchObject({ remainQuota: 4_990, usedQuota: 10 });
    expect(await repository('instances').countBy({ bootId: '0190a0b0-dead-7000-8000-000000000001' })).toBe(0);
  });

  it('takes no worker that runs on this host for lost, however old its heartbeat [F-70]', async () => {
    const userId = await books.addUser(10_000);
    const store = crew.keep(openMemory());
    const dataDir = mkdtempSync(join(books.dataDir, 'woken-'));
    const bootId = '0190a0b0-aaaa-7000-8000-000000000001';
    const woken = await crew.start({ dataDir, bootId }, store);
    const sibling = await crew.start({ dataDir }, store);
    const call = await woken.start(userId);
    await woken.engine.returns.flush();
    await repository('instances').update({ bootId }, { lastSeenMs: 1 });
    await sibling.engine.recovery.reapLostWorkers();
    expect(sibling.faults).toEqual([]);
    expect(await repository('settlements').countBy({ requestId: call.callId })).toBe(0);
    woken.end(call);
    expect(await woken.engine.flusher.drain(10_000)).toBe(true);
    expect(await books.user(userId)).toMatchObject({ usedQuota: 110, requestCount: 1 });
  });
});

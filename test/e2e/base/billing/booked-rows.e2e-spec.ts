import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type DataSource, Not } from 'typeorm';
import type { SqlStore } from '../../../../server/infra/database/sql-store.js';
import { ALL_USERS } from '../../../../server/base/billing/ledger/all-users.js';
import { ExplainService } from '../../../../server/base/billing/checks/explain.service.js';
import { DATABASE_KINDS } from '../../../support/database.js';
import { catchRecords, listening, useWhere } from '../../../support/fixtures/booking.fixture.js';
import { Crew, Books } from '../../../support/fixtures/money.fixture.js';
import { channelRow, withoutId } from '../../../support/stored-rows.js';

describe.each(DATABASE_KINDS)('what booking writes, on %s', (kind) => {
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

  it('writes the charge, not the price, when a line is replayed into a log database of its own', async () => {
    const userId = await books.addUser(820);
    const worker = await crew.start();
    const records = catchRecords(worker);
    const dear = await worker.start(userId);
    worker.end(dear, { input: { total: 10 }, output: { total: 5_000 } });
    const away: SqlStore = {
      ...listening(dataSource, () => undefined),
      transaction: () => Promise.reject(new Error('the log database is away')),
    };
    expect(await books.booker({ logStore: away }).book(records)).toBeUndefined();
    expect(await repository('settlements').countBy({ userId, charged: 820 })).toBe(1);
    expect(await repository('logs').countBy({ userId })).toBe(0);
    await books.booker({ logStore: listening(dataSource, () => undefined) }).book(records);
    expect(await repository('logs').findBy({ userId })).toMatchObject([
      { requestId: dear.callId, quota: 820 },
    ]);
    expect(await repository('settlements').countBy({ userId })).toBe(1);
  });

  it('writes the log row, the hourly figures and the counters a console reads', async () => {
    const userId = await books.addUser(10_000);
    const tokenId = await books.addToken(userId, null);
    const { identifiers } = await repository('channels').insert(withoutId(channelRow({ name: 'c' })));
    const channelId = Number(identifiers[0]?.['id']);
    const worker = await crew.start();
    const call = await worker.start(userId, tokenId, false);
    const attempt = { channelId, channelName: 'c', startedAtMs: 1, endedAtMs: 2 };
    worker.end(call, undefined, {
      channelId,
      attempts: [{ ...attempt, channelId: 7 }, attempt],
      isModelMapped: true,
      upstreamModel: 'real',
    });
    await worker.engine.stop();
    const log = (await repository('logs').findOneByOrFail({ requestId: call.callId })) as { other: string };
    expect(log).toMatchObject({
      userId,
      type: 2,
      quota: 110,
      promptTokens: 10,
      completionTokens: 50,
      useTime: 1,
      isStream: true,
      channelId,
      tokenId,
      tokenName: 'test',
      username: `user-${userId}`,
      modelName: 'fx-std',
      group: 'default',
      content: 'model ratio 1.00, completion ratio 2.00, group ratio 1.00',
    });
    expect(JSON.parse(log.other)).toMatchObject({
      model_ratio: 1,
      group_ratio: 1,
      completion_ratio: 2,
      model_price: -1,
      cache_tokens: 0,
      cache_ratio: 1,
      frt: 3,
      is_model_mapped: true,
      upstream_model_name: 'real',
      request_path: '/v1/chat/completions',
      evidence: 'reported',
      outcome: 'ok',
      admin_info: { use_channel: ['7', String(channelId)] },
    });
    expect(await repository('quota_data').findOneByOrFail({ userId })).toMatchObject({
      tokenUsed: 60,
      count: 1,
      quota: 110,
    });
    expect(await useWhere(dataSource, { userId: ALL_USERS })).toEqual(
      await useWhere(dataSource, { userId: Not(ALL_USERS) }),
    );
    expect(await repository('channels').findOneByOrFail({ id: channelId })).toMatchObject({ usedQuota: 110 });
    expect(await books.token(tokenId)).toMatchObject({ usedQuota: 110 });
    expect(await books.check(false)).toEqual([]);
    const explanation = await new ExplainService(dataSource).explain(call.callId, userId);
    expect(explanation).toMatchObject({
      formula: '(10 + 50 × 2) × 1 × 1 = 110 → 110',
      isConsistent: true,
      charged: 110,
    });
    expect(await new ExplainService(dataSource).explain(call.callId, userId + 1)).toBeUndefined();
  });

  it('books everything but the log row without consumption logging [LOG-109]', async () => {
    const userId = await books.addUser(10_000);
    const worker = await crew.start({ logConsumption: false });
    const call = await worker.start(userId);
    worker.end(call);
    await worker.engine.stop();
    expect(await repository('logs').countBy({ requestId: call.callId })).toBe(0);
    expect(await repository('quota_data').countBy({ userId })).toBe(1);
    expect(await books.user(userId)).toMatchObject({ usedQuota: 110, requestCount: 1 });
  });

  it('quarantines a record that cannot be booked, and delays no other', async () => {
    const userId = await books.addUser(10_000);
    const worker = await crew.start();
    const bad = await worker.start(userId);
    const good = await worker.start(userId);
    worker.end(bad, undefined, { outcome: 'a text far longer than its column' as never });
    worker.end(good);
    expect(await worker.engine.flusher.drain(10_000)).toBe(true);
    const folder = join(worker.engine.spool.folder, '..', 'quarantine');
    expect(await repository('settlements').countBy({ requestId: good.callId })).toBe(1);
    expect(await repository('settlements').countBy({ requestId: bad.callId })).toBe(0);
    expect(readdirSync(folder)).toEqual([`${bad.callId}.json`]);
    expect(worker.faults.join()).toContain(bad.callId);
    await worker.engine.stop();
  });

  it('cleans text that a database cannot store, NUL and half characters, instead of losing it', async () => {
    const userId = await books.addUser(10_000);
    const worker = await crew.start();
    const call = await worker.start(userId);
    worker.end(call, undefined, { outcome: 'partial', note: 'broken \u0000 \ud800 end 漢字 🙂' });
    await worker.engine.stop();
    const log = (await repository('logs').findOneByOrFail({ requestId: call.callId })) as { content: string };
    expect(log.content).toContain('end 漢字 🙂');
  });
});

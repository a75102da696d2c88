import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type DataSource } from 'typeorm';
import { DATABASE_KINDS } from '../../../support/database.js';
import { until } from '../../../support/until.js';
import { catchRecords, listening, useWhere } from '../../../support/fixtures/booking.fixture.js';
import { Crew, Books } from '../../../support/fixtures/money.fixture.js';
import type { AcceptedTask } from '../../../../server/relay-core/model/task.js';

describe.each(DATABASE_KINDS)('booking on %s', (kind) => {
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

  it('changes the books once for a batch that is booked three times, also at once [I6]', async () => {
    const userId = await books.addUser(100_000);
    const tokenId = await books.addToken(userId, 50_000);
    const worker = await crew.start();
    const records = catchRecords(worker);
    for (let index = 0; index < 30; index += 1) worker.end(await worker.start(userId, tokenId, true));
    const book = () => books.book(records);
    await book();
    const first = await books.user(userId);
    await book();
    await Promise.all([book(), book()]);
    expect(await books.user(userId)).toEqual(first);
    expect(first).toMatchObject({ usedQuota: 3_300, requestCount: 30 });
    expect(await repository('settlements').countBy({ userId })).toBe(30);
    expect(await books.check(false)).toEqual([]);
  });

  it('books the others once when a worker that stopped looking for booked calls meets one [I6]', async () => {
    const userId = await books.addUser(100_000);
    const worker = await crew.start();
    const records = catchRecords(worker);
    for (let index = 0; index < 12; index += 1) worker.end(await worker.start(userId));
    const [first, second, third] = [records.slice(0, 4), records.slice(4, 8), records.slice(8)];
    const statements: string[] = [];
    const own = books.booker({ store: listening(dataSource, (sql) => void statements.push(sql)) });
    const looks = (): number => statements.filter((sql) => /^SELECT .*FROM "settlements"/.test(sql)).length;
    await own.book(first);
    expect(looks()).toBe(1);
    await own.book(second);
    expect(looks()).toBe(1);
    // Another worker books some of the rest; then this one books all its records, and again those that are still unbooked.
    await books.book(third.slice(0, 2));
    expect(await own.book(records)).toBeDefined();
    expect(looks()).toBe(2);
    expect(await own.book([...third, ...first])).toBeDefined();
    expect(looks()).toBe(3);
    expect(await books.user(userId)).toMatchObject({ usedQuota: 1_320, requestCount: 12 });
    expect(await repository('settlements').countBy({ userId })).toBe(12);
    expect(await repository('logs').countBy({ userId })).toBe(12);
    expect(await books.check(false)).toEqual([]);
  });

  it('leaves the pool of other calls even when a call is charged for more than it held [UP-01]', async () => {
    const userId = await books.addUser(820);
    const worker = await crew.start();
    const [greedy, neighbour] = [await worker.start(userId), await worker.start(userId)];
    worker.end(greedy, { input: { total: 10 }, output: { total: 5_000 } });
    expect(await worker.engine.flusher.drain(10_000)).toBe(true);
    worker.end(neighbour);
    expect(await worker.engine.flusher.drain(10_000)).toBe(true);
    expect(await books.user(userId)).toMatchObject({ quota: 0, usedQuota: 820, requestCount: 2 });
    // Refused for want of money, not for want of a gateway.
    expect(await worker.begin(worker.caller(userId, null, false))).toBe('quota-insufficient user');
    // An emptied pool is forgotten; an overdrawn one would stay, and take the owner's next top-up.
    const { pools } = worker.store;
    await pools.drain({ userId, tokenId: null }, 0);
    const left: number[] = [];
    for await (const pool of pools.list()) left.push(pool.userId);
    expect(left).not.toContain(userId);
  });

  it('records tasks exactly once, with the amount paid, whichever worker books their charge and how often [TASK-102]', async () => {
    const userId = await books.addUser(100_000);
    const tokenId = await books.addToken(userId, 50_000);
    const worker = await crew.start();
    const records = catchRecords(worker);
    const told = {
      code: 22,
      description: 'd\u0000',
      prompt: 'a cat \ud800',
      state: 's',
      properties: '{"a":1}',
    };
    const begun = { ...told, isFinished: false, imageUrl: '' };
    const tasks: readonly AcceptedTask[] = [
      { ...begun, platform: 'midjourney', id: 'mj-1', action: 'IMAGINE' },
      {
        ...begun,
        platform: 'midjourney',
        id: '',
        action: 'UPLOAD',
        isFinished: true,
        imageUrl: 'https://cdn.example/1.png',
      },
      { ...begun, platform: 'suno', id: 'song-1', action: 'MUSIC' },
    ];
    const calls: string[] = [];
    for (const task of tasks) {
      const call = await worker.start(userId, tokenId, true);
      calls.push(call.callId);
      worker.end(call, undefined, { task });
    }
    const plain = await worker.start(userId, tokenId, true);
    worker.end(plain);
    await books.book(records);
    await Promise.all([books.book(records), books.book(records.slice(1))]);
    const drawings = await repository('midjourneys').find({ where: { userId }, order: { id: 'ASC' } });
    expect(drawings).toMatchObject([
      {
        requestId: calls[0],
        tokenId,
        tokenLimited: 1,
        quota: 110,
        mjId: 'mj-1',
        code: 22,
        state: 's',
        prompt: 'a cat \ufffd',
        description: 'd',
        status: 'SUBMITTED',
        progress: '0%',
        finishTime: 0,
        imageUrl: '',
        properties: '{"a":1}',
        logPending: 0,
        failReason: '',
      },
      {
        requestId: calls[1],
        mjId: calls[1],
        status: 'SUCCESS',
        progress: '100%',
        imageUrl: 'https://cdn.example/1.png',
      },
    ]);
    expect(drawings[1]?.['finishTime']).toBe(drawings[1]?.['submitTime']);
    const songs = await repository('tasks').find({ where: { userId } });
    expect(songs).toMatchObject([
      {
        requestId: calls[2],
        taskId: 'song-1',
        platform: 'suno',
        action: 'MUSIC',
        quota: 110,
        status: 'SUBMITTED',
      },
    ]);
    expect(
      Math.abs(Number(songs[0]?.['submitTime']) * 1000 - Number(drawings[0]?.['submitTime'])),
    ).toBeLessThan(60_000);
    expect(await repository('settlements').countBy({ userId })).toBe(4);
    expect(await books.check(false)).toEqual([]);
  });

  it('writes off the part an account cannot pay: settlement and log row hold the paid amount', async () => {
    const userId = await books.addUser(820);
    const worker = await crew.start();
    const dear = await worker.start(userId);
    worker.end(dear, { input: { total: 10 }, output: { total: 5_000 } });
    expect(await worker.engine.flusher.drain(10_000)).toBe(true);
    expect(await repository('settlements').findOneByOrFail({ requestId: dear.callId })).toMatchObject({
      charged: 820,
      writeoff: 10_010 - 820,
    });
    expect(await repository('logs').findOneByOrFail({ requestId: dear.callId })).toMatchObject({
      quota: 820,
    });
    expect(await useWhere(dataSource, { userId })).toEqual([5_010, 1, 820]);
    expect(await books.check(false)).toEqual([]);
  });

  it('books calls once that two workers book in the same moment', async () => {
    const userId = await books.addUser(100_000);
    const worker = await crew.start();
    const records = catchRecords(worker);
    for (let index = 0; index < 50; index += 1) worker.end(await worker.start(userId));
    const ways = [records, records.toReversed(), records.slice(20), records.slice(0, 30)];
    // The slower one has to try again, as the thread does.
    await Promise.all(
      ways.map(async (batch) => {
        while ((await books.book(batch)) === undefined);
      }),
    );
    expect(await books.user(userId)).toMatchObject({ usedQuota: 5_500, requestCount: 50 });
    expect(await repository('logs').countBy({ userId, type: 2 })).toBe(50);
    expect(await books.check(false)).toEqual([]);
  });

  it("writes a batch's own rows before it locks an account, and rows that all batches share last [I6]", async () => {
    const userId = await books.addUser(100_000);
    const worker = await crew.start();
    const records = catchRecords(worker);
    for (let index = 0; index < 3; index += 1)
      worker.end(await worker.start(userId), undefined, { channelId: 7 });
    const tables: string[] = [];
    const note = (sql: string): void => {
      const [, locked] = /^SELECT .* FROM "(users)"/.exec(sql) ?? [];
      const [, table] = /^(?:INSERT INTO|UPDATE) "(\w+)"/.exec(sql) ?? [];
      const name = locked ?? table;
      if (name !== undefined && name !== tables.at(-1)) tables.push(name);
    };
    await books.book(records, { store: listening(dataSource, note) });
    expect(tables).toEqual([
      'price_snapshots',
      'settlements',
      'logs',
      'users',
      'reservations',
      'channels',
      'quota_data',
      'reference_totals',
    ]);
  });

  it('finds the work done at the next try when the answer to COMMIT is lost [F-19]', async () => {
    const userId = await books.addUser(10_000);
    const worker = await crew.start();
    const call = await worker.start(userId);
    const original = dataSource.transaction.bind(dataSource);
    let lost = 0;
    dataSource.transaction = (async (work: Parameters<DataSource['transaction']>[0]) => {
      const result = await (original as unknown as (inner: unknown) => Promise<unknown>)(work);
      if (lost < 2) {
        lost += 1;
        throw Object.assign(new Error('Connection lost: the server closed the connection.'), {
          code: 'PROTOCOL_CONNECTION_LOST',
        });
      }
      return result;
    }) as unknown as DataSource['transaction'];
    try {
      worker.end(call);
      expect(await worker.engine.flusher.drain(10_000)).toBe(true);
    } finally {
      dataSource.transaction = original;
    }
    await worker.engine.stop();
    expect(lost).toBe(2);
    expect(await books.user(userId)).toMatchObject({ quota: 9_890, usedQuota: 110, requestCount: 1 });
  });

  it('books a batch that the database gave up in a deadlock at the next try, once, and without an error [F-65]', async () => {
    // SQLite has one writer: deadlocks are impossible.
    if (kind === 'sqlite') return;
    const worker = await crew.start();
    const [first, second] = [await books.addUser(1_000), await books.addUser(1_000)].toSorted(
      (a, b) => a - b,
    );
    const calls = [await worker.start(first ?? 0), await worker.start(second ?? 0)];
    const before = await deadlocks();
    const runner = dataSource.createQueryRunner();
    const lock = (id: number | undefined): Promise<unknown> =>
      runner.query(`SELECT id FROM users WHERE id = ${id} FOR UPDATE`);
    await runner.startTransaction();
    try {
      // Much to undo: the database gives up the other one.
      await runner.query(
        `INSERT INTO limit_counters (${keyColumn()}, moments, until_ms) VALUES ${Array.from({ length: 200 }, (_, index) => `('ballast-${index}', '[]', 0)`).join()}`,
      );
      await lock(second);
      for (const call of calls) worker.end(call);
      worker.engine.spool.flush();
      // Booking has the first account and waits for the second.
      await until(isSomebodyWaiting, INNODB_LOOK_MS);
      await lock(first);
    } finally {
      await runner.rollbackTransaction();
      await runner.release();
    }
    expect(await worker.engine.flusher.drain(10_000)).toBe(true);
    await until(async () => (await deadlocks()) > before);
    for (const id of [first, second])
      expect(await books.user(id ?? 0)).toMatchObject({ usedQuota: 110, requestCount: 1 });
    for (const { callId } of calls)
      expect(await repository('settlements').countBy({ requestId: callId })).toBe(1);
    expect(worker.faults).toEqual([]);
    expect(await books.check(false)).toEqual([]);
  });

  const keyColumn = (): string => (kind === 'mariadb' ? '`key`' : '"key"');
  /** InnoDB answers from its last snapshot of the locks while queries come more often than every 100 ms. */
  const INNODB_LOOK_MS = 150;
  /** Number of deadlocks, by the database's own count. */
  async function deadlocks(): Promise<number> {
    const rows = (await dataSource.query(
      kind === 'mariadb'
        ? `SHOW GLOBAL STATUS LIKE 'Innodb_deadlocks'`
        : 'SELECT deadlocks AS "Value" FROM pg_stat_database WHERE datname = current_database()',
    )) as { Value: string }[];
    return Number(rows[0]?.Value);
  }
  async function isSomebodyWaiting(): Promise<boolean> {
    const rows = (await dataSource.query(
      kind === 'mariadb'
        ? // Others wait as well, in databases of theirs.
          `SELECT COUNT(*) AS waiting FROM information_schema.innodb_trx JOIN information_schema.processlist ON id = trx_mysql_thread_id
             WHERE trx_state = 'LOCK WAIT' AND db = DATABASE()`
        : `SELECT COUNT(*) AS waiting FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    )) as { waiting: string }[];
    return Number(rows[0]?.waiting) > 0;
  }

  it('finds exactly the rows that were tampered with [F-74]', async () => {
    expect(await books.check(false)).toEqual([]);
    const [balance, missing, doubled] = [
      await books.addUser(1_000),
      await books.addUser(1_000),
      await books.addUser(1_000),
    ];
    const worker = await crew.start();
    const calls = [await worker.start(missing), await worker.start(missing), await worker.start(doubled)];
    for (const call of calls) worker.end(call);
    await worker.engine.stop();
    await repository('users').update({ id: balance }, { quota: 1_001 });
    await repository('settlements').delete({ requestId: calls[0]?.callId });
    await repository('ledger').insert({
      userId: doubled,
      kind: 'import',
      amount: 1_000,
      quotaAfter: 2_000,
      ref: 'again',
      reason: '',
      createdAtMs: 1,
    });
    await repository('settlements').update(
      { requestId: calls[2]?.callId },
      { usage: '{"input":{"total":11},"output":{"total":50}}' },
    );
    const named = (await books.check()).map(({ invariant, subject }) => `${invariant} ${subject}`);
    expect(named.filter((line) => !line.startsWith('I2 call')).sort()).toEqual(
      [
        `I1 user ${balance}`,
        `I1 user ${missing}`,
        `I1 user ${doubled}`,
        'I11 all accounts',
        `I2 user ${missing}: used quota`,
        `I3 user ${missing}: number of calls`,
        `I12 call ${calls[2]?.callId}: charge`,
      ].sort(),
    );
    expect(named).toContain(`I2 call ${calls[0]?.callId}: log row`);
  });
});

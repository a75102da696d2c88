import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Books, Crew, expectStarted, openMemory } from '../../../support/fixtures/money.fixture.js';

const PRICE = 110;

const combinations = (['mariadb', 'postgres'] as const).flatMap((kind) =>
  [true, false].map((isThere) => ({ kind, isThere, way: isThere ? 'pools' : 'no store' })),
);

describe.each(combinations)('accounts without money, on $kind with $way', ({ kind, isThere }) => {
  let books: Books;
  const crew = new Crew(() => books);

  beforeAll(async () => {
    books = await Books.open(kind);
  });
  afterEach(async () => {
    await crew.leave();
    expect(await books.check()).toEqual([]);
  });
  afterAll(() => books.close());

  const startWorker = () => {
    const store = crew.keep(openMemory());
    if (!isThere) Object.defineProperty(store, 'isAvailable', { value: false });
    return crew.start({}, store);
  };

  it("refuses a call without waiting for a row with another transaction's lock; a funded account waits [F-10, F-64]", async () => {
    const [poor, rich, banned] = [
      await books.addUser(PRICE - 1),
      await books.addUser(100 * PRICE),
      await books.addUser(100 * PRICE, { status: 2 }),
    ];
    const emptyToken = await books.addToken(rich, PRICE - 1);
    const worker = await startWorker();
    let waits = true;
    const waiting = await books.dataSource.transaction(async (manager) => {
      await manager.query(`SELECT id FROM users WHERE id IN (${poor}, ${rich}, ${banned}) FOR UPDATE`);
      const refused = [
        worker.caller(poor, null),
        worker.caller(banned, null),
        worker.caller(rich, emptyToken, true),
      ];
      expect(await Promise.all(refused.map((caller) => worker.begin(caller)))).toEqual([
        'quota-insufficient user',
        'quota-insufficient user',
        'quota-insufficient token',
      ]);
      const started = worker.begin(worker.caller(rich, null)).finally(() => (waits = false));
      await manager.query('SELECT 1');
      expect(waits).toBe(true);
      return { started };
    });
    worker.end(expectStarted(await waiting.started));
  });

  it('serves a call when money came meanwhile', async () => {
    const userId = await books.addUser(PRICE - 1);
    const worker = await startWorker();
    const caller = worker.caller(userId, null);
    expect(await worker.begin(caller)).toBe('quota-insufficient user');
    await books.credit(userId, 1, `more:${userId}`);
    worker.end(expectStarted(await worker.begin(caller)));
  });
});

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import type { DataSource, EntityManager } from 'typeorm';
import { DatabaseBusyError } from '../../../../server/infra/database/connection-acquire-limit.js';
import { dialectOf, openDataSource } from '../../../../server/infra/database/data-source.js';
import { migrateDatabase } from '../../../../server/infra/database/migrate-database.js';
import {
  isDuplicateKey,
  isRetried,
  runInSnapshot,
  runInTransaction,
} from '../../../../server/infra/database/run-in-transaction.js';
import { loadAllEntities } from '../../../support/all-entities.js';
import { createTestDatabase, DATABASE_KINDS, type TestDatabase } from '../../../support/database.js';
import { userRow, withoutId } from '../../../support/stored-rows.js';

class ForcedRollback extends Error {}

let entities: Awaited<ReturnType<typeof loadAllEntities>>;
beforeAll(async () => {
  entities = await loadAllEntities();
});

const putOption = (manager: EntityManager, key: string): Promise<unknown> =>
  manager.getRepository('options').insert({ key, value: '' });

describe.each(DATABASE_KINDS)('transactions on %s', (kind) => {
  let database: TestDatabase;
  let dataSource: DataSource;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    dataSource = await openDataSource(database.url, { entities, acquireMs: 20_000 });
    await migrateDatabase(dataSource);
  });

  beforeEach(async () => {
    await dataSource.getRepository('options').clear();
  });

  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  const storedKeys = async (): Promise<string[]> => {
    const rows = await dataSource.getRepository('options').find();
    return rows.map(({ key }) => String(key)).sort();
  };

  it('keeps 180 concurrent flows with savepoints and forced rollbacks apart, to the row', async () => {
    const expected: string[] = [];
    const flows = Array.from({ length: 180 }, async (_, index) => {
      const fate = index % 6;
      const name = (part: string): string => `flow-${index}-${part}`;
      if (fate === 0) {
        expected.push(name('single'));
        await putOption(dataSource.manager, name('single'));
        return;
      }
      const isOuterKept = fate !== 1 && fate !== 4;
      const isInnerKept = fate !== 2 && fate !== 4;
      if (isOuterKept) expected.push(name('before'), name('after'));
      if (isOuterKept && isInnerKept) expected.push(name('inner'));
      const outcome = dataSource.transaction(async (manager) => {
        await putOption(manager, name('before'));
        const inner = manager.transaction(async (nested) => {
          await putOption(nested, name('inner'));
          if (!isInnerKept) throw new ForcedRollback();
        });
        if (isInnerKept) await inner;
        else await expect(inner).rejects.toThrow(ForcedRollback);
        await putOption(manager, name('after'));
        if (!isOuterKept) throw new ForcedRollback();
      });
      if (isOuterKept) await outcome;
      else await expect(outcome).rejects.toThrow(ForcedRollback);
    });
    await Promise.all(flows);
    expect(await storedKeys()).toEqual(expected.sort());
  });

  it('never loses an update of 100 concurrent guarded transactions', async () => {
    const users = dataSource.getRepository('users');
    await users.insert(withoutId(userRow({ usernameFolded: `ann-${kind}`, quota: 1_000 })));
    const outcomes = await Promise.all(
      Array.from({ length: 100 }, () =>
        runInTransaction(dataSource, async (manager) => {
          const { affected } = await manager
            .createQueryBuilder()
            .update('users')
            .set({ quota: () => 'quota - 15' })
            .where('username_folded = :name AND quota >= 15', { name: `ann-${kind}` })
            .execute();
          return affected;
        }),
      ),
    );
    // 1,000 = 66 × 15 + 10
    expect(outcomes.filter((affected) => affected === 1)).toHaveLength(66);
    const left = await users.findOneByOrFail({ usernameFolded: `ann-${kind}` });
    expect(left['quota']).toBe(10);
  });

  it('repeats the whole transaction when the database gave way to another', async () => {
    let attempts = 0;
    const result = await runInTransaction(dataSource, async (manager) => {
      attempts += 1;
      await putOption(manager, `attempt-${attempts}`);
      if (attempts < 3) throw Object.assign(new Error('deadlock'), { errno: 1213 });
      return attempts;
    });
    expect(result).toBe(3);
    expect(await storedKeys()).toEqual(['attempt-3']);
  });

  it('gives up after five attempts, and at once for a fault that will not go away', async () => {
    let attempts = 0;
    const always = runInTransaction(dataSource, async () => {
      attempts += 1;
      throw Object.assign(new Error('deadlock'), { code: '40P01' });
    });
    await expect(always).rejects.toThrow('deadlock');
    expect(attempts).toBe(5);
    await putOption(dataSource.manager, 'taken');
    const twice: unknown = await runInTransaction(dataSource, (manager) => putOption(manager, 'taken')).catch(
      (error: unknown) => error,
    );
    expect(isDuplicateKey(twice)).toBe(true);
    expect(isRetried(twice)).toBe(false);
  });

  it('reads one state of the database while others go on writing, and cannot change it', async () => {
    await putOption(dataSource.manager, 'first');
    const other = await openDataSource(database.url, { entities });
    const [before, during] = await runInSnapshot(dataSource, async (manager) => {
      const options = manager.getRepository('options');
      const countBefore = await options.count();
      await putOption(other.manager, 'second');
      return [countBefore, await options.count()];
    });
    await other.destroy();
    expect([before, during]).toEqual([1, 1]);
    expect(await storedKeys()).toEqual(['first', 'second']);
    if (dialectOf(dataSource) === 'sqlite') return;
    await expect(runInSnapshot(dataSource, (manager) => putOption(manager, 'third'))).rejects.toThrow(
      /read.only/i,
    );
  });

  it('works again after a runner was given back in the middle of a transaction', async () => {
    const runner = dataSource.createQueryRunner();
    await runner.startTransaction();
    await putOption(runner.manager, 'abandoned');
    if (dialectOf(dataSource) !== 'sqlite') await runner.rollbackTransaction();
    await runner.release();
    await putOption(dataSource.manager, 'next');
    expect(await storedKeys()).toEqual(['next']);
  });
});

describe.each(['mariadb', 'postgres'] as const)('contention on %s', (kind) => {
  let database: TestDatabase;
  let dataSource: DataSource;

  beforeEach(async () => {
    database = await createTestDatabase(kind);
    dataSource = await openDataSource(database.url, { entities, poolSize: 2, acquireMs: 100 });
    await migrateDatabase(dataSource);
  });

  afterEach(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  it('resolves a real deadlock of two transactions: both succeed in the end', async () => {
    await putOption(dataSource.manager, 'a');
    await putOption(dataSource.manager, 'b');
    const touch = (manager: EntityManager, key: string, value: string): Promise<unknown> =>
      manager.getRepository('options').update({ key }, { value });
    const gate = Promise.withResolvers<void>();
    let inside = 0;
    let attempts = 0;
    const cross = (first: string, second: string, value: string): Promise<void> =>
      runInTransaction(dataSource, async (manager) => {
        attempts += 1;
        await touch(manager, first, value);
        inside += 1;
        if (inside === 2) gate.resolve();
        await gate.promise;
        await touch(manager, second, value);
      });
    await Promise.all([cross('a', 'b', 'one'), cross('b', 'a', 'two')]);
    expect(attempts).toBeGreaterThan(2);
    const values = await dataSource.getRepository('options').find();
    expect(new Set(values.map(({ value }) => String(value))).size).toBe(1);
  });

  it('refuses waiters past the deadline, and recovers', async () => {
    const holders = [dataSource.createQueryRunner(), dataSource.createQueryRunner()];
    await Promise.all(holders.map((holder) => holder.connect()));
    await expect(dataSource.query('SELECT 1')).rejects.toThrow(DatabaseBusyError);
    await Promise.all(holders.map((holder) => holder.release()));
    expect(await dataSource.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('a locked row makes another connection wait, not read on', async () => {
    await putOption(dataSource.manager, 'row');
    const order: string[] = [];
    const locked = Promise.withResolvers<void>();
    const events = new EventTarget();
    const release = once(events as never, 'release');
    const lockRow = (manager: EntityManager): Promise<unknown> =>
      manager
        .getRepository('options')
        .findOneOrFail({ where: { key: 'row' }, lock: { mode: 'pessimistic_write' } });
    const first = runInTransaction(dataSource, async (manager) => {
      await lockRow(manager);
      locked.resolve();
      await release;
      order.push('first');
    });
    await locked.promise;
    const second = runInTransaction(dataSource, async (manager) => {
      const waiting = lockRow(manager);
      events.dispatchEvent(new Event('release'));
      await waiting;
      order.push('second');
    });
    await Promise.all([first, second]);
    expect(order).toEqual(['first', 'second']);
  });
});

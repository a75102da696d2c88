import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { openDatabase } from '../../server/infra/database/open-database.js';
import { StoredIdEntity } from '../../server/modules/relay/stored-ids/stored-id.entity.js';
import { StoredIdLedger } from '../../server/modules/relay/stored-ids/stored-id-ledger.js';
import { loadAllEntities } from '../support/all-entities.js';
import { createTestDatabase, DATABASE_KINDS, type TestDatabase } from '../support/database.js';
import { MemoryClock } from '../support/memory-ports.js';

const DAY_MS = 86_400_000;

describe.each(DATABASE_KINDS)('ids of stored things in %s', (kind) => {
  let database: TestDatabase;
  let instances: DataSource[];
  let ledgers: StoredIdLedger[];
  const clock = new MemoryClock();

  beforeAll(async () => {
    const entities = await loadAllEntities();
    database = await createTestDatabase(kind);
    const first = await openDatabase(database.url, { entities });
    // SQLite has one instance.
    instances = kind === 'sqlite' ? [first] : [first, await openDatabase(database.url, { entities })];
    ledgers = instances.map((dataSource) => new StoredIdLedger(dataSource, clock));
  });
  afterAll(async () => {
    for (const dataSource of instances) await dataSource.destroy();
    await database.drop();
  });

  const at = (index: number): StoredIdLedger => ledgers[index % ledgers.length] as StoredIdLedger;
  const foreign = async (index: number, userId: number, ...ids: string[]): Promise<string[]> =>
    [...(await at(index).foreignTo(userId, ids))].toSorted();

  it('what one instance hands out to an account another one knows for its own, and for nobody else’s', async () => {
    await at(0).record(1, ['resp_a', 'msg_a']);
    expect(await foreign(1, 1, 'resp_a', 'msg_a')).toEqual([]);
    expect(await foreign(1, 2, 'resp_a', 'msg_a', 'resp_unknown')).toEqual([
      'msg_a',
      'resp_a',
      'resp_unknown',
    ]);
    expect(await foreign(0, 1, 'resp_a', 'RESP_A', 'resp_a ', '')).toEqual(['', 'RESP_A', 'resp_a ']);
  });

  it('the first account keeps an id, whoever gets the same one later and wherever', async () => {
    await at(0).record(1, ['resp_twice']);
    await at(1).record(2, ['resp_twice']);
    await at(0).record(2, ['resp_twice']);
    expect(await foreign(1, 1, 'resp_twice')).toEqual([]);
    expect(await foreign(0, 2, 'resp_twice')).toEqual(['resp_twice']);
  });

  it('many answers at once, of several accounts on several instances, are all known when they end', async () => {
    const answers = Array.from({ length: 60 }, (_, index) => ({
      userId: 1 + (index % 3),
      ids: [`r_${index}`, `m_${index}`, 'shared'],
    }));
    await Promise.all(answers.map(({ userId, ids }, index) => at(index).record(userId, ids)));
    const lost = await Promise.all(
      answers.map(({ userId, ids }, index) => foreign(index + 1, userId, ...ids.slice(0, 2))),
    );
    expect(lost.flat()).toEqual([]);
    const owners = await Promise.all([1, 2, 3].map((userId) => foreign(0, userId, 'shared')));
    expect(owners.filter((missing) => missing.length === 0)).toHaveLength(1);
    expect(clock.waiting).toBe(0);
  });

  it('ids themselves are not in the database', async () => {
    const rows = await (instances[0] as DataSource).getRepository(StoredIdEntity).find();
    expect(rows.length).toBeGreaterThan(0);
    for (const { digest } of rows) expect(digest).toMatch(/^[\w-]{43}$/);
  });

  it('what was handed out long ago is nobody’s, and its rows go', async () => {
    clock.advance(31 * DAY_MS);
    const fresh = ledgers.map((_, index) => new StoredIdLedger(instances[index] as DataSource, clock));
    expect([...(await (fresh[0] as StoredIdLedger).foreignTo(1, ['resp_a']))]).toEqual(['resp_a']);
    await at(0).record(1, ['resp_new']);
    expect(await at(0).removeOver()).toBeGreaterThan(100);
    expect(await (instances[0] as DataSource).getRepository(StoredIdEntity).count()).toBe(1);
    expect(await foreign(0, 1, 'resp_new')).toEqual([]);
  });
});

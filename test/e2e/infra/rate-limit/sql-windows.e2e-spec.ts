import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { openDatabase } from '../../../../server/infra/database/open-named-database.js';
import { LimitCounterEntity } from '../../../../server/infra/rate-limit/limit-counter.entity.js';
import { SqlWindows } from '../../../../server/infra/rate-limit/sql-windows.js';
import { loadAllEntities } from '../../../support/all-entities.js';
import { createTestDatabase, DATABASE_KINDS, type TestDatabase } from '../../../support/database.js';

const HOUR_MS = 3_600_000;

describe.each(DATABASE_KINDS)('windows in %s, for the time without the shared store', (kind) => {
  let database: TestDatabase;
  let instances: DataSource[];
  let windows: SqlWindows[];

  beforeAll(async () => {
    const entities = await loadAllEntities();
    database = await createTestDatabase(kind);
    const first = await openDatabase(database.url, { entities });
    // SQLite has one instance.
    instances = kind === 'sqlite' ? [first] : [first, await openDatabase(database.url, { entities })];
    windows = instances.map((dataSource) => new SqlWindows(dataSource));
  });
  afterAll(async () => {
    for (const dataSource of instances) await dataSource.destroy();
    await database.drop();
  });

  const one = (index = 0): SqlWindows => windows[index % windows.length] as SqlWindows;

  it('admits exactly the limit of many concurrent requests over all instances [F-54]', async () => {
    const asks = Array.from({ length: 30 }, (_, index) => one(index).admit('busy', 10, HOUR_MS));
    const verdicts = await Promise.all(asks);
    expect(verdicts.filter(({ admitted }) => admitted)).toHaveLength(10);
    const refused = verdicts.find(({ admitted }) => !admitted);
    expect(refused).toMatchObject({ admitted: false, retryAfterMs: expect.any(Number) });
    const waitMs = refused?.admitted === false ? refused.retryAfterMs : 0;
    expect(waitMs).toBeGreaterThan(HOUR_MS - 60_000);
    expect(waitMs).toBeLessThanOrEqual(HOUR_MS);
  });

  it('records without asking, counts what lies in the window, and forgets', async () => {
    await one(0).record('failures', HOUR_MS);
    await one(1).record('failures', HOUR_MS);
    expect(await one(1).count('failures', HOUR_MS)).toBe(2);
    expect(await one(0).admit('failures', 2, HOUR_MS)).toMatchObject({ admitted: false });
    await one(0).reset('failures');
    expect(await one(1).count('failures', HOUR_MS)).toBe(0);
  });

  it('moments leave the window by the clock of the database', async () => {
    const [dataSource] = instances;
    await one().record('old', HOUR_MS);
    const rows = (dataSource as DataSource).getRepository(LimitCounterEntity);
    const { moments } = await rows.findOneByOrFail({ key: 'old' });
    const [moment = 0] = JSON.parse(moments) as number[];
    await rows.update({ key: 'old' }, { moments: JSON.stringify([moment - HOUR_MS / 2]) });
    expect([await one().count('old', HOUR_MS), await one().count('old', HOUR_MS / 4)]).toEqual([1, 0]);
    expect(await one().admit('old', 1, HOUR_MS / 4)).toEqual({ admitted: true });
  });

  it('admits no caller with a limit of nothing, and bounds the length of keys', async () => {
    expect(await one().admit('closed', 0, 1_000)).toEqual({ admitted: false, retryAfterMs: 1_000 });
    const long = 'x'.repeat(500);
    await one().record(long, HOUR_MS);
    expect(await one().count(long, HOUR_MS)).toBe(1);
  });
});

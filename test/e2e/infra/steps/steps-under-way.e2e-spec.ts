import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { openDatabase } from '../../../../server/infra/database/open-named-database.js';
import { PendingVerificationEntity } from '../../../../server/infra/pending-verifications/pending-verification.entity.js';
import { PendingVerifications } from '../../../../server/infra/pending-verifications/pending-verifications.js';
import { ageSteps } from '../../../support/age-steps.js';
import { loadAllEntities } from '../../../support/all-entities.js';
import { createTestDatabase, DATABASE_KINDS, type TestDatabase } from '../../../support/database.js';

const MINUTE_MS = 60_000;

describe.each(DATABASE_KINDS)('steps under way in %s', (kind) => {
  let database: TestDatabase;
  let instances: DataSource[];
  let steps: PendingVerifications[];

  beforeAll(async () => {
    const entities = await loadAllEntities();
    database = await createTestDatabase(kind);
    const first = await openDatabase(database.url, { entities });
    // SQLite has one instance.
    instances = kind === 'sqlite' ? [first] : [first, await openDatabase(database.url, { entities })];
    steps = instances.map((dataSource) => new PendingVerifications(dataSource));
  });
  afterAll(async () => {
    for (const dataSource of instances) await dataSource.destroy();
    await database.drop();
  });

  const at = (index: number): PendingVerifications => steps[index % steps.length] as PendingVerifications;
  const age = (byMs: number): Promise<void> => ageSteps(instances[0] as DataSource, byMs);

  it('finds on one instance what another one keeps, once', async () => {
    await at(0).put('flow', { intent: 'login', userId: null }, MINUTE_MS);
    expect(await at(1).look('flow')).toEqual({ intent: 'login', userId: null });
    expect(await at(1).take('flow')).toEqual({ intent: 'login', userId: null });
    expect([await at(0).take('flow'), await at(0).look('flow')]).toEqual([undefined, undefined]);
  });

  it('gives it to one of many concurrent callers', async () => {
    await at(0).put('wanted', 7, MINUTE_MS);
    const taken = await Promise.all(Array.from({ length: 10 }, (_, index) => at(index).take('wanted')));
    expect(taken.filter((value) => value === 7)).toHaveLength(1);
    expect(taken.filter((value) => value === undefined)).toHaveLength(9);
  });

  it('keeps the newest step of a key, for its own time', async () => {
    await at(0).put('newest', 'first', MINUTE_MS);
    await at(1).put('newest', 'second', 3 * MINUTE_MS);
    await age(2 * MINUTE_MS);
    expect(await at(0).look('newest')).toBe('second');
    await at(0).drop('newest');
    expect(await at(1).look('newest')).toBeUndefined();
  });

  it('finds nothing of a step that is over, and removes it', async () => {
    await at(0).put('late', 'x', MINUTE_MS);
    await at(0).put('in time', 'y', 3 * MINUTE_MS);
    await age(2 * MINUTE_MS);
    expect([await at(0).look('late'), await at(0).take('late')]).toEqual([undefined, undefined]);
    await at(0).removeExpired();
    const left = await (instances[0] as DataSource).getRepository(PendingVerificationEntity).find();
    expect(left.map(({ key }) => key)).toEqual(['in time']);
  });

  it('lets one of many claim a key, and frees it after its time', async () => {
    const claims = (): Promise<boolean[]> =>
      Promise.all(Array.from({ length: 10 }, (_, index) => at(index).claim('code', MINUTE_MS)));
    expect((await claims()).filter(Boolean)).toHaveLength(1);
    expect((await claims()).filter(Boolean)).toHaveLength(0);
    await age(2 * MINUTE_MS);
    expect((await claims()).filter(Boolean)).toHaveLength(1);
  });

  it('removes expired rows without a sweep', async () => {
    await at(0).put('left behind', 'x', MINUTE_MS);
    await age(2 * MINUTE_MS);
    const busy = new PendingVerifications(instances[0] as DataSource);
    for (let index = 0; index < 200; index += 1) await busy.put('busy', index, MINUTE_MS);
    const rows = (instances[0] as DataSource).getRepository(PendingVerificationEntity);
    expect(await rows.countBy({ key: 'left behind' })).toBe(0);
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { SecretBox } from '../../../../server/infra/crypto/secret-box.js';
import { openDatabase } from '../../../../server/infra/database/open-named-database.js';
import { runInTransaction } from '../../../../server/infra/database/run-in-transaction.js';
import { AuditChainEntity } from '../../../../server/base/audit/audit-chain.entity.js';
import { AuditEventEntity } from '../../../../server/base/audit/audit-event.entity.js';
import { type AuditEntry, AuditLog } from '../../../../server/base/audit/audit-log.js';
import { withAuditOrigin } from '../../../../server/base/audit/audit-origin.js';
import { verifyChain } from '../../../../server/base/audit/verify-chain.js';
import { createTestDatabase, DATABASE_KINDS, type TestDatabase } from '../../../support/database.js';
import { FakeClock } from '../../../support/fake-clock.js';

const secrets = new SecretBox('c'.repeat(32));
const entities = [AuditChainEntity, AuditEventEntity];

const SECRET = { password: 'never stored' };
const act = (index: number): AuditEntry => ({
  actorId: (index % 7) + 1,
  actorRole: 100,
  action: 'user.disable',
  targetType: 'user',
  targetId: index,
  detail: { reason: `行 ${index} 🧾`, ...SECRET },
});

describe.each(DATABASE_KINDS)('the chain of the audit log on %s', (kind) => {
  let database: TestDatabase;
  /** Two servers on one database; SQLite has one process. */
  let sources: DataSource[];
  let logs: AuditLog[];

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    // The order of rows is tested, not the wait of a burst for a connection.
    const settings = { entities, acquireMs: 30_000 };
    const first = await openDatabase(database.url, settings);
    sources = kind === 'sqlite' ? [first] : [first, await openDatabase(database.url, settings)];
    const clock = new FakeClock();
    logs = sources.map((source) => new AuditLog(source, secrets, clock));
  });

  afterAll(async () => {
    for (const source of sources) await source.destroy();
    await database.drop();
  });

  beforeEach(async () => {
    await main().getRepository(AuditEventEntity).createQueryBuilder().delete().execute();
    const start = { baseSequence: 0, baseHash: '', headSequence: 0, headHash: '' };
    await main().getRepository(AuditChainEntity).update({ id: 1 }, start);
  });

  const main = (): DataSource => sources[0] as DataSource;
  const logOf = (index: number): AuditLog => logs[index % logs.length] as AuditLog;
  const events = () => main().getRepository(AuditEventEntity);
  const verify = () => verifyChain(main(), secrets);
  const write = async (count: number): Promise<void> => {
    for (let index = 1; index <= count; index += 1) await logOf(index).record(null, act(index));
  };

  it('200 acts at once, in transactions of their own and of others, are 200 rows without a gap', async () => {
    const acts = Array.from({ length: 200 }, (_, index) => {
      const log = logOf(index);
      const source = sources[index % sources.length] as DataSource;
      return index % 10 === 0
        ? runInTransaction(source, (manager) => log.record(manager, act(index)))
        : log.record(null, act(index));
    });
    await Promise.all(acts);
    const rows = await events().find({ order: { sequence: 'ASC' } });
    expect(rows.map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: 200 }, (_, index) => index + 1),
    );
    const targets = rows.map(({ targetId }) => Number(targetId)).toSorted((left, right) => left - right);
    expect(targets).toEqual(Array.from({ length: 200 }, (_, index) => index));
    expect(await verify()).toMatchObject({ fault: null, firstSequence: 1, verifiedUpTo: 200 });
  });

  it('an act that is rolled back leaves no row and no gap', async () => {
    await write(2);
    const failing = runInTransaction(main(), async (manager) => {
      await logOf(0).record(manager, act(3));
      throw new Error('the act failed');
    });
    await expect(failing).rejects.toThrow('the act failed');
    await write(1);
    expect(await verify()).toMatchObject({ fault: null, verifiedUpTo: 3 });
  });

  it('stores actor, origin and details in rows, and no secret', async () => {
    const origin = { ip: '192.0.2.7', requestId: 'r-1', actor: { id: 5, role: 100, username: 'ann' } };
    await withAuditOrigin(origin, () => logOf(0).record(null, { ...act(4), actorId: 5 }));
    await withAuditOrigin(origin, () => logOf(0).record(null, { ...act(4), actorId: 6 }));
    const [own, other] = await events().find({ order: { sequence: 'ASC' } });
    expect(own).toMatchObject({ actorId: 5, actorName: 'ann', ip: '192.0.2.7', requestId: 'r-1' });
    expect(own?.detail).toBe('{"password":"changed","reason":"行 4 🧾"}');
    expect(other).toMatchObject({ actorId: 6, actorName: '' });
  });

  it('an empty log is intact', async () => {
    expect(await verify()).toEqual({
      firstSequence: 0,
      verifiedUpTo: 0,
      headSequence: 0,
      headHash: '',
      fault: null,
    });
  });

  it.each([
    ['actorId', { actorId: 99 }],
    ['actorRole', { actorRole: 1 }],
    ['actorName', { actorName: 'bob' }],
    ['createdAtMs', { createdAtMs: 1 }],
    ['ip', { ip: '192.0.2.9' }],
    ['requestId', { requestId: 'other' }],
    ['action', { action: 'user.enable' }],
    ['targetType', { targetType: 'token' }],
    ['targetId', { targetId: '77' }],
    ['detail', { detail: '{}' }],
    ['hash', { hash: 'f'.repeat(64) }],
  ])('finds a row whose %s was changed by hand', async (_, change) => {
    await write(5);
    await events().update({ sequence: 3 }, change);
    expect(await verify()).toMatchObject({ fault: { sequence: 3, kind: 'changed' }, verifiedUpTo: 2 });
  });

  it('finds a row that was taken out', async () => {
    await write(5);
    await events().delete({ sequence: 3 });
    expect(await verify()).toMatchObject({ fault: { sequence: 3, kind: 'missing' }, verifiedUpTo: 2 });
  });

  it('finds a row that was taken out and the others moved up', async () => {
    await write(5);
    await events().delete({ sequence: 3 });
    await events().update({ sequence: 4 }, { sequence: 3 });
    await events().update({ sequence: 5 }, { sequence: 4 });
    await main().getRepository(AuditChainEntity).update({ id: 1 }, { headSequence: 4 });
    expect(await verify()).toMatchObject({ fault: { sequence: 3, kind: 'misplaced' } });
  });

  it('finds two rows that changed places', async () => {
    await write(5);
    await events().update({ sequence: 2 }, { sequence: 1_000 });
    await events().update({ sequence: 3 }, { sequence: 2 });
    await events().update({ sequence: 1_000 }, { sequence: 3 });
    expect(await verify()).toMatchObject({ fault: { sequence: 2, kind: 'misplaced' }, verifiedUpTo: 1 });
  });

  it('finds an end that was cut off, a row that was added by hand, and a start that was cut off', async () => {
    await write(5);
    const last = await events().findOneByOrFail({ sequence: 5 });
    await events().delete({ sequence: 5 });
    expect(await verify()).toMatchObject({ fault: { sequence: 5, kind: 'missing' }, verifiedUpTo: 4 });
    await events().insert(last);
    await events().insert({ ...last, sequence: 6, previousHash: last.hash });
    expect(await verify()).toMatchObject({ fault: { sequence: 5, kind: 'head' } });
    await events().delete({ sequence: 6 });
    const second = await events().findOneByOrFail({ sequence: 2 });
    await events().delete({ sequence: 1 });
    await events().delete({ sequence: 2 });
    await main()
      .getRepository(AuditChainEntity)
      .update({ id: 1 }, { baseSequence: 2, baseHash: second.hash });
    expect(await verify()).toMatchObject({ fault: { sequence: 3, kind: 'base' } });
  });

  it('finds a chain made anew without the secret', async () => {
    await write(2);
    const forger = new AuditLog(main(), new SecretBox('x'.repeat(32)), new FakeClock());
    await forger.record(null, act(3));
    expect(await verify()).toMatchObject({ fault: { sequence: 3, kind: 'changed' }, verifiedUpTo: 2 });
  });

  it('a row noted elsewhere finds a log that was cut off whole', async () => {
    await write(3);
    const { headSequence, headHash } = await verify();
    const known = { sequence: headSequence, hash: headHash };
    expect((await verifyChain(main(), secrets, known)).fault).toBeNull();
    const second = await events().findOneByOrFail({ sequence: 2 });
    await events().delete({ sequence: 3 });
    const cut = { headSequence: 2, headHash: second.hash };
    await main().getRepository(AuditChainEntity).update({ id: 1 }, cut);
    expect((await verify()).fault).toBeNull();
    const expected = { fault: { sequence: 3, kind: 'missing' } };
    expect(await verifyChain(main(), secrets, known)).toMatchObject(expected);
  });

  it('stays intact while others go on writing', async () => {
    await write(20);
    const [report] = await Promise.all([
      verify(),
      ...Array.from({ length: 40 }, (_, index) => logOf(index).record(null, act(index))),
    ]);
    expect(report.fault).toBeNull();
    expect(await verify()).toMatchObject({ fault: null, verifiedUpTo: 60 });
  });
});

import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { dialectOf, openDataSource } from '../../../../server/infra/database/data-source.js';
import { MigrationLockError, withMigrationLock } from '../../../../server/infra/database/migration-lock.js';
import {
  migrateDatabase,
  pendingMigrations,
  revertLastMigration,
} from '../../../../server/infra/database/migrate-database.js';
import { ALL_MIGRATIONS } from '../../../../server/infra/database/migrations/all-migrations.js';
import type { Migration } from '../../../../server/infra/database/migrations/migration.js';
import { ALL_USERS } from '../../../../server/base/billing/ledger/all-users.js';
import { UsageTotalEntity } from '../../../../server/base/billing/ledger/usage-total.entity.js';
import { OptionEntity } from '../../../../server/base/options/option.entity.js';
import { loadAllEntities } from '../../../support/all-entities.js';
import { createTestDatabase, DATABASE_KINDS, type TestDatabase } from '../../../support/database.js';
import { describeColumns, describeIndexes } from '../../../support/describe-schema.js';
import { tokenRow, userRow } from '../../../support/stored-rows.js';

const ALL_NAMES = ALL_MIGRATIONS.map(({ name }) => name);
const PREVIOUS = ALL_MIGRATIONS.slice(0, -1);

let entities: Awaited<ReturnType<typeof loadAllEntities>>;
beforeAll(async () => {
  entities = await loadAllEntities();
});

describe.each(DATABASE_KINDS)('migrations on %s', (kind) => {
  let database: TestDatabase;
  let dataSource: DataSource;

  beforeEach(async () => {
    database = await createTestDatabase(kind);
    dataSource = await openDataSource(database.url, { entities });
  });

  afterEach(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  it('names every step once, oldest first', () => {
    expect(ALL_NAMES).toEqual([...new Set(ALL_NAMES)].sort());
  });

  it('takes an empty database to the present, once', async () => {
    expect(await pendingMigrations(dataSource)).toEqual(ALL_NAMES);
    expect(await migrateDatabase(dataSource)).toEqual(ALL_NAMES);
    expect(await migrateDatabase(dataSource)).toEqual([]);
    expect(await pendingMigrations(dataSource)).toEqual([]);
  });

  it('upgrades the previous schema with rows in it', async () => {
    await migrateDatabase(dataSource, { migrations: PREVIOUS });
    const logs = dataSource.getRepository('logs');
    const rows = Array.from({ length: 50 }, (_, index) => ({
      content: `行 ${index} 🧾`,
      other: '',
      createdAt: 1_763_700_000 + index,
      username: index % 2 === 0 ? 'ann' : 'bob',
      requestId: index % 5 === 0 ? null : `request-${index}`,
    }));
    await logs.insert(rows);
    expect(await migrateDatabase(dataSource)).toEqual(ALL_NAMES.slice(-1));
    expect(await logs.countBy({ username: 'ann' })).toBe(25);
    const kept = await logs.find({ order: { createdAt: 'ASC' } });
    expect(kept.map(({ content }) => content)).toEqual(rows.map(({ content }) => content));
    const indexes = await describeIndexes(dataSource, 'logs');
    expect(indexes.map(({ name }) => name)).toContain('logs_username_created_at');
  });

  it('migrates all up, two down, two up', async () => {
    await migrateDatabase(dataSource);
    const describeAll = async () => {
      const tables: Record<string, unknown[]> = {};
      for (const { tableName } of dataSource.entityMetadatas) {
        const columns = await describeColumns(dataSource, tableName);
        // No columns: the reverted step had made the table.
        tables[tableName] =
          columns.length === 0 ? [] : [columns, await describeIndexes(dataSource, tableName)];
      }
      return tables;
    };
    const before = await describeAll();
    for (const name of ALL_NAMES.slice(-2).toReversed())
      expect(await revertLastMigration(dataSource)).toBe(name);
    expect(await describeAll()).not.toEqual(before);
    expect(await migrateDatabase(dataSource)).toEqual(ALL_NAMES.slice(-2));
    expect(await describeAll()).toEqual(before);
  });

  it('sums what all users used together when an older database comes', async () => {
    const step = ALL_MIGRATIONS.findIndex(({ name }) => name.endsWith('-sum-use-of-everybody'));
    await migrateDatabase(dataSource, { migrations: ALL_MIGRATIONS.slice(0, step) });
    const use = dataSource.getRepository(UsageTotalEntity);
    const row = (userId: number, quota: number) => ({
      userId,
      modelName: 'fx',
      createdAt: 3_600,
      tokenUsed: quota * 2,
      count: 1,
      quota,
    });
    await use.insert([row(1, 5), row(2, 7)]);
    await migrateDatabase(dataSource);
    expect(await use.findBy({ userId: ALL_USERS })).toEqual([{ ...row(ALL_USERS, 12), count: 2 }]);
  });

  it('keeps the choice of channels as it was where there are accounts, and leaves a new database the default', async () => {
    const step = ALL_MIGRATIONS.findIndex(({ name }) => name.endsWith('-keep-channel-order'));
    const stored = () => dataSource.getRepository(OptionEntity).findBy({ key: 'NativeChannelsFirst' });
    await migrateDatabase(dataSource, { migrations: ALL_MIGRATIONS.slice(0, step + 1) });
    expect(await stored()).toEqual([]);
    await revertLastMigration(dataSource);
    await dataSource.query(
      `INSERT INTO users (username, username_folded, password, display_name, email, setting)
       VALUES ('ann', 'ann', '', '', '', '')`,
    );
    await migrateDatabase(dataSource);
    expect(await stored()).toEqual([{ key: 'NativeChannelsFirst', value: 'false' }]);
  });

  it('counts the refunds of before for accounts and tokens', async () => {
    await migrateDatabase(dataSource);
    const [users, tokens, settlements, ledger] = ['users', 'tokens', 'settlements', 'ledger'].map((name) =>
      dataSource.getRepository(name),
    );
    const [ann, bob] = [userRow({ id: 1 }), userRow({ id: 2, username: 'bob' })];
    await users?.insert([ann, bob]);
    await tokens?.insert([tokenRow(), tokenRow({ id: 2, keyDigest: 'other' })]);
    const call = (requestId: string, tokenId: number | null) => ({
      requestId,
      userId: 1,
      tokenId,
      model: 'fx',
      usage: '{}',
      evidence: 'reported',
      charged: 100,
      writeoff: 0,
      outcome: 'ok',
      priceSnapshot: '{}',
      createdAtMs: 1,
    });
    await settlements?.insert([call('a', 1), call('b', 1), call('c', null)]);
    const entry = (kind: string, ref: string, userId = 1) => ({
      userId,
      kind,
      ref,
      amount: 100,
      quotaAfter: 0,
      reason: '',
      createdAtMs: 1,
    });
    await ledger?.insert([entry('refund', 'task:a'), entry('refund', 'task:b'), entry('refund', 'task:c')]);
    await ledger?.insert([entry('topup', 'task:d'), entry('topup', 'order', 2)]);
    const step = '1763704410000-count-refunds';
    let reverted: string | null = '';
    while (reverted !== step && reverted !== null) reverted = await revertLastMigration(dataSource);
    expect(reverted).toBe(step);
    await migrateDatabase(dataSource);
    const refunded = async (rows: typeof users) =>
      (await rows?.find({ order: { id: 'ASC' } }))?.map((row) => Number(row['refundedQuota']));
    expect([await refunded(users), await refunded(tokens)]).toEqual([
      [300, 0],
      [200, 0],
    ]);
  });

  it('names the issuers of identities and the editors of codes when an older database comes', async () => {
    const step = ALL_MIGRATIONS.findIndex(({ name }) => name.endsWith('-bound-administrators-quota'));
    await migrateDatabase(dataSource, { migrations: ALL_MIGRATIONS.slice(0, step) });
    const run = (sql: string) =>
      dataSource.query(dataSource.options.type === 'mariadb' ? sql.replaceAll('"', '`') : sql);
    const users = [
      [1, "'gh1'", "'sub1'", 'NULL'],
      [2, 'NULL', 'NULL', "'42'"],
    ];
    for (const [id, github, oidc, linuxDo] of users)
      await run(
        `INSERT INTO "users" ("id", "username", "username_folded", "password", "display_name", "email", "setting", "github_id", "oidc_id", "linux_do_id")
         VALUES (${id}, 'u${id}', 'u${id}', '', '', '', '', ${github}, ${oidc}, ${linuxDo})`,
      );
    await run(
      `INSERT INTO "options" ("key", "value")
       VALUES ('oidc.well_known', 'https://id.example/a/.well-known/openid-configuration'), ('GitHubServerAddress', 'https://git.example')`,
    );
    for (const id of [5, 6])
      await run(
        `INSERT INTO "redemptions" ("id", "user_id", "key_digest", "key_encrypted", "name", "quota")
         VALUES (${id}, 1, 'digest${id}', '', 'gift', 10)`,
      );
    const events = [
      [1, 2, 'redemption.edit', '5'],
      [2, 2, 'redemption.disable', '5'],
      [3, 1, 'redemption.edit', '5'],
      [4, 3, 'redemption.delete', '6'],
      [5, 3, 'redemption.create', 'gift'],
    ];
    for (const [sequence, actor, action, target] of events)
      await run(
        `INSERT INTO "audit_events" ("sequence", "created_at_ms", "actor_id", "action", "target_type", "target_id", "detail", "previous_hash", "hash")
         VALUES (${sequence}, 0, ${actor}, '${action}', 'redemption', '${target}', '{}', '', '')`,
      );
    await migrateDatabase(dataSource);
    const rows = (await run(
      'SELECT "id", "github_issuer", "oidc_issuer", "linux_do_issuer", "wechat_issuer" FROM "users" ORDER BY "id"',
    )) as unknown[];
    expect(rows.map((row) => ({ ...(row as object) }))).toEqual([
      {
        id: 1,
        github_issuer: 'https://git.example https://api.github.com',
        oidc_issuer: 'https://id.example/a',
        linux_do_issuer: null,
        wechat_issuer: null,
      },
      {
        id: 2,
        github_issuer: null,
        oidc_issuer: null,
        linux_do_issuer: 'https://connect.linux.do',
        wechat_issuer: null,
      },
    ]);
    const editors = (await run('SELECT "code_id", "user_id" FROM "redemption_editors"')) as unknown[];
    expect(editors.map((row) => ({ ...(row as object) }))).toEqual([{ code_id: 5, user_id: 2 }]);
  });

  it('records the administrator who deleted an account, hides deleted keys from older look-ups and removes them on the way back', async () => {
    const step = ALL_MIGRATIONS.findIndex(({ name }) => name.endsWith('-keep-deleted-rows'));
    await migrateDatabase(dataSource, { migrations: ALL_MIGRATIONS.slice(0, step) });
    const run = async (sql: string): Promise<object[]> => {
      const rows: unknown = await dataSource.query(
        dataSource.options.type === 'mariadb' ? sql.replaceAll('"', '`') : sql,
      );
      return Array.isArray(rows) ? (rows as object[]).map((row) => ({ ...row })) : [];
    };
    const users = [
      [1, 'NULL', 'NULL'],
      [2, '5', 'NULL'],
      [3, '5', 'NULL'],
      [4, '5', '6'],
    ];
    for (const [id, deleted, purged] of users)
      await run(
        `INSERT INTO "users" ("id", "username", "username_folded", "password", "display_name", "email", "setting", "deleted_at_ms", "purged_at_ms")
         VALUES (${id}, 'u${id}', 'u${id}', '', '', '', '', ${deleted}, ${purged})`,
      );
    const events = [
      [1, 9, 'user.delete', '2'],
      [2, 3, 'user.leave', '3'],
      [3, 9, 'user.delete', '4'],
      [4, 9, 'option.change', 'ModelRatio'],
    ];
    for (const [sequence, actor, action, target] of events)
      await run(
        `INSERT INTO "audit_events" ("sequence", "created_at_ms", "actor_id", "action", "target_type", "target_id", "detail", "previous_hash", "hash")
         VALUES (${sequence}, 0, ${actor}, '${action}', 'user', '${target}', '{}', '', '')`,
      );
    await migrateDatabase(dataSource, { migrations: ALL_MIGRATIONS.slice(0, step + 1) });
    expect(await run('SELECT "id", "deleted_by" FROM "users" ORDER BY "id"')).toEqual([
      { id: 1, deleted_by: null },
      { id: 2, deleted_by: 9 },
      { id: 3, deleted_by: null },
      { id: 4, deleted_by: null },
    ]);
    const tokens = [
      [1, 'a', 'NULL'],
      [2, 'b', '5'],
    ];
    for (const [id, digest, deleted] of tokens)
      await run(
        `INSERT INTO "tokens" ("id", "user_id", "key_digest", "key_encrypted", "name", "model_limits", "allow_ips", "deleted_at_ms", "deleted_by")
         VALUES (${id}, 1, '${digest}', 'v1.sealed', 'laptop', '', '', ${deleted}, 1)`,
      );
    // The look-up of versions before the step.
    const lookUp = `SELECT "id" FROM "tokens" WHERE "key_digest" IN ('a', 'b') AND "deleted_at_ms" IS NULL`;
    expect(await run(lookUp)).toEqual([{ id: 1 }]);
    expect(await revertLastMigration(dataSource)).toBe(ALL_NAMES[step]);
    expect(await run('SELECT "id", "key_encrypted" FROM "tokens" ORDER BY "id"')).toEqual([
      { id: 1, key_encrypted: 'v1.sealed' },
      { id: 2, key_encrypted: '' },
    ]);
  });

  it('removes every step again', async () => {
    await migrateDatabase(dataSource);
    const newer = '9999999999999-from-the-future';
    await dataSource.query(`INSERT INTO schema_migrations (name, applied_at_ms) VALUES ('${newer}', 0)`);
    await expect(revertLastMigration(dataSource)).rejects.toThrow(newer);
    await dataSource.query(`DELETE FROM schema_migrations WHERE name = '${newer}'`);
    for (const name of ALL_NAMES.toReversed()) expect(await revertLastMigration(dataSource)).toBe(name);
    expect(await revertLastMigration(dataSource)).toBeNull();
    expect(await describeColumns(dataSource, 'users')).toEqual([]);
    expect(await migrateDatabase(dataSource)).toEqual(ALL_NAMES);
  });

  it('gives a database of call logs only what belongs there', async () => {
    const names = ALL_MIGRATIONS.filter(({ appliesTo }) => appliesTo === 'logs').map(({ name }) => name);
    expect(await migrateDatabase(dataSource, { scope: 'logs' })).toEqual(names);
    expect(await describeColumns(dataSource, 'logs')).not.toEqual([]);
    expect(await describeColumns(dataSource, 'users')).toEqual([]);
  });

  it('runs every step once when four processes start together', async () => {
    const others = await Promise.all([1, 2, 3].map(() => openDataSource(database.url, { entities })));
    const results = await Promise.all([dataSource, ...others].map((source) => migrateDatabase(source)));
    await Promise.all(others.map((source) => source.destroy()));
    expect(results.flat().sort()).toEqual(ALL_NAMES);
  });

  it('leaves no half-made step behind when one fails, and goes on where it stopped', async () => {
    let isBroken = true;
    const fragile: Migration = {
      name: '1999999999999-fragile',
      appliesTo: 'main',
      async up(schema) {
        await schema.createTable({
          name: 'fragile_one',
          columns: [{ name: 'id', type: 'integer' }],
          primaryKey: ['id'],
        });
        if (isBroken) throw new Error('power cut');
      },
      down: (schema) => schema.dropTable('fragile_one'),
    };
    const migrations = [...ALL_MIGRATIONS, fragile];
    await expect(migrateDatabase(dataSource, { migrations })).rejects.toThrow('power cut');
    isBroken = false;
    const done = await migrateDatabase(dataSource, { migrations });
    // MySQL keeps the finished steps; the others took everything back.
    expect(done).toEqual(dialectOf(dataSource) === 'mysql' ? [fragile.name] : [...ALL_NAMES, fragile.name]);
    expect(await pendingMigrations(dataSource, { migrations })).toEqual([]);
  });

  it('accepts a database that a newer release has migrated', async () => {
    await migrateDatabase(dataSource);
    expect(await migrateDatabase(dataSource, { migrations: PREVIOUS })).toEqual([]);
  });
});

describe.each(['mariadb', 'postgres'] as const)('migration lock on %s', (kind) => {
  it('waits for the holder only so long, and starts when the schema is good enough by then', async () => {
    const database = await createTestDatabase(kind);
    const holder = await openDataSource(database.url, { entities });
    const waiter = await openDataSource(database.url, { entities });
    await withMigrationLock(holder, 1_000, async () => {
      await expect(migrateDatabase(waiter, { lockWaitMs: 100 })).rejects.toThrow(MigrationLockError);
    });
    expect(await migrateDatabase(waiter)).toEqual(ALL_NAMES);
    await withMigrationLock(holder, 1_000, async () => {
      expect(await migrateDatabase(waiter, { lockWaitMs: 100 })).toEqual([]);
    });
    await waiter.destroy();
    await holder.destroy();
    await database.drop();
  });
});

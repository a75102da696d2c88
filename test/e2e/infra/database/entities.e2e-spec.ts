import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DataSource, EntityMetadata } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import { dialectOf, openDataSource } from '../../../../server/infra/database/data-source.js';
import { migrateDatabase } from '../../../../server/infra/database/migrate-database.js';
import { checkMatchedRows, openDatabase } from '../../../../server/infra/database/open-named-database.js';
import { isDuplicateKey } from '../../../../server/infra/database/run-in-transaction.js';
import { loadAllEntities } from '../../../support/all-entities.js';
import { createTestDatabase, DATABASE_KINDS, type TestDatabase } from '../../../support/database.js';
import { describeColumns, describeIndexes } from '../../../support/describe-schema.js';
import { tokenRow, userRow, withoutId } from '../../../support/stored-rows.js';

/** The largest counter that JavaScript holds exactly. */
const LARGEST = Number.MAX_SAFE_INTEGER;

/** Four-byte characters, a right-to-left word, a combining accent, a quote and a percent sign. */
const HARD_TEXT = `🧾𠜎 שלום e\u0301 '"%_\\`;

const LONG_TEXT_REPEATS = 5_000;

/** A failed comparison prints both sides: the long texts as digests. */
function shortened(row: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(row).map(([name, value]) => {
    const isLong = typeof value === 'string' && value.length > 1_000;
    return [name, isLong ? createHash('sha256').update(value).digest('hex') : value];
  });
  return Object.fromEntries(entries) as Record<string, unknown>;
}

let entities: Awaited<ReturnType<typeof loadAllEntities>>;
beforeAll(async () => {
  entities = await loadAllEntities();
});

describe.each(DATABASE_KINDS)('entities on %s', (kind) => {
  let database: TestDatabase;
  let dataSource: DataSource;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    dataSource = await openDataSource(database.url, { entities });
    await migrateDatabase(dataSource);
  });

  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  it('has a table for every entity, and a column for every property: name, type, length, nullability, default', async () => {
    expect(dataSource.entityMetadatas.length).toBeGreaterThanOrEqual(13);
    for (const metadata of dataSource.entityMetadatas) {
      const columns = await describeColumns(dataSource, metadata.tableName);
      const actual = columns.map(({ name, length, isNullable, default: fallback, type }) => ({
        name,
        kind: kindOf(type),
        length,
        isNullable,
        default: normalDefault(fallback),
      }));
      const expected = metadata.columns.map(expectedColumn);
      expect({ table: metadata.tableName, columns: byName(actual) }).toEqual({
        table: metadata.tableName,
        columns: byName(expected),
      });
    }
  });

  it('has every index the entities name, and no other', async () => {
    for (const metadata of dataSource.entityMetadatas) {
      const actual = await describeIndexes(dataSource, metadata.tableName);
      const expected = metadata.indices.map((index) => ({
        name: index.name,
        columns: index.columns.map(({ databaseName }) => databaseName),
        isUnique: index.isUnique,
      }));
      expect({ table: metadata.tableName, indexes: byName(actual) }).toEqual({
        table: metadata.tableName,
        indexes: byName(expected),
      });
    }
  });

  it('compares identity text byte by byte: case, accent and trailing space distinguish names', async () => {
    const options = dataSource.getRepository('options');
    const keys = ['Cafe', 'cafe', 'café', 'cafe '];
    await options.insert(keys.map((key) => ({ key, value: '' })));
    expect(await options.countBy({ key: 'cafe' })).toBe(1);
    expect(await options.countBy({ key: 'cafe ' })).toBe(1);
    expect(await options.countBy({ key: 'CAFE' })).toBe(0);
    const again: unknown = await options.insert({ key: 'cafe', value: '' }).catch((error: unknown) => error);
    expect(isDuplicateKey(again)).toBe(true);
    await options.delete(keys);
    expect(await options.count()).toBe(0);
  });

  it('stores and returns every property of every entity exactly, with counters up to 2^53-1', async () => {
    for (const metadata of dataSource.entityMetadatas) {
      const sample = sampleRow(metadata);
      const repository = dataSource.getRepository(metadata.target);
      const { identifiers } = await repository.insert({ ...sample });
      // An insert reports 64-bit keys as text on some databases; reading always gives numbers.
      const counted = metadata.columns
        .filter(({ isGenerated }) => isGenerated)
        .map(({ propertyName }) => propertyName);
      const keys = counted.map((property) => [property, Number(identifiers[0]?.[property])]);
      const row: Record<string, unknown> = { ...sample, ...Object.fromEntries(keys) };
      const select = Object.fromEntries(metadata.columns.map(({ propertyName }) => [propertyName, true]));
      const stored = await repository.findOne({ where: keyOf(metadata, row), select });
      expect({ table: metadata.tableName, row: shortened({ ...stored }) }).toEqual({
        table: metadata.tableName,
        row: shortened(row),
      });
    }
  });

  it('refuses to read a balance beyond 2^53 instead of rounding it; a counter that is only shown stops there', async () => {
    const users = dataSource.getRepository('users');
    await users.insert(withoutId(userRow({ username: 'rich' })));
    const table = dialectOf(dataSource) === 'mysql' ? '`users`' : '"users"';
    const write = (column: string) =>
      dataSource.query(`UPDATE ${table} SET ${column} = 9007199254740993 WHERE username = 'rich'`);
    await write('used_quota');
    expect(await users.findOneBy({ username: 'rich' })).toMatchObject({ usedQuota: LARGEST });
    await write('quota');
    await expect(users.findOneBy({ username: 'rich' })).rejects.toThrow(RangeError);
  });

  it('refuses to write a counter that is not a safe integer', async () => {
    const users = dataSource.getRepository('users');
    for (const usedQuota of [LARGEST + 1, 0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      const row = withoutId(userRow({ username: 'odd', usedQuota }));
      await expect(users.insert(row)).rejects.toThrow(RangeError);
    }
    expect(await users.countBy({ username: 'odd' })).toBe(0);
  });

  it('refuses what the money rules forbid [I4]', async () => {
    const insert = (table: string, row: object) => dataSource.getRepository(table).insert(row);
    const user = withoutId(userRow({ username: 'poor' }));
    await expect(insert('users', { ...user, quota: -1 })).rejects.toThrow(/users_quota_above_floor/);
    await insert('users', { ...user, quota: -5, quotaFloor: -5 });
    await expect(
      dataSource.getRepository('users').decrement({ usernameFolded: 'poor' }, 'quota', 1),
    ).rejects.toThrow(/users_quota_above_floor/);

    const token = withoutId(tokenRow());
    const limited = { ...token, keyDigest: 'limited', remainQuota: -1 };
    await expect(insert('tokens', limited)).rejects.toThrow(/tokens_remain_quota/);
    await insert('tokens', { ...token, keyDigest: 'unlimited', remainQuota: -1, unlimitedQuota: true });

    const entry = { userId: 1, kind: 'adjust', ref: 'r', reason: '' };
    await expect(insert('ledger', { ...entry, amount: 0 })).rejects.toThrow(/ledger_amount_not_zero/);
    const reservation = { id: 'r1', kind: 'pool', scope: 'user', userId: 1, amount: -1 };
    await expect(insert('reservations', reservation)).rejects.toThrow(/reservations_amount_unspent/);
    const settlement = { requestId: 's1', userId: 1, usage: '{}', priceSnapshot: '{}' };
    await expect(insert('settlements', { ...settlement, charged: -1 })).rejects.toThrow(
      /settlements_charged/,
    );
    await expect(insert('settlements', { ...settlement, writeoff: -1 })).rejects.toThrow(
      /settlements_writeoff/,
    );
  });

  it('refuses text that is longer than its column', async () => {
    const channels = dataSource.getRepository('channels');
    await expect(channels.insert({ ...sampleTexts('channels'), name: 'x'.repeat(192) })).rejects.toThrow();
    await channels.insert({ ...sampleTexts('channels'), name: '🧾'.repeat(191) });
  });

  it('refuses a condition that is undefined or null', async () => {
    const users = dataSource.getRepository('users');
    await expect(users.findOneBy({ id: undefined })).rejects.toThrow(/undefined/i);
    await expect(users.findBy({ username: null as unknown as string })).rejects.toThrow(/null/i);
    await expect(users.delete({ id: undefined })).rejects.toThrow();
    await expect(users.update({ id: undefined }, { status: 2 })).rejects.toThrow();
  });

  it('passes the self-test of matched rows', async () => {
    await checkMatchedRows(dataSource);
    const reopened = await openDatabase(database.url, { entities });
    expect(reopened.isInitialized).toBe(true);
    await reopened.destroy();
  });

  function sampleTexts(table: string): Record<string, string> {
    const { columns } = dataSource.getMetadata(table);
    const texts = columns.filter(({ type, isNullable }) => type === 'text' && !isNullable);
    return Object.fromEntries(texts.map(({ propertyName }) => [propertyName, '']));
  }
});

type Kind = 'integer' | 'bigint' | 'float' | 'flag' | 'varchar' | 'text';

const KINDS: Readonly<Record<string, Kind>> = {
  integer: 'integer',
  int: 'integer',
  bigint: 'bigint',
  double: 'float',
  float: 'float',
  'double precision': 'float',
  boolean: 'flag',
  tinyint: 'flag',
  varchar: 'varchar',
  'character varying': 'varchar',
  text: 'text',
  longtext: 'text',
};

function kindOf(type: string): Kind {
  const kind = KINDS[type];
  if (kind === undefined) throw new Error(`a column type nobody planned: ${type}`);
  return kind;
}

function expectedColumn(column: ColumnMetadata) {
  const isCounted = column.isGenerated && column.entityMetadata.dataSource.options.type === 'better-sqlite3';
  return {
    name: column.databaseName,
    // SQLite counts up 64-bit keys only when the type reads `integer`.
    kind: isCounted ? 'integer' : kindOf(String(column.type)),
    length: column.length === '' ? null : Number(column.length),
    isNullable: column.isNullable,
    default:
      column.default === undefined || column.default === null ? null : normalDefault(String(column.default)),
  };
}

function normalDefault(value: string | null): string | null {
  if (value === 'true') return '1';
  return value === 'false' ? '0' : value;
}

function byName<T extends { readonly name: string | undefined }>(rows: readonly T[]): T[] {
  return [...rows].sort((a, b) => ((a.name ?? '') < (b.name ?? '') ? -1 : 1));
}

/** One value per property that is easy to damage on the way. */
function sampleRow(metadata: EntityMetadata): Record<string, unknown> {
  const columns = metadata.columns.filter(({ isGenerated }) => !isGenerated);
  return Object.fromEntries(columns.map((column) => [column.propertyName, sampleValue(metadata, column)]));
}

function sampleValue({ tableName }: EntityMetadata, column: ColumnMetadata): unknown {
  switch (kindOf(String(column.type))) {
    case 'integer':
      return 2_147_483_647;
    case 'bigint':
      return tableName === 'users' && column.databaseName === 'quota_floor' ? -LARGEST : LARGEST;
    case 'float':
      return 12.34567890123;
    case 'flag':
      return true;
    case 'varchar':
      return HARD_TEXT.slice(0, Math.max(8, Number(column.length))).slice(0, Number(column.length));
    case 'text':
      // More than the 65,535 bytes of the short text type of MySQL.
      return HARD_TEXT.repeat(LONG_TEXT_REPEATS);
  }
}

function keyOf(metadata: EntityMetadata, row: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    metadata.primaryColumns.map(({ propertyName }) => [propertyName, row[propertyName]]),
  );
}

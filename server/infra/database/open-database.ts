import type { DataSource } from 'typeorm';
import type { SecretBox } from '../crypto/secret-box.js';
import { keepCryptoSecretCheck, verifyCryptoSecret } from './crypto-secret-check.js';
import { type DataSourceSettings, openDataSource, prepareSqliteFile } from './data-source.js';
import { migrateDatabase } from './migrate-database.js';

export interface OpenSettings extends DataSourceSettings {
  /** `logs`: a database that holds the call logs only. */
  readonly scope?: 'main' | 'logs';
  /** A database with secrets sealed under another CRYPTO_SECRET is refused before anything is written to it. */
  readonly secrets?: SecretBox;
}

export class UnsupportedDatabaseError extends Error {}

/**
 * Connects, brings the schema up to date and checks what the code relies on: what a server does with its database at start.
 * Fails: with the driver's error, MigrationLockError, CryptoSecretError, or UnsupportedDatabaseError naming what is wrong.
 */
export async function openDatabase(url: string, settings: OpenSettings = {}): Promise<DataSource> {
  prepareSqliteFile(url);
  const { secrets, scope } = settings;
  const dataSource = await openDataSource(url, settings);
  try {
    if (secrets !== undefined) await verifyCryptoSecret(dataSource, secrets);
    await migrateDatabase(dataSource, { scope });
    await checkMatchedRows(dataSource);
    if (secrets !== undefined) await keepCryptoSecretCheck(dataSource, secrets);
    return dataSource;
  } catch (error) {
    await dataSource.destroy();
    throw error;
  }
}

/**
 * Money is moved by guarded updates that count the rows they matched. A driver that reports changed rows instead would make a
 * repeated update look refused.
 * Fails: UnsupportedDatabaseError.
 */
export async function checkMatchedRows(dataSource: DataSource): Promise<void> {
  const runner = dataSource.createQueryRunner();
  try {
    const result = await runner.query('UPDATE schema_migrations SET name = name', [], true);
    const rows = (await runner.query('SELECT COUNT(*) AS rows_there FROM schema_migrations')) as {
      rows_there: unknown;
    }[];
    if (result.affected !== Number(rows[0]?.rows_there)) {
      throw new UnsupportedDatabaseError(
        'The database driver reports changed rows instead of matched rows; guarded updates would misread it.',
      );
    }
  } finally {
    await runner.release();
  }
}

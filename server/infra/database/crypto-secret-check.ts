import type { DataSource, QueryRunner } from 'typeorm';
import type { SecretBox } from '../crypto/secret-box.js';
import { dialectOf } from './data-source.js';
import { quoteName } from './migrations/quote-name.js';
import { isDuplicateKey } from './run-in-transaction.js';

/** Stored beside the options, under a name that no option can have: it is not in the catalogue, so it is never listed or set. */
const TABLE = 'options';
export const CHECK_KEY = '.crypto-secret-check';
const PLACE = `options.value.${CHECK_KEY}`;
const CHECK_TEXT = 'sealed under the CRYPTO_SECRET of this database';

/** The secrets in this database were sealed under another CRYPTO_SECRET. */
export class CryptoSecretError extends Error {
  constructor() {
    super(
      'CRYPTO_SECRET is not the one this database was set up with: the upstream keys and API keys in it could not be read. ' +
        'Start with the secret of its first start (the environment, or DATA_DIR/crypto-secret of then).',
    );
  }
}

/**
 * Opens the check value of this database, when it has one. Writes nothing, also works before the schema is brought up to date.
 * @returns false when there is none yet
 * Fails: CryptoSecretError.
 */
export async function verifyCryptoSecret(dataSource: DataSource, secrets: SecretBox): Promise<boolean> {
  const runner = dataSource.createQueryRunner();
  try {
    if (!(await runner.hasTable(TABLE))) return false;
    const sealed = await storedCheck(runner);
    if (sealed === undefined) return false;
    if (!isOurs(secrets, sealed)) throw new CryptoSecretError();
    return true;
  } finally {
    await runner.release();
  }
}

/**
 * Leaves the check value at the first start. Of two instances that start together the slower one is held against the value of
 * the faster one.
 * Fails: CryptoSecretError.
 */
export async function keepCryptoSecretCheck(dataSource: DataSource, secrets: SecretBox): Promise<void> {
  if (await verifyCryptoSecret(dataSource, secrets)) return;
  const value = secrets.seal('check', PLACE, CHECK_TEXT);
  try {
    await dataSource
      .createQueryBuilder()
      .insert()
      .into(TABLE, ['key', 'value'])
      .values({ key: CHECK_KEY, value })
      .execute();
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    await verifyCryptoSecret(dataSource, secrets);
  }
}

async function storedCheck(runner: QueryRunner): Promise<string | undefined> {
  const dialect = dialectOf(runner.dataSource);
  const [table, key, value] = [TABLE, 'key', 'value'].map((name) => quoteName(dialect, name));
  // A constant of this file: nothing to bind.
  const rows = (await runner.query(
    `SELECT ${value} AS sealed FROM ${table} WHERE ${key} = '${CHECK_KEY}'`,
  )) as { sealed: string }[];
  return rows[0]?.sealed;
}

function isOurs(secrets: SecretBox, sealed: string): boolean {
  try {
    return secrets.open('check', PLACE, sealed) === CHECK_TEXT;
  } catch {
    // Authentication failed: sealed under another secret.
    return false;
  }
}

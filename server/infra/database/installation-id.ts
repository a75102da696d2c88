import { createHash, randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { CHECK_KEY } from './crypto-secret-check.js';
import { isDuplicateKey } from './run-in-transaction.js';

/** Stored beside the options, under a name that no option can have (crypto-secret-check.ts). */
const TABLE = 'options';
const KEY = '.installation';

/**
 * Names the installation this database is of: made at its first start, and as old as its data from then on. A database of a version
 * that did not name itself has a secret of its own, sealed when it was set up: its name is made of that, so that a copy from before the
 * upgrade, put back later, gets the same name again.
 */
export async function installationId(dataSource: DataSource): Promise<string> {
  const known = await stored(dataSource, KEY);
  if (known !== undefined) return known;
  try {
    await dataSource
      .createQueryBuilder()
      .insert()
      .into(TABLE, ['key', 'value'])
      .values({ key: KEY, value: await makeName(dataSource) })
      .execute();
  } catch (error) {
    // Another instance starts together with this one.
    if (!isDuplicateKey(error)) throw error;
  }
  const kept = await stored(dataSource, KEY);
  if (kept === undefined) throw new Error('the name of the installation was not kept');
  return kept;
}

async function makeName(dataSource: DataSource): Promise<string> {
  const sealed = await stored(dataSource, CHECK_KEY);
  if (sealed === undefined) return randomUUID();
  const digest = createHash('sha256').update(sealed).digest('hex');
  return digest.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

async function stored(dataSource: DataSource, key: string): Promise<string | undefined> {
  const row = await dataSource
    .createQueryBuilder()
    .select('options.value', 'value')
    .from(TABLE, 'options')
    .where('options.key = :key', { key })
    .getRawOne<{ value: string }>();
  return row?.value;
}

import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { isDuplicateKey } from './run-in-transaction.js';

/** Beside the options, under a name that no option can have (crypto-secret-check.ts). */
const TABLE = 'options';
const KEY = '.installation';

/** Names the installation this database is of: made at its first start, and as old as its data from then on. */
export async function installationId(dataSource: DataSource): Promise<string> {
  const known = await stored(dataSource);
  if (known !== undefined) return known;
  try {
    await dataSource
      .createQueryBuilder()
      .insert()
      .into(TABLE, ['key', 'value'])
      .values({ key: KEY, value: randomUUID() })
      .execute();
  } catch (error) {
    // Another instance starts together with this one.
    if (!isDuplicateKey(error)) throw error;
  }
  const kept = await stored(dataSource);
  if (kept === undefined) throw new Error('the name of the installation was not kept');
  return kept;
}

async function stored(dataSource: DataSource): Promise<string | undefined> {
  const row = await dataSource
    .createQueryBuilder()
    .select('options.value', 'value')
    .from(TABLE, 'options')
    .where('options.key = :key', { key: KEY })
    .getRawOne<{ value: string }>();
  return row?.value;
}

import type { DataSource } from 'typeorm';
import { dialectOf } from './dialect-of.js';
import { quoteName } from './migrations/quote-name.js';

/**
 * Makes the database count on from the highest id of a table whose rows were inserted with ids of their own. SQLite and MySQL do so by
 * themselves.
 */
export async function advanceSequence(dataSource: DataSource, table: string): Promise<void> {
  if (dialectOf(dataSource) !== 'postgres') return;
  const name = quoteName('postgres', table);
  await dataSource.query(
    `SELECT setval(s.name::regclass, (SELECT MAX(id) FROM ${name}))
       FROM (SELECT pg_get_serial_sequence('${table}', 'id') AS name) s
       WHERE (SELECT MAX(id) FROM ${name}) > COALESCE(pg_sequence_last_value(s.name::regclass), 0)`,
  );
}

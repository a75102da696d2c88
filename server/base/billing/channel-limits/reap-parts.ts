import type { DataSource } from 'typeorm';
import { runInTransaction } from '../../../infra/database/run-in-transaction.js';
import { execute, read, toInteger, toText } from '../ledger/money-sql.js';
import { addAttemptUse } from './part-trip.js';

/**
 * Takes back the parts of workers that are gone and whose records are booked: they have no heartbeat row any more. Requests that such a worker
 * may have sent without a settlement count as sent. Fails: with the database's error.
 */
export async function reapParts(dataSource: DataSource, owner: string): Promise<void> {
  const rows = await read(
    dataSource,
    `SELECT DISTINCT "owner" AS "owner" FROM "limit_parts" WHERE "owner" <> ? AND "owner" NOT IN (SELECT "boot_id" FROM "instances")`,
    [owner],
  );
  for (const row of rows) await reapWorker(dataSource, toText(row['owner']));
  await runInTransaction(dataSource, (target) =>
    execute(target, 'DELETE FROM "limit_parts" WHERE "limit_id" NOT IN (SELECT "id" FROM "limits")'),
  );
}

function reapWorker(dataSource: DataSource, owner: string): Promise<void> {
  return runInTransaction(dataSource, async (target) => {
    const { rows } = await execute(
      target,
      `SELECT "limit_parts"."limit_id" AS "limit_id", "period_start_ms" AS "start", SUM("limit_parts"."amount") AS "rest"
         FROM "limit_parts" JOIN "limits" ON "limits"."id" = "limit_parts"."limit_id"
        WHERE "owner" = ? AND "measure" = 'requests' GROUP BY "limit_parts"."limit_id", "period_start_ms"`,
      [owner],
    );
    const { affected } = await execute(target, 'DELETE FROM "limit_parts" WHERE "owner" = ?', [owner]);
    if (affected === 0) return;
    const sent = rows
      .map((row) => [toInteger(row['limit_id']), toInteger(row['start']), toInteger(row['rest'])] as const)
      .filter(([, , rest]) => rest > 0)
      .map(([limitId, start, rest]) => [limitId, start, rest, rest] as const);
    if (sent.length > 0) await addAttemptUse(target, sent);
  });
}

/**
 * Deletes the rows of a part of which nothing is held and everything is booked. Fails: with the database's error.
 * @returns false while something is to be booked
 */
export function deleteSettledParts(
  dataSource: DataSource,
  part: { readonly limitId: number; readonly startsAtMs: number; readonly owner: string },
): Promise<boolean> {
  const where = 'WHERE "limit_id" = ? AND "period_start_ms" = ? AND "owner" = ?';
  const key = [part.limitId, part.startsAtMs, part.owner];
  return runInTransaction(dataSource, async (target) => {
    const { rows } = await execute(
      target,
      `SELECT COALESCE(SUM("amount"), 0) AS "rest" FROM "limit_parts" ${where}`,
      key,
    );
    if (toInteger(rows[0]?.['rest']) !== 0) return false;
    await execute(target, `DELETE FROM "limit_parts" ${where}`, key);
    return true;
  });
}

import type { DataSource } from 'typeorm';
import { dialectOf } from '../../../infra/database/data-source.js';
import { runInTransaction } from '../../../infra/database/run-in-transaction.js';
import type { InFlight } from '../holds/in-flight.js';
import { nowExpression, read, toInteger, toText } from '../ledger/money-sql.js';
import { closeReservations, lockAccount, lockOpenReservations, sumOf } from '../ledger/reservation-sql.js';

/**
 * Gives back what a worker set aside for single calls and no call holds: the database answered too late, or its answer was lost, and
 * giving back failed as well. Their calls were refused, so none of them went upstream.
 * @returns quota that came back
 */
export async function releaseUnheld({
  dataSource,
  inFlight,
  bootId,
}: {
  readonly dataSource: DataSource;
  readonly inFlight: InFlight;
  readonly bootId: string;
}): Promise<number> {
  // A lease by far outlives the wait of a call for its reservation.
  const rows = await read(
    dataSource,
    `SELECT "id" AS "id", "user_id" AS "user_id" FROM "reservations" WHERE "state" = 'open' AND "owner" = ? AND "kind" = 'call'
       AND "dispatched_at_ms" IS NULL AND "lease_until_ms" < ${nowExpression(dialectOf(dataSource))}`,
    [bootId],
  );
  const unheld = rows.filter((row) => !inFlight.uses(toText(row['id'])));
  let returned = 0;
  for (const [userId, own] of Map.groupBy(unheld, (row) => toInteger(row['user_id']))) {
    returned += await runInTransaction(dataSource, async (manager) => {
      await lockAccount(manager, userId);
      const ids = own.map((row) => toText(row['id']));
      const open = await lockOpenReservations(manager, userId, ids);
      await closeReservations(manager, userId, open);
      return sumOf(open.filter(({ scope }) => scope === 'user'));
    });
  }
  return returned;
}

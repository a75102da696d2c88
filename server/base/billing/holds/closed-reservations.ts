import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { dialectOf } from '../../../infra/database/data-source.js';
import { runInTransaction } from '../../../infra/database/run-in-transaction.js';
import { firstIdSince } from '../../../infra/ids/ids-by-time.js';
import { clearInBatches } from '../../../infra/schedule/clear-in-batches.js';
import { LeasedInterval } from '../../../infra/schedule/leased-interval.js';
import type { JobRun } from '../../../infra/schedule/job-run.js';
import { Clock } from '../../../common/clock.js';
import { execute, nowExpression, read, textList, toText } from '../ledger/money-sql.js';

const PERIOD_MS = 3_600_000;
/** Longer than the owner of a reservation is of interest; the cost of the call is in its settlement. */
const RETENTION_DAYS = 7;
const RETENTION_MS = RETENTION_DAYS * 86_400_000;
const BATCH = 1_000;

/**
 * Removes reservations that ended long ago. One of a pool is left behind by every account with every run of the shared store, and two
 * by every call made while that store is away, so an afternoon without Redis would stay in the table for ever. A
 * record that comes late is booked beside one that is gone as beside one that is closed.
 */
@Injectable()
export class ClosedReservations {
  private readonly logger = new Logger('ClosedReservations');

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  /** @returns how many rows were removed. Fails: with the database's error; the next run goes on. */
  @LeasedInterval('closed-reservations', PERIOD_MS)
  async remove(run?: JobRun): Promise<number> {
    const removed = await clearInBatches(this.clock, run, () => this.removeBatch(run));
    if (removed > 0)
      this.logger.log(`${removed} reservations that ended over ${RETENTION_DAYS} days ago were removed`);
    return removed;
  }

  /**
   * The oldest first, by their ids, which begin with the time (UUIDv7): what is younger is not looked at. One that was made long ago and used
   * since has a lease, by the database's clock.
   */
  private async removeBatch(run: JobRun | undefined): Promise<number> {
    const { dataSource } = this;
    const rows = await read(
      dataSource,
      `SELECT "id" AS "id" FROM "reservations" WHERE "id" < ? AND "state" <> 'open'
         AND "lease_until_ms" < ${nowExpression(dialectOf(dataSource))} - ${RETENTION_MS} ORDER BY "id" LIMIT ${BATCH}`,
      [firstIdSince(Date.now() - RETENTION_MS)],
    );
    if (rows.length === 0) return 0;
    const ids = textList(rows.map((row) => toText(row['id'])));
    await runInTransaction(dataSource, async (manager) => {
      await run?.guard(manager);
      await execute(manager, `DELETE FROM "reservations" WHERE "id" IN (${ids}) AND "state" <> 'open'`);
    });
    return rows.length;
  }
}

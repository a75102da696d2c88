import { Inject, Injectable } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { dialectOf } from '../../../infra/database/data-source.js';
import { runInTransaction } from '../../../infra/database/run-in-transaction.js';
import type { JobRun } from '../../../infra/schedule/job-run.js';
import { LeasedInterval } from '../../../infra/schedule/leased-interval.js';
import { MONEY_DATA_SOURCE } from './billing.tokens.js';
import { execute, lockClause, read, toInteger } from './money-sql.js';

const PERIOD_MS = 3_600_000;
/** Rows of one run at most; the next run goes on. */
const MAX_ROWS = 1_000;

/** Refunds of each account: `k` its id, `v` their sum. */
export const REFUNDS_OF_USERS = `SELECT "user_id" AS "k", SUM("amount") AS "v" FROM "ledger" WHERE "kind" = 'refund' GROUP BY "user_id"`;

/** Refunds of each token's charges, in the same form. A refund names its call as `task:` and the call's id. */
export const REFUNDS_OF_TOKENS = `SELECT "s"."token_id" AS "k", SUM("l"."amount") AS "v" FROM "ledger" "l"
  INNER JOIN "settlements" "s" ON "s"."request_id" = SUBSTR("l"."ref", 6)
  WHERE "l"."kind" = 'refund' AND "l"."ref" LIKE 'task:%' GROUP BY "s"."token_id"`;

/**
 * Corrects the refunded quota of accounts and tokens whose refund an older version booked: during an upgrade both versions run, and
 * the older one does not count.
 */
@Injectable()
export class RefundTotals {
  constructor(@Inject(MONEY_DATA_SOURCE) private readonly dataSource: DataSource) {}

  /** Changes at most 1,000 accounts and 1,000 tokens a run. Fails: with the database's error. */
  @LeasedInterval('refund-totals', PERIOD_MS)
  async run(run?: JobRun): Promise<void> {
    for (const id of await this.differing('users', REFUNDS_OF_USERS))
      await this.correct('users', { id, ownerId: id }, run);
    for (const id of await this.differing('tokens', REFUNDS_OF_TOKENS)) {
      const [token] = await read(
        this.dataSource,
        `SELECT "user_id" AS "owner" FROM "tokens" WHERE "id" = ?`,
        [id],
      );
      if (token !== undefined) await this.correct('tokens', { id, ownerId: toInteger(token['owner']) }, run);
    }
  }

  private async differing(table: 'users' | 'tokens', sums: string): Promise<number[]> {
    const rows = await read(
      this.dataSource,
      `SELECT "x"."id" AS "id" FROM "${table}" "x" LEFT JOIN (${sums}) "g" ON "g"."k" = "x"."id"
       WHERE "x"."refunded_quota" <> COALESCE("g"."v", 0) LIMIT ${MAX_ROWS}`,
    );
    return rows.map((row) => toInteger(row['id']));
  }

  /** The owner's row is locked first, as a refund does: no refund is counted twice or not at all. */
  private correct(
    table: 'users' | 'tokens',
    { id, ownerId }: { readonly id: number; readonly ownerId: number },
    run?: JobRun,
  ): Promise<void> {
    return runInTransaction(this.dataSource, async (manager) => {
      await run?.guard(manager);
      const lock = lockClause(dialectOf(manager.dataSource));
      await execute(manager, `SELECT "id" AS "id" FROM "users" WHERE "id" = ?${lock}`, [ownerId]);
      const sums = table === 'users' ? REFUNDS_OF_USERS : REFUNDS_OF_TOKENS;
      const { rows } = await execute(manager, `SELECT "g"."v" AS "v" FROM (${sums}) "g" WHERE "g"."k" = ?`, [
        id,
      ]);
      await execute(manager, `UPDATE "${table}" SET "refunded_quota" = ? WHERE "id" = ?`, [
        rows[0] === undefined ? 0 : toInteger(rows[0]['v']),
        id,
      ]);
    });
  }
}

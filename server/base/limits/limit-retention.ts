import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, In } from 'typeorm';
import { Clock } from '../../common/clock.js';
import { dialectOf } from '../../infra/database/dialect-of.js';
import { renderSql } from '../../infra/database/sql-store.js';
import { bumpRevision } from '../../infra/events/bump-revision.js';
import { Revisions } from '../../infra/events/revisions.js';
import { LeasedInterval } from '../../infra/schedule/leased-interval.js';
import { runInTransaction } from '../../infra/database/run-in-transaction.js';
import { ROLLING_MS } from './calendar-periods.js';
import { LimitEntity } from './limit.entity.js';
import { LimitUseEntity } from './limit-use.entity.js';

const PERIOD_MS = 3_600_000;
/** Use of end users and tags stays so long after its period. */
const KEPT_MS = 90 * 86_400_000;

/** Limits whose token, account or channel is gone: tokens for good, so that an undone deletion has its limits. */
const ORPHANS = `SELECT "l"."id" AS "id" FROM "limits" "l" WHERE "l"."each" = FALSE AND (
    ("l"."scope" = 'token' AND NOT EXISTS (SELECT 1 FROM "tokens" "t" WHERE CONCAT("t"."id") = "l"."subject" AND "t"."wiped_at_ms" IS NULL))
    OR ("l"."scope" = 'account' AND NOT EXISTS (SELECT 1 FROM "users" "u" WHERE CONCAT("u"."id") = "l"."subject"))
    OR ("l"."scope" = 'channel' AND NOT EXISTS (SELECT 1 FROM "channels" "c" WHERE CONCAT("c"."id") = "l"."subject")))`;

/** Deletes limits of what was deleted, and their use; use of end users and tags some time after its period. */
@Injectable()
export class LimitRetention {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly revisions: Revisions,
    private readonly clock: Clock,
  ) {}

  /** @returns how many rows were deleted. Fails: with the database's error; the next run goes on. */
  @LeasedInterval('limit-retention', PERIOD_MS)
  async run(): Promise<number> {
    const orphans = await this.idsOf(ORPHANS);
    return (await this.deleteLimits(orphans)) + (await this.deleteOldUse()) + (await this.deleteUseOfNone());
  }

  /** Limits of an account, of its tokens, end users and tags, that goes for good. Fails: with the database's error. */
  async clearAccount(userId: number): Promise<void> {
    const own = await this.dataSource.getRepository(LimitEntity).find({
      where: [{ accountId: userId }, { scope: 'account', subject: String(userId) }],
      select: { id: true },
    });
    await this.deleteLimits(own.map(({ id }) => id));
  }

  private async deleteLimits(ids: readonly number[]): Promise<number> {
    if (ids.length === 0) return 0;
    await runInTransaction(this.dataSource, async (manager) => {
      await bumpRevision(manager, 'limits');
      await manager.getRepository(LimitEntity).delete({ id: In([...ids]) });
      await manager.getRepository(LimitUseEntity).delete({ limitId: In([...ids]) });
    });
    await this.revisions.publishChange('limits');
    return ids.length;
  }

  private async deleteOldUse(): Promise<number> {
    const limits = await this.dataSource
      .getRepository(LimitEntity)
      .find({ where: { scope: In(['end_user', 'tag']) } });
    let deleted = 0;
    for (const { id, period } of limits) {
      if (period === '' || period === 'ever') continue;
      // A calendar month or quarter is a little longer than the rolling one.
      const before = this.clock.nowMs() - KEPT_MS - 2 * ROLLING_MS[period];
      const { affected } = await this.dataSource
        .createQueryBuilder()
        .delete()
        .from(LimitUseEntity)
        .where('limit_id = :id AND period_start_ms < :before', { id, before })
        .execute();
      deleted += affected ?? 0;
    }
    return deleted;
  }

  /** Charges that were booked after their limit was deleted. */
  private async deleteUseOfNone(): Promise<number> {
    const ids = await this.idsOf(
      `SELECT DISTINCT "q"."limit_id" AS "id" FROM "limit_use" "q"
       WHERE NOT EXISTS (SELECT 1 FROM "limits" "l" WHERE "l"."id" = "q"."limit_id")`,
    );
    if (ids.length === 0) return 0;
    const { affected } = await this.dataSource.getRepository(LimitUseEntity).delete({ limitId: In(ids) });
    return affected ?? 0;
  }

  private async idsOf(sql: string): Promise<number[]> {
    const rows: { id: unknown }[] = await this.dataSource.query(renderSql(dialectOf(this.dataSource), sql));
    return rows.map(({ id }) => Number(id));
  }
}

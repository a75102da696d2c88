import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, LessThanOrEqual } from 'typeorm';
import { runInTransaction } from '../../../infra/database/run-in-transaction.js';
import type { JobRun } from '../../../infra/schedule/job-run.js';
import { LeasedInterval } from '../../../infra/schedule/leased-interval.js';
import { Clock } from '../../../common/clock.js';
import { checkMoney } from '../../../base/billing/checks/check-money.js';
import { BooksCheckEntity } from './books-check.entity.js';

const PERIOD_MS = 24 * 3_600_000;
/** Checks whose results are kept. */
const KEPT = 30;
/** Differences kept of one check; `npm run money:check` lists all. */
const MAX_DETAILS = 50;

/** Result of the newest check of the books. */
export interface BooksState {
  readonly atMs: number;
  readonly tookMs: number;
  /** −1 = the books could not be read. */
  readonly differences: number;
  /** The first of them, in words. */
  readonly details: readonly string[];
}

/** Proves the books every 24 hours, on one instance, while calls run: those rules only that hold at any moment. */
@Injectable()
export class BooksCheck {
  private readonly logger = new Logger('BooksCheck');

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  /** Looks now and keeps what was found. Fails: with the database's error. */
  @LeasedInterval('books-check', PERIOD_MS)
  async run(run: JobRun): Promise<void> {
    const startedAtMs = this.clock.nowMs();
    const violations = await checkMoney(this.dataSource, { isQuiet: false });
    for (const { invariant, subject, expected, found } of violations.slice(0, MAX_DETAILS))
      this.logger.error(`the books differ (${invariant}): ${subject}: expected ${expected}, found ${found}`);
    const found = {
      startedAtMs,
      endedAtMs: this.clock.nowMs(),
      differences: violations.length,
      detail: JSON.stringify(
        violations
          .slice(0, MAX_DETAILS)
          .map(
            ({ invariant, subject, expected, found }) =>
              `${invariant} ${subject}: expected ${expected}, found ${found}`,
          ),
      ),
    };
    await runInTransaction(this.dataSource, async (manager) => {
      await run.guard(manager);
      const { id } = await manager.save(BooksCheckEntity, { ...found });
      await manager.delete(BooksCheckEntity, { id: LessThanOrEqual(id - KEPT) });
    });
  }

  /** Null = no check has run yet. Fails: with the database's error. */
  async newest(): Promise<BooksState | null> {
    const [row] = await this.dataSource
      .getRepository(BooksCheckEntity)
      .find({ order: { id: 'DESC' }, take: 1 });
    if (row === undefined) return null;
    return {
      atMs: row.endedAtMs,
      tookMs: Math.max(0, row.endedAtMs - row.startedAtMs),
      differences: row.differences,
      details: JSON.parse(row.detail) as readonly string[],
    };
  }
}
